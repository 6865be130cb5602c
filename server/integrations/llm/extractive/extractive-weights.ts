// How much each word of a question says of what is asked, and how much of it a sentence carries.
import type { Topic } from '#server/platform/lib/text/everyday-topics.ts'
import { alikeness, type ReadWord, readAsked } from './extractive-match.ts'

/** One sentence of what a customer has written. */
export type Asked = { words: ReadWord[]; text: string }
/** By word: what it weighs. */
export type Weighed = Map<string, { asked: ReadWord; weight: number }>
type Held = { words: ReadWord[]; weight: number }

const STOP_WEIGHT = 0.1
/** In documents that are all about one subject its name is no rare word, and yet what is asked about. */
const RARITY_LEAST = 1.4
/** A number may stand for anything. */
const NUMBER_WEIGHT = 0.5
/** What only says more of a subject that is answered: «доставка дивана». */
const FURTHER_WEIGHT = 0.45
/** From here on a word is that very word, in its own sentence or below its heading. */
const SAME_WORD = 0.86
/** A place that a sentence of all places includes. */
const INCLUDED = 0.7
/** Every business is asked about these, so they are no subject of their own: «до скольки работает бассейн» is about the pool. */
const GENERAL: ReadonlySet<Topic> = new Set([
  'hours',
  'address',
  'phone',
  'email',
  'booking',
  'payment',
  'price',
  'doctor',
  'room',
  'free',
  'children',
  'men',
  'women',
])
const GENERAL_WEIGHT = 0.5
const EVERYWHERE =
  /по все(?:му|й)|все(?:х)? город|люб(?:ой|ую|ые) |остальн|други[ех] |anywhere|nationwide|worldwide|all over|барлық|бүкіл|басқа/iu
/** A day of the week in a sentence of all days, or of the days between two. */
const EVERY_DAY =
  /ежедневн|без выходных|кажд\p{L}* день|круглосуточн|выходны[ех]|daily|every ?day|weekend|seven days|7 days|24\/7|кун сайын|күн сайын|демалыссыз/iu
const BETWEEN_DAYS =
  /(?:пн|понедельник\p{L}*|monday|mon|дүйсенбі\p{L}*)\s*(?:[-–—]|по|до|to|through)\s*(?:вс|воскресень\p{L}*|sunday|sun|жексенбі\p{L}*)/iu
const DAY =
  /^(?:понедельник|вторник|сред[ау]$|четверг|пятниц|суббот|воскрес|выходн|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend|дуйсенби|сейсенби|сарсенби|бейсенби|сенби|жексенби)/u
const BEFORE_PLACE = new Set(['в', 'во', 'до', 'на', 'to', 'in'])
const TO_PLACE = /(?:[гк][ае])$/u
const BEFORE_TOWN = new Set(['в', 'во', 'to'])
/** What may follow instead of a town. */
const NO_TOWN =
  /^(?:дом|офис|отел|гостиниц|квартир|подъезд|теч|тот|эт|друг|праздник|день|дни|час|вечер|утр|ноч|обед|рассроч|пункт|пределах|me|my|us|home|door|hotel|the|a|your|order|get)|^\d/u

/** Ends of sentences, and commas behind what has happened: «потерял карту, как её заблокировать». */
const PART_END =
  /[.!?\n]+|,\s+(?=(?:а |и |то )?(?:как|где|куда|когда|сколько|что|кому|чем|можно|нужно|калай|кайда|кашан|канша|неше|не истей|қалай|қайда|қашан|қанша|не істей|how|where|when|what|can|do|is)(?!\p{L}))/iu

/** The sentences of a question that have a subject; the question itself where none has. */
export function askedParts(question: string): Asked[] {
  const parts = question.split(PART_END).map((text) => ({ text, words: readAsked(text) }))
  const telling = parts.filter(({ words }) => words.some((word) => !word.isStop))
  return telling.length > 0 ? telling : [{ text: question, words: readAsked(question) }]
}

/** Whether a part asks for nothing but where the business is. */
export function asksForAddress({ words }: Asked): boolean {
  const subjects = words.filter(({ isStop, topic }) => !isStop || topic !== undefined)
  return (
    subjects.some(({ topic }) => topic === 'address') &&
    subjects.every(({ topic }) => topic === 'address' || topic === 'business')
  )
}

/** Words that few of the sentences hold weigh more. */
export function weigh(asked: ReadWord[], sentences: ReadWord[][]): Weighed {
  const weighed: Weighed = new Map()
  for (const word of asked) {
    if (weighed.has(word.word)) continue
    const holders = sentences.filter((words) => words.some((other) => alikeness(word, other) > 0)).length
    const rarity = Math.log(1 + (sentences.length - holders + 0.5) / (holders + 0.5))
    weighed.set(word.word, { asked: word, weight: ownWeight(word) * Math.max(rarity, RARITY_LEAST) })
  }
  return weighed
}

function ownWeight({ isStop, word }: ReadWord): number {
  if (isStop) return STOP_WEIGHT
  return /^\d+$/.test(word) ? NUMBER_WEIGHT : 1
}

/** The share of a question's subject that is held, 0 to 1. `text`: the sentence. */
export function coverage(part: Asked, { words, held, text }: { words: Weighed; held: Held[]; text: string }): number {
  const subjects = part.words.filter(({ isStop }) => !isStop)
  const topical = part.words.filter(({ topic }) => topic !== undefined)
  const asked = [subjects, topical, part.words].find(({ length }) => length > 0) ?? []
  const isGeneral = ({ topic }: ReadWord) => topic !== undefined && GENERAL.has(topic)
  const hasOwn = asked.some((word) => !isGeneral(word) && word.topic !== 'business')
  const isDelivery = asked.some(({ topic }) => topic === 'delivery')
  const areOnlyPlaces = asked.every(({ topic }) => topic === 'business')
  const shares = asked.map((word) => {
    const shared = heldShare(word, held)
    const found = areOnlyPlaces && shared < SAME_WORD ? 0 : shared // whether there is a café no office answers
    const isIncluded =
      found === 0 && (isDelivery ? isPlaceIn(word, part.words) && EVERYWHERE.test(text) : isDayIn(word, text))
    const factor = hasOwn && isGeneral(word) ? GENERAL_WEIGHT : 1
    const weight = factor * (words.get(word.word)?.weight ?? 0)
    return { word, weight, share: isIncluded ? INCLUDED : found }
  })
  const hasSubject = shares.some(({ word, share }) => share > 0 && word.topic !== undefined && !isGeneral(word))
  let total = 0
  let covered = 0
  for (const { word, weight, share } of shares) {
    if (word.topic === 'business' && !areOnlyPlaces) continue // who is asked, not what
    const isFurther =
      share === 0 && hasSubject && word.topic === undefined && !(isDelivery && isTownIn(word, part.words))
    total += isFurther ? weight * FURTHER_WEIGHT : weight
    covered += share * weight
  }
  return total === 0 ? 0 : covered / total
}

function heldShare(word: ReadWord, held: Held[]): number {
  return held.reduce(
    (best, { words, weight }) =>
      words.reduce((bestOfWords, other) => Math.max(bestOfWords, weight * alikeness(word, other)), best),
    0,
  )
}

function isDayIn({ word, topic }: ReadWord, text: string): boolean {
  const isDay = DAY.test(word) || topic === 'saturday' || topic === 'sunday'
  return isDay && (EVERY_DAY.test(text) || BETWEEN_DAYS.test(text))
}

/** A delivery elsewhere does not answer whether there is one to a town. */
function isTownIn(word: ReadWord, words: ReadWord[]): boolean {
  const before = words[words.indexOf(word) - 1]?.word ?? ''
  return BEFORE_TOWN.has(before) && !NO_TOWN.test(word.word) && !DAY.test(word.word)
}

function isPlaceIn(word: ReadWord, words: ReadWord[]): boolean {
  const before = words[words.indexOf(word) - 1]?.word ?? ''
  return word.topic === undefined && (BEFORE_PLACE.has(before) || TO_PLACE.test(word.word))
}
