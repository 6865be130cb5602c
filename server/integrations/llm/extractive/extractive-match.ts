// How far a word of a question and a word of a passage are the same to a reader: by stem in Russian, English or Kazakh, with a typing error, in the
// other alphabet, or as two words of one everyday topic.
import { beginningsOf, type Topic, topicsOf } from '#server/platform/lib/text/everyday-topics.ts'
import { countKazakhWords, foldKazakh, isKazakhStopWord, kazakhStem } from '#server/platform/lib/text/kazakh.ts'
import { commonPrefixLength, editDistance, typosAllowed } from '#server/platform/lib/text/word-distance.ts'
import { soundOf } from '#server/platform/lib/text/word-sounds.ts'
import { isMistypedStopWord, isStopWord, stemOf } from '../words.ts'

export type ReadWord = {
  /** Folded and lower-case. */
  word: string
  stem: string
  /** Null where it is no Cyrillic word. */
  kazakhStem: string | null
  topic: Topic | undefined
  /** It says nothing of the subject. */
  isStop: boolean
  /** What it is together with the word next to it: `wifi` for «Wi-Fi», `checkin` for “check in”. */
  wholes: ReadWord[]
}

const SAME_TOPIC = 0.85
const TYPO = 0.8
const FAMILY = 0.9
const SOUND = 0.8
const FAMILY_LEAST = 5
/** From so many letters on, a stem tells a word by itself. */
const SHORT_STEM = 4

/** The words of a passage in order, then those with a hyphen in one piece. */
export function readWords(text: string): ReadWord[] {
  const { words, hyphenated } = wordsIn(text)
  return [...readRow(words, text), ...hyphenated.flatMap((word) => readRow([word], text))]
}

/** The words of a question in order: each may be half of what it is about, and may hold an error. */
export function readAsked(text: string): ReadWord[] {
  const { words, hyphenated } = wordsIn(text)
  const isKazakh = countKazakhWords(text) > 0
  const read = (row: string[]) =>
    readRow(row, text, true).map((word) => (isKazakh ? word : { ...word, kazakhStem: null }))
  const asked = read(words)
  return asked.map((word, at) => {
    const pairs = [asked[at - 1], asked[at + 1]].flatMap((neighbour, side) => {
      if (!neighbour || !canBeOne(word, neighbour)) return []
      return side === 0 ? [neighbour.word + word.word] : [word.word + neighbour.word]
    })
    const own = hyphenated.filter((whole) => whole.startsWith(word.word) || whole.endsWith(word.word))
    return { ...word, wholes: [...own, ...pairs].flatMap((whole) => readWhole(whole, text)) }
  })
}

/** Two words in one piece are about a topic only where it has that very word: `checkin`, but not `openingsat`. */
function readWhole(whole: string, text: string): ReadWord[] {
  const isNamed = (topic: Topic) => beginningsOf(topic).some(({ letters }) => letters === whole)
  return readRow([whole], text).map((word) => ({
    ...word,
    topic: word.topic && isNamed(word.topic) ? word.topic : undefined,
  }))
}

/** A little word is a piece of Latin words only: “check in”. */
function canBeOne(word: ReadWord, neighbour: ReadWord): boolean {
  const isLatin = [word, neighbour].every((each) => /^[a-z]+$/.test(each.word))
  return isLatin ? !(word.isStop && neighbour.isStop) : !word.isStop && !neighbour.isStop
}

function wordsIn(text: string): { words: string[]; hyphenated: string[] } {
  const normal = foldKazakh(text.normalize('NFKC').toLowerCase().replaceAll('ё', 'е'))
  const hyphenated = normal.match(/\p{L}+(?:[-\u2010]\p{L}+){1,2}/gu) ?? []
  return {
    words: normal.match(/[\p{L}\p{N}]+/gu) ?? [],
    hyphenated: hyphenated.map((word) => word.replace(/[-\u2010]/g, '')),
  }
}

function readRow(row: string[], text: string, isAsked = false): ReadWord[] {
  const topics = topicsOf(row, isAsked)
  const isKazakh = countKazakhWords(text) > 0
  return row.map((word, at) => ({
    word,
    stem: stemOf(word),
    kazakhStem: /^[а-я]+$/.test(word) ? kazakhStem(word) : null,
    topic: topics[at],
    isStop:
      isStopWord(word) ||
      (isKazakh && isKazakhStopWord(word)) ||
      (isAsked && topics[at] === undefined && isMistypedStopWord(word)),
    wholes: [],
  }))
}

/** From 0, nothing alike, to 1, the same word. */
export function alikeness(asked: ReadWord, given: ReadWord): number {
  return asked.wholes.reduce((best, whole) => Math.max(best, ownAlikeness(whole, given)), ownAlikeness(asked, given))
}

function ownAlikeness(asked: ReadWord, given: ReadWord): number {
  const isOneTopic = asked.topic !== undefined && asked.topic === given.topic
  if (!isOneTopic && asked.topic !== undefined && given.topic !== undefined) return 0 // one stem in two senses
  if (asked.stem === given.stem && !isShortAccident(asked, given)) return 1
  if (asked.kazakhStem !== null && asked.kazakhStem === given.kazakhStem) return 1
  if (isOneTopic) return SAME_TOPIC
  if (/\p{N}/u.test(asked.word) || given.isStop) return 0
  if (asked.topic !== undefined) return isFamily(asked.stem, given.stem) ? FAMILY : 0 // its topic says what it means
  return Math.max(
    isFamily(asked.stem, given.stem) ? FAMILY : 0,
    isTypo(asked, given) ? TYPO : 0,
    isSound(asked, given) || isSound({ ...asked, word: asked.kazakhStem ?? asked.word }, given) ? SOUND : 0,
  )
}

/** «колена» and «қол»: a stem of three letters is that of many words, of another language too. */
function isShortAccident({ stem, word }: ReadWord, given: ReadWord): boolean {
  return stem.length < SHORT_STEM && Math.abs(word.length - given.word.length) >= SHORT_STEM - 1
}

/** Long and with an equal beginning, which forgives an ending that the stemmer has missed. */
function isFamily(one: string, other: string): boolean {
  const beginning = Math.max(FAMILY_LEAST, one.length - 2)
  return (
    one.length >= FAMILY_LEAST &&
    Math.abs(one.length - other.length) <= 2 &&
    commonPrefixLength(one, other) >= beginning
  )
}

function isTypo(asked: ReadWord, given: ReadWord): boolean {
  const isShort = Math.min(asked.stem.length, given.stem.length) < SHORT_STEM
  const pairs = [...(isShort ? [] : [[asked.stem, given.stem]]), [asked.word, given.word]]
  return pairs.some(([one = '', other = '']) => {
    if (one[0] !== other[0] && one.length !== other.length) return false // «платье» and «оплатить»
    const allowed = typosAllowed(Math.max(one.length, other.length))
    return Math.abs(one.length - other.length) <= allowed && editDistance(one, other) <= allowed
  })
}

function isSound(asked: ReadWord, given: ReadWord): boolean {
  if (/[a-z]/.test(asked.word) === /[a-z]/.test(given.word) || asked.word.length < 4) return false
  const [one, other] = [soundOf(asked.word), soundOf(given.word)]
  return one !== undefined && one.key === other?.key && Math.abs(one.vowels - other.vowels) <= 1
}
