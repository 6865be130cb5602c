// Charts as files: columns, decimals, and nothing that a spreadsheet would compute.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { AnalyticsOverview, BreakdownRow, Figures } from '#shared/analytics/analytics.ts'
import { readCsv } from '#shared/csv.ts'
import { PAUSE_REASONS } from '#shared/messaging/conversations.ts'
import { breakdownCsv, figuresCsv, timelineCsv } from './csv.rules.ts'

const figures: Figures = {
  ...{ conversations: 4, resolved: 2, handedOff: 1, reopened: 0, unanswered: 1, everReopened: 0, didNotKnow: 1 },
  firstResponse: { count: 3, medianMs: 1500, p90Ms: 60_000 },
  resolution: { count: 2, medianMs: null, p90Ms: null },
  ratings: { count: 3, average: 14 / 3, scores: [0, 0, 0, 1, 2] },
  cost: {
    microUsd: 1_234_567,
    perConversation: 308_641.75,
    perResolution: 617_283.5,
    unpricedCalls: 0,
    unpricedConversations: 0,
  },
  messages: { customer: 5, agent: 4, operator: 1, conversations: 4 },
}
const overview: AnalyticsOverview = {
  timeZone: 'Asia/Kolkata',
  range: { start: 0, end: 1, from: '', to: '' },
  before: { start: 0, end: 1, from: '', to: '' },
  figures,
  figuresBefore: figures,
  bars: [
    {
      ...{ start: Date.parse('2026-05-01T18:30Z'), end: Date.parse('2026-05-02T18:30Z') },
      ...{ conversations: 4, resolved: 2, handedOff: 1, reopened: 0, unanswered: 1 },
      messages: { customer: 5, agent: 4, operator: 1 },
    },
  ],
  spend: {
    customers: { messages: 0, costMicroUsd: 0, unpricedCalls: 0 },
    test: { messages: 0, costMicroUsd: 0, unpricedCalls: 0 },
  },
}
const row = (key: string | null, name: string | null): BreakdownRow => ({ key, name, isDeleted: false, ...figures })

it('has decimal commas between semicolons in Russian, points between commas in English', () => {
  expect(figuresCsv(overview, 'ru')).toContain('Средняя оценка;"4,67";"4,67"\r\n')
  expect(figuresCsv(overview, 'en')).toContain('Average rating,4.67,4.67\r\n')
  expect(figuresCsv(overview, 'en').startsWith('\uFEFFFigure,This period,Period before\r\n')).toBe(true)
})

it('writes bars in local time', () => {
  const [, bar] = timelineCsv(overview, 'en').split('\r\n')
  expect(bar).toBe('2026-05-02 00:00,2026-05-03 00:00,4,2,1,0,1,5,4,1')
})

it.each([
  ['en', 'Monday 13:00', 'Sunday 00:00'],
  ['ru', 'понедельник 13:00', 'воскресенье 00:00'],
] as const)(
  'names hours of the week in words, which no spreadsheet takes for dates: %s',
  (language, monday, sunday) => {
    const csv = breakdownCsv('hour', [row('0-13', null), row('6-00', null)], language)
    expect(readCsv(csv, language === 'ru' ? ';' : ',').map(([name]) => name)).toEqual([
      expect.any(String),
      monday,
      sunday,
    ])
  },
)

it.each(['ru', 'en'] as const)('names channels and reasons as the screen does: %s', (language) => {
  const screen = JSON.parse(
    readFileSync(new URL(`../../../web/locales/${language}/analytics.json`, import.meta.url), 'utf8'),
  )
  const namesOf = (chart: 'channel' | 'reason', keys: readonly string[]) => {
    const csv = breakdownCsv(
      chart,
      keys.map((key) => row(key, null)),
      language,
    )
    return readCsv(csv, language === 'ru' ? ';' : ',')
      .slice(1)
      .map(([name]) => name)
  }
  expect(namesOf('reason', PAUSE_REASONS)).toEqual(PAUSE_REASONS.map((reason) => screen.reasons[reason]))
  expect(namesOf('channel', ['webchat', 'http'])).toEqual(
    language === 'ru' ? ['Веб-чат', 'HTTP-канал'] : ['Web chat', 'HTTP channel'],
  )
})

it('makes text of what could be a formula, and names those that no one has', () => {
  const csv = breakdownCsv('question', [row('=1+1', '=1+1'), row(null, null)], 'en')
  expect(csv).toContain(`\r\n"'=1+1",4,2,`)
  expect(csv).toContain('\r\nUnassigned,4,2,')
  expect(new Set(readCsv(csv, ',').map(({ length }) => length)).size).toBe(1)
})
