// What a question wants of a table, by its words: a count, an average, the cheapest, what costs less than a limit, or a row.
import { isStopWord, stemOf, wordsOf } from '../words.ts'

/** `compare`: rows whose number is below or above a limit. `lookup`: the row that the question names. */
export type TableWish =
  | { kind: 'count' | 'average' | 'sum' | 'lowest' | 'highest' | 'lookup' }
  | { kind: 'compare'; limits: Limit[] }
/** One end of what is asked for. */
type Limit = { operator: 'lt' | 'lte' | 'gt' | 'gte'; limit: number }
/** `topic`: of which column, where the question says so. `words`: what it is about, lower-case. `isForced`: nothing but a table answers it. `isOfGoods`: it is about things, not services. */
export type TableWishes = {
  wish: TableWish
  topic: 'price' | 'stock' | null
  words: string[]
  isForced: boolean
  isOfGoods: boolean
}

const NUMBER = String.raw`(\d{1,3}(?:[ \u00a0\u202f,.']\d{3})+|\d+)(?:[.,](\d{1,2}))?\s*(тыс\p{L}*\.?|мың|млн|k|к|thousand|million)?(?!\p{L})`
const BEHIND = String.raw`\s*(?:чем|than)?\s*(?:за|\$|€|₽|₸)?\s*`
const COMPARISONS: ['lt' | 'lte' | 'gt' | 'gte', RegExp][] = [
  [
    'lte',
    new RegExp(
      String.raw`(?:не дороже|не больше|не более|в пределах|at most|no more than|up to|(?<!\p{L})до)${BEHIND}${NUMBER}`,
      'iu',
    ),
  ],
  [
    'gte',
    new RegExp(String.raw`(?:не дешевле|не меньше|не менее|at least|(?<!\p{L})от|starting at)${BEHIND}${NUMBER}`, 'iu'),
  ],
  ['lt', new RegExp(`(?:дешевле|меньше|менее|ниже|арзан|under|below|less|cheaper|fewer)${BEHIND}${NUMBER}`, 'iu')],
  [
    'gt',
    new RegExp(
      `(?:дороже|больше|более|выше|свыше|қымбат|over|above|more|dearer|more expensive)${BEHIND}${NUMBER}`,
      'iu',
    ),
  ],
]
const KINDS: ['average' | 'sum' | 'lowest' | 'highest' | 'count', RegExp][] = [
  ['average', /средн(?:яя|юю|ей|ий|ее|его|ие)|в среднем|орташа|average|\bmean\b/iu],
  [
    'sum',
    /общ(?:ая|ую|ей) (?:стоимост|сумм|цен)|в сумме|суммарн|на какую сумму|сколько (?:всего )?на складе|жалпы|\bsum\b|total (?:cost|price|value|stock|amount)|in total/iu,
  ],
  [
    'lowest',
    /сам\p{L}{2,4} (?:дешев|дешёв|деш[её]в|недорог|бюджетн|низк|маленьк|л[её]гк)|дешевле всего|минимальн|наименьш|е[ңн] арзан|cheapest|lowest|least expensive|\bminimum\b|smallest|lightest/iu,
  ],
  [
    'highest',
    /сам\p{L}{2,4} (?:дорог|высок|больш|тяж[её]л)|дороже всего|максимальн|наибольш|е[ңн] [қк]ымбат|most expensive|highest|dearest|\bmaximum\b|priciest|largest|heaviest/iu,
  ],
  [
    'count',
    /сколько (?:всего|у вас|разных|различн\p{L}*|есть|наименован\p{L}*|позиц\p{L}*|товар\p{L}*|услуг\p{L}*|видов|моделей|вариант\p{L}*)|количество (?:товар|услуг|позиц|наименован)|неше|қанша (?:тауар|қызмет)|how many|number of/iu,
  ],
]
const PRICE =
  /сто(?:ит|ят|имост)|цен[аыуе]|почем|поч[её]м|прайс|дешев|дорог|деш[её]в|[қк]анша т[ұу]р|баға|багас|арзан|[қк]ымбат|price|cost|cheap|expensive|how much|dear/iu
const STOCK = /остат|остал|налич|на складе|есть ли|сколько штук|қалды|бар ма|in stock|available|\bleft\b|stock/iu
/** Words of the wish itself, by their beginnings: they are not what it is about. */
const OF_WISH =
  /^(?:стоить|обойд|заплат|платить|оплат|купить|куплю|заказать|закажу|взять|получ|интерес|подскаж|скаж|добрый$|день$|вечер$|утро$|будет$|буду$|сейчас$|пожалуйст|tell|would|does|did|get$|buy|order$|want|please|any$|today|сред|средн|орташ|average|mean|общ|сумм|суммар|жалп|sum|total|сам(?:ый|ая|ое|ые|ую|ого|ой|ых|ым)$|дешев|дорог|недорог|бюджет|минимал|максимал|наимен|наибол|низк|высок|арзан|[қк]ымбат|е[ңн]$|cheap|low|least|high|expens|dear|maxim|minim|pric|cost|стоит|стоят|стоимост|цен|почем|прайс|баға|багас|т[ұу]рад|[қк]анша|неше|сколько|количеств|всего|дешевле|дороже|меньше|больше|менее|более|ниже|выше|свыше|пределах|under|below|less|more|over|above|fewer|most|many|number|stock|available|left|налич|остат|остал|склад|штук|есть|имеет|how|much|руб|тенг|тг$|доллар|usd|eur|kzt|rub|tenge|dollar|тыс|мың|млн|thousand|товар|тауар|позици|наименован|вещ|item|product|thing|goods|разн|различ|ассортимент|каталог|price|list|у$|вас$|продает|покажи|show|which|какие|какой|какая|какое|что$|чего$|what|do$|you$|have$|есть$|there|are$|is$|the$|of$)/u
/** Words that name all rows, whatever they are called. */
export const ALL_ROWS = /^(?:услуг|[қк]ызмет|service)/u

const GOODS = /^(?:товар|goods|product|item|тауар)/u

/** Reads a question as one to tables. */
export function readWishes(question: string): TableWishes {
  const topic = STOCK.test(question) && !PRICE.test(question) ? 'stock' : PRICE.test(question) ? 'price' : null
  const compared = comparisonIn(question)
  const kind = KINDS.find(([, pattern]) => pattern.test(question))?.[0]
  const wish: TableWish = compared ?? { kind: kind ?? 'lookup' }
  const rest = compared ? COMPARISONS.reduce((text, [, pattern]) => text.replace(pattern, ' '), question) : question
  const words = wordsOf(rest).filter((word) => !isStopWord(word) && !OF_WISH.test(word))
  const isAboutAll = wordsOf(rest).some(
    (word) => ALL_ROWS.test(word) || /^(?:товар|позици|наименован|item|product|тауар)/u.test(word),
  )
  const isForced =
    wish.kind !== 'lookup' &&
    (wish.kind !== 'count' || isAboutAll) &&
    (topic !== null || wish.kind !== 'compare' || isAboutAll)
  const isOfGoods = wordsOf(rest).some((word) => GOODS.test(word))
  return { wish, topic, words, isForced, isOfGoods }
}

/** One limit or both: «от 4 до 7 тысяч». */
function comparisonIn(question: string): TableWish | undefined {
  const found: (Limit & { factor: number })[] = []
  let rest = question
  for (const [operator, pattern] of COMPARISONS) {
    const match = pattern.exec(rest)
    const isOfOtherEnd = found.every((other) => other.operator[0] !== operator[0])
    if (!match || !isOfOtherEnd) continue
    rest = rest.replace(match[0], ' ')
    const [, whole = '', cents = '', scale = ''] = match
    const factor = /^(?:млн|million)/iu.test(scale) ? 1e6 : scale ? 1e3 : 1
    found.push({ operator, limit: Number(`${whole.replace(/\D/g, '')}${cents && `.${cents}`}`) * factor, factor })
  }
  const [first, second] = found
  if (!first) return undefined
  const limits = found.map(({ operator, limit, factor }) => {
    const shared = operator[0] === 'g' && second && factor === 1 && limit < 1000 ? first.factor : 1
    return { operator, limit: limit * shared }
  })
  return { kind: 'compare', limits }
}

/** Beginnings by which cells are searched for a word in any inflection, the longest first. */
export function beginningsOf(word: string): string[] {
  const stem = stemOf(word)
  const shorter = stem.slice(0, Math.max(4, stem.length - 2))
  return [...new Set([word, stem, shorter])].filter((each) => each.length > 1 || /\d/.test(each))
}
