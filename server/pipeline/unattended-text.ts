// What customers are told who wait for a person while nobody is free, when their organization has not put it into words of its own.
import type { Language } from '#server/llm/language.ts'

const SENTENCES = {
  ru: 'Сейчас все сотрудники заняты или не на месте. Ваш вопрос в очереди: как только кто-то освободится, вам ответят здесь.',
  en: 'All our colleagues are busy or away right now. Your question is in the queue: you will get a reply here as soon as someone is free.',
}
const HOURS = {
  ru: (time: string) => `Рабочее время начнётся: ${time}.`,
  en: (time: string) => `Working hours begin on ${time}.`,
}

/** @param opensAt when working hours begin; null: not known, or it is one of them */
export function unattendedText(language: Language, opensAt: Date | null, timeZone: string): string {
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
