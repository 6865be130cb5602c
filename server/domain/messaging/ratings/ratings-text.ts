// Rating texts for customers, for channels without a rating form of their own.
import type { AnswerLanguage } from '#server/integrations/llm/language.ts'

const QUESTIONS: Record<AnswerLanguage, string> = {
  ru: 'Оцените, пожалуйста, нашу помощь от 1 (плохо) до 5 (отлично).',
  kk: 'Біздің көмегімізді 1-ден (нашар) 5-ке (өте жақсы) дейін бағалаңызшы.',
  en: 'How would you rate our help, from 1 (bad) to 5 (excellent)?',
}
const BY_NUMBER: Record<AnswerLanguage, string> = {
  ru: 'Ответьте одной цифрой.',
  kk: 'Бір цифрмен жауап беріңіз.',
  en: 'Reply with one number.',
}
const THANKS: Record<AnswerLanguage, (score: number) => string> = {
  ru: (score) => `Спасибо за оценку: ${score} из 5! Чтобы добавить пару слов, ответьте на это сообщение.`,
  kk: (score) => `Бағаңызға рақмет: ${score}/5! Бірер сөз қосқыңыз келсе, осы хабарламаға жауап беріңіз.`,
  en: (score) => `Thank you for rating us ${score} out of 5! To add a few words, reply to this message.`,
}
const TAKEN: Record<AnswerLanguage, (score: number) => string> = {
  ru: (score) => `Ваша оценка: ${score} из 5`,
  kk: (score) => `Сіздің бағаңыз: ${score}/5`,
  en: (score) => `Your rating: ${score} out of 5`,
}
const CLOSED: Record<AnswerLanguage, string> = {
  ru: 'Оценка больше не принимается.',
  kk: 'Баға енді қабылданбайды.',
  en: 'Ratings are no longer accepted here.',
}

/** The buttons of the question. */
export const SCORES = ['1', '2', '3', '4', '5']

export function ratingQuestion(language: AnswerLanguage, hasButtons: boolean): string {
  return hasButtons ? QUESTIONS[language] : `${QUESTIONS[language]} ${BY_NUMBER[language]}`
}

export function ratingThanks(language: AnswerLanguage, score: number): string {
  return THANKS[language](score)
}

/** Shown briefly to the customer who pressed; `score` is null when the press changed nothing. */
export function pressAnswer(language: AnswerLanguage, score: number | null): string {
  return score === null ? CLOSED[language] : TAKEN[language](score)
}
