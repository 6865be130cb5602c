// Is the text of a PDF page language or glyph numbers? And the one repair that often works for Russian files.
import { isStopWord } from '../../analysis/stop-words.ts'

/** Too few words to judge. */
const MIN_WORDS = 5
const READABLE_SHARE = 0.2
const CONTROL_SHARE = 0.02
const VOWEL = /[aeiouyаеёиоуыэюяіїє]/i
/** Letters of other alphabets are no sign of a broken text. */
const OTHER_LETTER = /[^\p{Script=Latin}\p{Script=Cyrillic}\P{L}]/u
const CONTROL = /\p{Cc}|\p{Co}|\uFFFD/u

/** Fonts without a table to Unicode often number glyphs in the order of Windows fonts: two ranges shifted by fixed distances. */
const SHIFTS = [
  { from: 0x03, to: 0x39, by: 0x1d },
  { from: 0x3a, to: 0x79, by: 0x3d6 },
]

/** False for a text that is mostly garbage. Short texts are believed. */
export function isReadable(text: string): boolean {
  const characters = Array.from(text.replace(/\s/g, ''))
  const controls = characters.filter((character) => CONTROL.test(character)).length
  if (characters.length > 0 && controls > characters.length * CONTROL_SHARE) return false
  const words = text.match(/\p{L}{2,}/gu) ?? []
  if (words.length < MIN_WORDS) return true
  const readable = words.filter((word) => VOWEL.test(word) || OTHER_LETTER.test(word) || isStopWord(word.toLowerCase()))
  return readable.length >= words.length * READABLE_SHARE
}

/** The lines with glyph numbers turned into letters where that helps; null when the page stays garbage. */
export function repairLines(lines: string[]): string[] | null {
  const repaired = lines.map((line) => {
    const shifted = shift(line)
    return looksRussian(shifted) && !looksPlain(line) ? shifted : line
  })
  return isReadable(repaired.join('\n')) ? repaired : null
}

function shift(line: string): string {
  return Array.from(line, (character) => {
    const code = character.codePointAt(0) ?? 0
    const found = SHIFTS.find(({ from, to }) => code >= from && code <= to)
    return found ? String.fromCodePoint(code + found.by) : character
  }).join('')
}

function looksRussian(line: string): boolean {
  const words = line.match(/[а-яё]{2,}/gi) ?? []
  return words.filter((word) => VOWEL.test(word)).length > words.length / 2
}

/** Real ASCII such as a link may stand next to broken lines. */
function looksPlain(line: string): boolean {
  if (CONTROL.test(line)) return false
  const words = line.match(/[a-z]{3,}/gi) ?? []
  return words.length > 0 && words.filter((word) => VOWEL.test(word)).length > words.length * 0.7
}
