// Into which language a message is translated first: the reader's own, unless it is written in that already.
import type { TranslationLanguage } from '#shared/messaging/operator-tools.ts'

/** Letters by which other languages in Cyrillic letters are told from Russian. */
const NOT_RUSSIAN = /[әіңғүұқөһєїґўђћљњџјѓќ]/iu

/** Of plain Latin letters nothing is known but that they may be English; the other language is offered below the first. */
export function translationTarget(text: string, own: TranslationLanguage): TranslationLanguage {
  const cyrillic = text.match(/\p{Script=Cyrillic}/gu)?.length ?? 0
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0
  if (own === 'ru') return cyrillic > latin && !NOT_RUSSIAN.test(text) ? 'en' : 'ru'
  const isPlain = !/[^\p{ASCII}’‘“”–—…]/u.test(text)
  return latin > cyrillic && isPlain ? 'ru' : 'en'
}
