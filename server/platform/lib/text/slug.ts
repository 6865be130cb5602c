// Slugs: the readable part of a URL made from a name in any script. A slug is never shaped like an id.
import { randomBytes } from 'node:crypto'
import { toLatin } from './transliterate.ts'

const MAX_LENGTH = 60
/** From this many letters and digits without a hyphen on, an identifier is taken for an id. */
const ID_LENGTH = 24

/** Lower-case Latin letters, digits and single hyphens, 1 to 60 characters; a random word for a name that has no letters to keep. */
export function slugFor(name: string): string {
  const plain = toLatin(name.normalize('NFKC').toLowerCase())
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
  const words = plain.split(/[^a-z0-9]+/).filter(Boolean)
  const slug = words.map(breakLongWord).join('-').slice(0, MAX_LENGTH).replace(/-+$/, '')
  return slug || `s-${randomBytes(4).toString('hex')}`
}

/** The base itself, or the base with the lowest number that makes it free: `shop`, `shop-2`, `shop-3`. */
export function freeSlug(base: string, taken: Iterable<string>): string {
  const used = new Set(taken)
  if (!used.has(base)) return base
  for (let number = 2; ; number++) {
    const suffix = `-${number}`
    const candidate = base.slice(0, MAX_LENGTH - suffix.length).replace(/-+$/, '') + suffix
    if (!used.has(candidate)) return candidate
  }
}

/** A hyphen in the middle of a word keeps it from looking like an id. */
function breakLongWord(word: string): string {
  const pieces = word.match(new RegExp(`.{1,${ID_LENGTH - 1}}`, 'g'))
  return pieces ? pieces.join('-') : word
}
