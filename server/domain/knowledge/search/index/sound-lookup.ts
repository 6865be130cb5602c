// Finds the terms of a dictionary that are written in the other alphabet and sound like a word. Made at the first word that needs it.
import { soundOf } from '#server/platform/lib/text/word-sounds.ts'
import type { SegmentField } from './segment.ts'

const LENGTH = { least: 3, most: 20 }
const FOUND_MOST = 5
/** Words with so few consonants sound like too many others to differ in their vowels as well. */
const FEW_CONSONANTS = 2

type Sounding = { term: string; vowels: number }

export class SoundLookup {
  readonly #byKey = new Map<string, Sounding[]>()

  constructor(field: SegmentField) {
    for (let position = 0; position < field.termCount; position++) {
      const term = field.termAt(position)
      if (term.length < LENGTH.least || term.length > LENGTH.most) continue
      const sound = soundOf(term)
      if (!sound) continue
      const known = this.#byKey.get(sound.key)
      if (known) known.push({ term, vowels: sound.vowels })
      else this.#byKey.set(sound.key, [{ term, vowels: sound.vowels }])
    }
  }

  /** By the order of the dictionary. */
  soundingLike(word: string): string[] {
    const sound = word.length > LENGTH.least ? soundOf(word) : undefined
    if (!sound) return []
    const differing = sound.key.replace('-', '').length <= FEW_CONSONANTS ? 0 : 1
    const isLatin = /^[a-z]/.test(word)
    const candidates = this.#byKey.get(sound.key) ?? []
    return candidates
      .filter(({ term, vowels }) => /^[a-z]/.test(term) !== isLatin && Math.abs(vowels - sound.vowels) <= differing)
      .slice(0, FOUND_MOST)
      .map(({ term }) => term)
  }
}
