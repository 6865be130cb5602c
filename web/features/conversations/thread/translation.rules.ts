// The default target language of a translation: the reader's own, unless the message is already written in it.
import type { TranslationLanguage } from '#shared/messaging/operator-tools.ts'

/** Letters that distinguish other Cyrillic languages from Russian. */
const NOT_RUSSIAN = /[әіңғүұқөһєїґўђћљњџјѓќ]/iu

/** Plain Latin text is assumed to be English; the other language is offered below the translation. */
export function translationTarget(text: string, own: TranslationLanguage): TranslationLanguage {
  const cyrillic = text.match(/\p{Script=Cyrillic}/gu)?.length ?? 0
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0
  if (own === 'ru') return cyrillic > latin && !NOT_RUSSIAN.test(text) ? 'en' : 'ru'
  const isPlain = !/[^\p{ASCII}’‘“”–—…]/u.test(text)
  return latin > cyrillic && isPlain ? 'ru' : 'en'
}
