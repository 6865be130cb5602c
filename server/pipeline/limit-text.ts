// What customers are told at a limit when their organization has not put it into words of its own.

const TEXTS = {
  en: 'Thank you for your message. We have received it but cannot answer right now. Please try again later.',
  ru: 'Спасибо за сообщение! Мы его получили, но сейчас не можем ответить. Пожалуйста, напишите нам позже.',
} as const

/**
 * A polite text in the customer's language: that of the messenger, else that of the alphabet they write in.
 *
 * @param language a tag such as `ru` or `en-GB`; null: unknown
 */
export function limitTextFor(language: string | null, question: string): string {
  if (language !== null) return TEXTS[/^ru\b/i.test(language) ? 'ru' : 'en']
  return TEXTS[/\p{Script=Cyrillic}/u.test(question) ? 'ru' : 'en']
}
