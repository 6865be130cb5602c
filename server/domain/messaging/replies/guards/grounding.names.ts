// Names of people, places, brands and products in a sentence, known by their capital letters. Russian and English.

import { stemOf, wordsOf } from '#server/integrations/llm/words.ts'
import { toCyrillic, toLatin } from '#server/platform/lib/text/transliterate.ts'

const WORD = /\p{L}[\p{L}\p{N}'’]*(?:-[\p{L}\p{N}'’]+)*/gu
/** Written with a capital letter for another reason than being a name. */
const CAPITALISED = new Set(
  `вы вас вам вами ваш ваша ваше ваши вашего вашей вашему вашим вашу ваших вашими i i'm i'll i've i'd i’m i’ll i’ve i’d ok ок faq
  monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun january february march april may june july
  august september october november december mr mrs ms dr english russian pdf sms url id usd eur rub kzt пн вт ср чт пт сб вс мск msk utc`.split(
    /\s+/,
  ),
)
/** After these a word begins with a capital letter as at the beginning of a sentence. */
const BEGINS = /(?:^|[.!?…:;–—•*(\n]|(?:^|\s)-)[\s"“«*_]*$/u

/** Names in a sentence, each as it stands there. The first word of a sentence is none, unless it is in another alphabet than the rest. */
export function namesIn(sentence: string): string[] {
  const words = [...sentence.matchAll(WORD)]
  const capitals = words.filter(([word]) => isCapital(word)).length
  if (words.length > 5 && capitals * 4 > words.length * 3) return [] // a headline
  const isRussian = /[а-яё]{2}/iu.test(sentence)
  const names: string[] = []
  let end = -1
  for (const match of words) {
    const [word] = match
    const isForeign = isRussian && /^[a-z]/i.test(word) && word.length > 1
    const isName =
      isCapital(word) &&
      !CAPITALISED.has(word.toLowerCase()) &&
      (isForeign || !BEGINS.test(sentence.slice(Math.max(0, match.index - 10), match.index)))
    if (!isName) continue
    const follows = end >= 0 && /^[ \u00a0]$/u.test(sentence.slice(end, match.index))
    if (follows) names.push(`${names.pop() ?? ''} ${word}`)
    else names.push(word)
    end = match.index + word.length
  }
  return names
}

/** Words by which names are recognised in any inflection and in either alphabet. */
export class KnownNames {
  readonly #stems = new Set<string>()
  readonly #byStart = new Map<string, string[]>()

  constructor(texts: string[]) {
    for (const word of new Set(texts.flatMap(wordsOf))) {
      this.#stems.add(stemOf(word))
      const start = word.slice(0, 3)
      this.#byStart.set(start, [...(this.#byStart.get(start) ?? []), word])
    }
  }

  /** Whether each word of a name stands in the texts. */
  has(name: string): boolean {
    return wordsOf(name).every((word) =>
      [word, /[а-я]/.test(word) ? toLatin(word) : toCyrillic(word)].some((spelling) => this.#hasWord(spelling)),
    )
  }

  #hasWord(word: string): boolean {
    if (this.#stems.has(stemOf(word))) return true
    if (word.length < 4) return false
    return (this.#byStart.get(word.slice(0, 3)) ?? []).some((known) => {
      const shortest = Math.min(known.length, word.length)
      const shared = Math.max(4, shortest - 1)
      return Math.abs(known.length - word.length) <= 3 && known.slice(0, shared) === word.slice(0, shared)
    })
  }
}

function isCapital(word: string): boolean {
  return /^\p{Lu}/u.test(word) || /\p{Ll}\p{Lu}/u.test(word)
}
