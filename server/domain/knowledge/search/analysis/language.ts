// In which language a text is written: by its letters, and where these are Latin by the small words of English and its neighbours.
import type { SourceLanguage } from '#shared/knowledge/knowledge-marks.ts'

/** Characters that are looked at. */
const READ = 20_000
/** Share of Cyrillic letters from which a text is not Latin: Russian texts are full of Latin names. */
const CYRILLIC_SHARE = 0.25
/** Letters that Russian or English do not have; beyond this share the text is in another language of the same script. */
const FOREIGN_SHARE = 0.015
/** Number of Cyrillic letters from which a text without a single typically Russian one is not Russian. */
const TELLING = 300

const OTHER_CYRILLIC = /[іїєґўјљњћђџѓќѕ]/gu
const ONLY_RUSSIAN = /[ыэё]/u
const ACCENTED = /[À-ɏ]/gu
const ENGLISH = new Set('the of and to is are for with you your we this that it on from not'.split(' '))
const OTHERS = new Set(
  'der das und ist nicht mit für von den le les des et est pour dans el los las que una por con il di che del della não uma para os é'.split(
    ' ',
  ),
)

/** Null where there are no letters: nothing tells the language. */
export function languageOf(texts: Iterable<string>): SourceLanguage | null {
  const text = beginningOf(texts).toLowerCase()
  const cyrillic = count(text, /\p{Script=Cyrillic}/gu)
  const latin = count(text, /\p{Script=Latin}/gu)
  const others = count(text, /\p{L}/gu) - cyrillic - latin
  if (cyrillic + latin + others === 0) return null
  if (others > cyrillic + latin) return 'other'
  if (cyrillic >= CYRILLIC_SHARE * (cyrillic + latin)) return isRussian(text, cyrillic) ? 'ru' : 'other'
  return isEnglish(text, latin) ? 'en' : 'other'
}

function isRussian(text: string, letters: number): boolean {
  return count(text, OTHER_CYRILLIC) <= FOREIGN_SHARE * letters && (letters < TELLING || ONLY_RUSSIAN.test(text))
}

function isEnglish(text: string, letters: number): boolean {
  const words = text.match(/\p{L}+/gu) ?? []
  const english = words.filter((word) => ENGLISH.has(word)).length
  const foreign = words.filter((word) => OTHERS.has(word)).length
  return foreign <= english && count(text, ACCENTED) <= FOREIGN_SHARE * letters
}

function beginningOf(texts: Iterable<string>): string {
  let beginning = ''
  for (const text of texts) {
    beginning += `${text}\n`
    if (beginning.length >= READ) break
  }
  return beginning.slice(0, READ)
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
