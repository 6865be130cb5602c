// What customers are told about a rating where the channel has no form for it.
import type { Language } from '#server/llm/language.ts'

const QUESTIONS = {
  ru: 'Оцените, пожалуйста, нашу помощь от 1 (плохо) до 5 (отлично).',
  en: 'How would you rate our help, from 1 (bad) to 5 (excellent)?',
}
const BY_NUMBER = { ru: 'Ответьте одной цифрой.', en: 'Answer with one number.' }
const THANKS = {
  ru: 'Спасибо за оценку! Если хотите, напишите пару слов о ней.',
  en: 'Thank you! You may add a few words about it if you like.',
}

/** The buttons of the question. */
export const SCORES = ['1', '2', '3', '4', '5']

export function ratingQuestion(language: Language, hasButtons: boolean): string {
  return hasButtons ? QUESTIONS[language] : `${QUESTIONS[language]} ${BY_NUMBER[language]}`
}

export function ratingThanks(language: Language): string {
  return THANKS[language]
}
