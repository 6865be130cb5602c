// The language in which a customer is answered by texts of ours: their own words decide where they are clear, else what else is known.
import { countKazakhWords, isKazakhWord } from '#server/platform/lib/text/kazakh.ts'
import { isStopWord, wordsOf } from './words.ts'

export type Language = 'ru' | 'en'
/** The built-in model and the notices to customers know Kazakh as well. */
export type AnswerLanguage = Language | 'kk'

/** Words by which a short English message is known where nothing else is. */
const ENGLISH_TALK = new Set(['hi', 'hello', 'hey', 'thanks', 'thank', 'thx', 'bye', 'goodbye', 'yes', 'no'])

/** What a language can be read off, besides the newest message. */
export type LanguageHints = {
  /** Earlier messages of the customer, oldest first. */
  earlier?: string[]
  /** A tag such as `ru` or `en-GB`, as the customer's messenger names it. */
  tag?: string | null | undefined
  /** The text that the answer quotes. */
  quoted?: string | undefined
}

/**
 * A message in Latin letters or none at all, such as `iPhone 15?`, names a thing in any language: only an English sentence or a
 * Cyrillic word is clear. Else the customer's earlier messages say it, then their messenger, then what is quoted.
 */
export function languageFor(message: string, { earlier = [], tag, quoted }: LanguageHints = {}): Language {
  for (const text of [message, ...earlier.toReversed()]) {
    const language = clearLanguageOf(text)
    if (language) return language
  }
  // Readers of Kazakh understand Russian more often than English.
  if (tag) return /^(?:ru|kk)\b/i.test(tag) ? 'ru' : 'en'
  if (quoted) return isMostlyCyrillic(quoted) ? 'ru' : 'en'
  return [message, ...earlier].some((text) => wordsOf(text).some((word) => ENGLISH_TALK.has(word))) ? 'en' : 'ru'
}

/**
 * The same, and Kazakh where a question has more Kazakh words than little words of another language: «Салем, доставка канша тұрады?» is.
 * Where the newest message does not show its language, the earlier ones do, then the messenger.
 */
export function answerLanguageFor(message: string, hints: LanguageHints = {}): AnswerLanguage {
  for (const text of [message, ...(hints.earlier ?? []).toReversed()]) {
    if (isKazakh(text)) return 'kk'
    if (clearLanguageOf(text)) return languageFor(message, hints)
  }
  return hints.tag && /^kk\b/i.test(hints.tag) ? 'kk' : languageFor(message, hints)
}

function isKazakh(text: string): boolean {
  const kazakh = countKazakhWords(text)
  return kazakh > 0 && kazakh >= wordsOf(text).filter((word) => isStopWord(word) && !isKazakhWord(word)).length
}

function clearLanguageOf(text: string): Language | null {
  if (isMostlyCyrillic(text)) return 'ru'
  const words = wordsOf(text).filter((word) => /^\p{Script=Latin}+$/u.test(word))
  if (words.length >= 3 && words.some((word) => word.length > 1 && isStopWord(word))) return 'en'
  return /\p{Script=Cyrillic}/u.test(text) ? 'ru' : null
}

function isMostlyCyrillic(text: string): boolean {
  const cyrillic = text.match(/\p{Script=Cyrillic}/gu)?.length ?? 0
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0
  return cyrillic > 0 && cyrillic * 2 >= latin
}
