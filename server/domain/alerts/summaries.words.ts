// The numbers of a week, in the language of the person they are sent to.
import type { AlertSettings, WeekSummary } from '#shared/organizations/alerts.ts'

type Language = AlertSettings['language']
type Words = Record<keyof WeekSummary, string>

const WORDS: Record<Language, Words> = {
  ru: {
    conversations: 'Начато диалогов',
    before: 'неделей раньше',
    resolved: 'Решил агент',
    handedOff: 'Передано сотрудникам',
    unanswered: 'Без ответа',
    firstResponseMs: 'Первый ответ, медиана',
    rating: 'Средняя оценка',
    costMicroUsd: 'Расходы',
    unpricedCalls: 'вызовов с неизвестной ценой',
  },
  en: {
    conversations: 'Conversations begun',
    before: 'the week before',
    resolved: 'Resolved by the agent',
    handedOff: 'Handed over',
    unanswered: 'Unanswered',
    firstResponseMs: 'First response, median',
    rating: 'Average rating',
    costMicroUsd: 'Cost',
    unpricedCalls: 'calls of unknown price',
  },
}

/** A line each; what is unknown is left out. */
export function summaryText(summary: WeekSummary, language: Language): string {
  const words = WORDS[language]
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
  const { firstResponseMs, rating, unpricedCalls } = summary
  const count = (key: 'conversations' | 'resolved' | 'handedOff' | 'unanswered') =>
    `${words[key]}: ${number.format(summary[key])}`
  const unpriced = unpricedCalls > 0 ? ` (${words.unpricedCalls}: ${number.format(unpricedCalls)})` : ''
  return [
    `${count('conversations')} (${words.before}: ${number.format(summary.before)})`,
    count('resolved'),
    count('handedOff'),
    count('unanswered'),
    ...(firstResponseMs === null ? [] : [`${words.firstResponseMs}: ${durationOf(firstResponseMs, language)}`]),
    ...(rating === null ? [] : [`${words.rating}: ${number.format(rating)}`]),
    `${words.costMicroUsd}: ${moneyOf(summary.costMicroUsd, language)}${unpriced}`,
  ].join('\n')
}

function moneyOf(microUsd: number, language: Language): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency: 'USD' }).format(microUsd / 1e6)
}

/** In the largest unit of which there is at least one. */
function durationOf(ms: number, language: Language): string {
  const [unit, size] = ms < 60_000 ? ['second', 1000] : ms < 3_600_000 ? ['minute', 60_000] : ['hour', 3_600_000]
  const format = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(language, format).format(ms / Number(size))
}
