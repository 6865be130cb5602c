// What kind of sentence answers a question: one with a sum, a number, a time or a place.
import { foldKazakh } from '#server/platform/lib/text/kazakh.ts'

/** What a sentence of the kind holds. */
export type Kind = RegExp

/** A sum, what a price is reckoned by, or that there is none to pay. */
const MONEY =
  /(?:стоит|стоят|costs?) (?:половин|треть|столько|half|as much)|\d\s*(руб|₽|р\.|тенге|₸|тг|eur|€|\$|usd|доллар|dollar|rouble|ruble|tenge|£|pound)|[€$£₽]\s*\d|бесплатн|тегин|free of charge|\bfree\b/i
const NUMBER = /\d/
const DAY =
  /понедельник|вторник|сред[аы]|четверг|пятниц|суббот|воскресень|ежедневно|круглосуточно|monday|tuesday|wednesday|thursday|friday|saturday|sunday|daily|дуйсенби|сейсенби|сарсенби|бейсенби|жексенби|кун сайын/i
/** A time of the day, not a number of hours. */
const CLOCK = new RegExp(
  String.raw`\d[:.]\d\d|\d\s?[ap]\.?m\b|(?:(?<!\p{L})(?:с|до|в)|from|at|until|till) \d{1,2}(?![\d\s])|${DAY.source}`,
  'iu',
)
const WHEN = new RegExp(String.raw`\d|${DAY.source}`, 'i')
const PLACE =
  /ул\.|улиц|просп|пр-т|площад|д(ом|\.) ?\d|метро|этаж|город|street|st\.|avenue|road|floor|station|коше|дангыл|кабат|каласы/i

/** In this order: «до скольки» asks for a time, «сколько стоит» for a sum. */
const QUESTIONS: [RegExp, Kind][] = [
  [/стоит|стоят|стоимост|цен[аыу]|почем|прайс|турады|турат|багас|how much|price|cost|fee/, MONEY],
  [/(?:во|до|с) ск[оа]л?ь?к|часы работы|график|what time|hours|open|нешеде|нешеге|нешеден|сагат/, CLOCK],
  [/когда|по каким дням|when|кашан/, WHEN],
  [/сколько|какой срок|канша|неше|how (many|long)/, NUMBER],
  [/где|куда|адрес|where|address|кайда|мекенжай|кай жерде/, PLACE],
]

/** What an answer to this kind of question holds; null when the kind is not known. */
export function wantedKind(question: string): Kind | null {
  const text = foldKazakh(question.toLowerCase())
  return QUESTIONS.find(([asked]) => asked.test(text))?.[1] ?? null
}

/** Whether a sentence is of a kind. */
export function answersKind(sentence: string, kind: Kind): boolean {
  return kind.test(foldKazakh(sentence.toLowerCase()))
}

const STREET = /(?<!\p{L})(?:ул\.|улиц|просп|пр-т|площад|переул|шоссе|бульвар|street|st\.|avenue|road|коше|дангыл)/u
/** Of the business itself, or of one of its places. */
const OWN =
  /(?<!\p{L})(?:адрес|наход|распол|размещ|жд[её]м|при(?:ходит|езжай)|мы(?!\p{L})|наш|филиал|отделени|офис|пункт|шоурум|магазин|салон|клиник|отель|гостиниц|хостел|аптек|банк(?!\p{L})|школа(?!\p{L})|кафе|address|office|branch|visit|find us|we(?!\p{L})|our|locat|shop|store|мекенжай|орналас|биз(?!\p{L})|кенсе|дукен|дарихан)/u
const BEGINS_WITH_PLACE =
  /^[\s"«•–—-]*(?:[\p{L}-]+(?: [\p{L}-]+)?,\s*){0,2}(?:г\.|город|ул\.|улиц|просп|пр-т|мкр|микрорайон|трц|тц|бц|торгов|бизнес|\d|\p{L}+ (?:street|st\.|avenue|коше|дангыл))/u
const MAIL_ADDRESS = /адрес\p{L}*[\s:]+(?:электронной почты[\s:]+)?\S*(?:@|https?:|www\.)|address(?:es)?[\s:]+\S*@/u

const TOWN =
  /(?<!\p{L})(?:алматы|астан|шымкент|караган?д|актобе|тараз|павлодар|семей|атырау|актау|костана|кызылорд|уральск|москв|санкт-петербург|новосибирск|екатеринбург|казан|бишкек|ташкент|минск)\p{L}*(?: каласы)?,\s*\p{L}/u
const PART_OF_TOWN =
  /(?<!\p{L})(?:ул|просп|мкр|мкрн|пер|наб|корп)\.|(?<!\p{L})(?:улиц|проспект|микрорайон|бульвар|шоссе|переул|дом(?!\p{L})|трц|тц|бц|торгов\p{L}+ центр|бизнес-центр|этаж|коше|дангыл|кабат|street|avenue|floor)/u

/** Whether a sentence says where something is without a word for it: «Астана, Кабанбай батыра 12, 3 этаж». */
export function looksLikeAddress(sentence: string): boolean {
  const text = foldKazakh(sentence.toLowerCase())
  return /\d/.test(text) && (TOWN.test(text) || (PART_OF_TOWN.test(text) && BEGINS_WITH_PLACE.test(text)))
}

/** Whether a sentence mentions where something else is, such as a tailor who sews for a school, or an address of mail. */
export function isOtherAddress(sentence: string): boolean {
  const text = foldKazakh(sentence.toLowerCase())
  if (MAIL_ADDRESS.test(text)) return !STREET.test(text)
  return STREET.test(text) && !OWN.test(text) && !BEGINS_WITH_PLACE.test(text)
}
