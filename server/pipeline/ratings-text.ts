// What customers are told about ratings where the channel has no form for them.
import type { Language } from '#server/llm/language.ts'

const QUESTIONS = {
  ru: 'Оцените, пожалуйста, нашу помощь от 1 (плохо) до 5 (отлично).',
  en: 'How would you rate our help, from 1 (bad) to 5 (excellent)?',
}
const BY_NUMBER = { ru: 'Ответьте одной цифрой.', en: 'Reply with one number.' }
const THANKS = {
  ru: (score: number) => `Спасибо за оценку: ${score} из 5! Чтобы добавить пару слов, ответьте на это сообщение.`,
  en: (score: number) => `Thank you for rating us ${score} out of 5! To add a few words, reply to this message.`,
}
const TAKEN = {
  ru: (score: number) => `Ваша оценка: ${score} из 5`,
  en: (score: number) => `Your rating: ${score} out of 5`,
}
const CLOSED = { ru: 'Оценка больше не принимается.', en: 'Ratings are no longer accepted here.' }

/** The buttons of the question. */
export const SCORES = ['1', '2', '3', '4', '5']

export function ratingQuestion(language: Language, hasButtons: boolean): string {
  return hasButtons ? QUESTIONS[language] : `${QUESTIONS[language]} ${BY_NUMBER[language]}`
}

export function ratingThanks(language: Language, score: number): string {
  return THANKS[language](score)
}

/** Shown for a moment to whoever has pressed; `score` null: it changed nothing. */
export function pressAnswer(language: Language, score: number | null): string {
  return score === null ? CLOSED[language] : TAKEN[language](score)
}
