// The default notice for customers at a limit, for organizations without a text of their own.
import { type AnswerLanguage, answerLanguageFor } from '#server/integrations/llm/language.ts'

const TEXTS: Record<AnswerLanguage, string> = {
  en: 'Thank you for your message. We have received it but cannot answer right now. Please try again later.',
  ru: 'Спасибо за сообщение! Мы его получили, но сейчас не можем ответить. Пожалуйста, напишите нам позже.',
  kk: 'Хабарламаңызға рақмет! Біз оны алдық, бірақ қазір жауап бере алмаймыз. Кейінірек жазыңызшы.',
}

const WAIT_TEXTS: Record<AnswerLanguage, string> = {
  en: 'A lot of people are writing to us right now. Please write again in an hour.',
  ru: 'Сейчас нам пишет очень много людей. Пожалуйста, напишите ещё раз через час.',
  kk: 'Қазір бізге өте көп адам жазып жатыр. Бір сағаттан кейін қайта жазыңызшы.',
}

/**
 * A polite text in the customer's language: Kazakh where they write it, else that of the messenger, else that of the
 * alphabet they write in.
 *
 * @param language a tag such as `ru` or `en-GB`; null when unknown
 */
export function limitTextFor(language: string | null, question: string): string {
  return TEXTS[languageOf(language, question)]
}

/** Asks a visitor to wait when too many write at once; the language is chosen as above. */
export function waitTextFor(language: string | null, question: string): string {
  return WAIT_TEXTS[languageOf(language, question)]
}

function languageOf(language: string | null, question: string): AnswerLanguage {
  if (answerLanguageFor(question, { tag: language }) === 'kk') return 'kk'
  if (language !== null) return /^(?:ru|kk)\b/i.test(language) ? 'ru' : 'en'
  return /\p{Script=Cyrillic}/u.test(question) ? 'ru' : 'en'
}
