// The default notice for customers who wait for a person while no operator is free, for organizations without a text of their own.
import type { AnswerLanguage } from '#server/integrations/llm/language.ts'

const SENTENCES: Record<AnswerLanguage, string> = {
  ru: 'Сейчас все сотрудники заняты или не на месте. Ваш вопрос в очереди: как только кто-то освободится, вам ответят здесь.',
  kk: 'Қазір барлық қызметкерлер бос емес немесе орнында жоқ. Сұрағыңыз кезекте тұр: біреуі босай салысымен, сізге осы жерде жауап береді.',
  en: 'All our colleagues are busy or away right now. Your question is in the queue: you will get a reply here as soon as someone is free.',
}
const HOURS: Record<AnswerLanguage, (time: string) => string> = {
  ru: (time) => `Рабочее время начнётся: ${time}.`,
  kk: (time) => `Жұмыс уақыты басталады: ${time}.`,
  en: (time) => `Working hours begin on ${time}.`,
}

/** @param opensAt when working hours begin; null when unknown, or during working hours */
export function noOperatorText(language: AnswerLanguage, opensAt: Date | null, timeZone: string): string {
  if (!opensAt) return SENTENCES[language]
  const format = new Intl.DateTimeFormat(language, {
    timeZone,
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  })
  return `${SENTENCES[language]} ${HOURS[language](format.format(opensAt))}`
}
