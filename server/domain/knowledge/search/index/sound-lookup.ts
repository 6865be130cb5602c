// Finds the terms of a dictionary that are written in the other alphabet and sound like a word. Made at the first word that needs it.
import { soundOf } from '#server/platform/lib/text/word-sounds.ts'
import type { SegmentField } from './segment.ts'

const LENGTH = { least: 3, most: 20 }
/** Letters of what is looked for. */
const ASKED_LEAST = { word: 4, half: 2 }
const FOUND_MOST = 5
/** Words with so few consonants sound like too many others to differ in their vowels as well. */
const FEW_CONSONANTS = 2
/** Borrowed endings that an English stem is without: «шопинг» and “shop”, the stem of “shopping”; and one that a Russian stem is without. */
const STEMMED = /(?:ив|инг|мент|[еэ]р)(?:ы|и|а|у|е|ом|ов|ам|ами|ах)?$|ives?$/
/** The end of an English stem that was soft in the word: “servic”, “messag”. */
const SOFT_ENDS: Record<string, string> = { c: 's', g: 'j' }

type Sounding = { term: string; vowels: number }

export class SoundLookup {
  readonly #byKey = new Map<string, Sounding[]>()

  constructor(field: SegmentField) {
    for (let position = 0; position < field.termCount; position++) {
      const term = field.termAt(position)
      if (term.length < LENGTH.least || term.length > LENGTH.most) continue
      const soft = SOFT_ENDS[term.at(-1) ?? '']
      for (const form of soft === undefined ? [term] : [term, term.slice(0, -1) + soft]) this.#add(form, term)
    }
  }

  /** By the order of the dictionary. `isHalf`: half of a word may have one consonant, and must have the vowels too. */
  soundingLike(word: string, isHalf: boolean): string[] {
    if (word.length < (isHalf ? ASKED_LEAST.half : ASKED_LEAST.word)) return []
    const found = this.#find(word, isHalf)
    const cut = word.replace(STEMMED, '')
    return found.length > 0 || cut === word ? found : this.#find(cut, isHalf)
  }

  #add(form: string, term: string): void {
    const sound = soundOf(form, 1)
    if (!sound) return
    const sounding = { term, vowels: sound.vowels }
    const known = this.#byKey.get(sound.key)
    if (known) known.push(sounding)
    else this.#byKey.set(sound.key, [sounding])
  }

  #find(word: string, isHalf: boolean): string[] {
    const sound = soundOf(word, isHalf ? 1 : FEW_CONSONANTS)
    if (!sound) return []
    const differing = isHalf || sound.key.replace('-', '').length <= FEW_CONSONANTS ? 0 : 1
    const isLatin = /^[a-z]/.test(word)
    const candidates = this.#byKey.get(sound.key) ?? []
    return candidates
      .filter(({ term, vowels }) => /^[a-z]/.test(term) !== isLatin && Math.abs(vowels - sound.vowels) <= differing)
      .slice(0, FOUND_MOST)
      .map(({ term }) => term)
  }
}
