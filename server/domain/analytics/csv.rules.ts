// Charts of analytics as tables for spreadsheets.
import type { AnalyticsChart, AnalyticsOverview, Bar, BreakdownRow, Measures } from '#shared/analytics/analytics.ts'
import { channelName } from '#shared/channels/manifests.ts'
import { BYTE_ORDER_MARK, csvRow } from '#shared/csv.ts'
import { PAUSE_REASONS } from '#shared/messaging/conversations.ts'
import { type Column, CSV_WORDS } from './csv.words.ts'

type Language = 'ru' | 'en'
type Cell = string | number | null
type Measured = [Column, Cell][]

/** The numbers of a period and of the one before, a row each. */
export function figuresCsv({ figures, figuresBefore }: AnalyticsOverview, language: Language): string {
  const { columns } = CSV_WORDS[language]
  const numbersOf = (each: AnalyticsOverview['figures']): Measured => [...measured(each), ...written(each.messages)]
  const before = numbersOf(figuresBefore)
  const rows = numbersOf(figures).map(([column, value], at) => [columns[column], value, before[at]?.[1] ?? null])
  return fileOf([[columns.number, columns.value, columns.before], ...rows], language)
}

/** The bars of an overview. Moments are those of local clocks. */
export function timelineCsv({ bars, timeZone }: AnalyticsOverview, language: Language): string {
  const { columns } = CSV_WORDS[language]
  const cellsOf = (bar: Bar): Measured => [
    ['from', localMoment(bar.start, timeZone)],
    ['to', localMoment(bar.end, timeZone)],
    ...outcomes(bar),
    ...written(bar.messages),
  ]
  const heading = cellsOf(EMPTY_BAR).map(([column]) => columns[column])
  return fileOf([heading, ...bars.map((bar) => cellsOf(bar).map(([, value]) => value))], language)
}

/** The rows of a breakdown. */
export function breakdownCsv(chart: AnalyticsChart, rows: BreakdownRow[], language: Language): string {
  const { columns, keys } = CSV_WORDS[language]
  const heading = [keys[chart] ?? columns.name, ...MEASURED.map((column) => columns[column])]
  const lines = rows.map((row) => [rowName(chart, row, language), ...measured(row).map(([, value]) => value)])
  return fileOf([heading, ...lines], language)
}

function rowName(chart: AnalyticsChart, { key, name }: BreakdownRow, language: Language): string {
  const { unassigned, reasons } = CSV_WORDS[language]
  if (key === null) return unassigned
  if (chart === 'hour') return hourName(key, language)
  if (chart === 'channel') return channelName(key, language)
  const reason = chart === 'reason' ? PAUSE_REASONS.find((each) => each === key) : undefined
  return reason ? reasons[reason] : (name ?? key)
}

/** `0-13` is Monday from 13:00. As it is, spreadsheets would take it for a date. */
function hourName(key: string, language: Language): string {
  const [weekday = 0, hour = 0] = key.split('-').map(Number)
  const moment = A_MONDAY + (weekday * 24 + hour) * 3_600_000
  const day = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(moment)
  return `${day} ${String(hour).padStart(2, '0')}:00`
}

const A_MONDAY = Date.UTC(2024, 0, 1)

/** Where decimals have commas, spreadsheets divide cells by semicolons. */
function fileOf(rows: Cell[][], language: Language): string {
  const delimiter = language === 'ru' ? ';' : ','
  const written = (cell: Cell) => {
    if (typeof cell !== 'number') return cell ?? ''
    return language === 'ru' ? String(cell).replace('.', ',') : String(cell)
  }
  return BYTE_ORDER_MARK + rows.map((row) => csvRow(row.map(written), delimiter)).join('')
}

function outcomes({ conversations, resolved, handedOff, reopened, unanswered }: Bar | Measures): Measured {
  return [
    ['conversations', conversations],
    ['resolved', resolved],
    ['handedOff', handedOff],
    ['reopened', reopened],
    ['unanswered', unanswered],
  ]
}

function measured(row: Measures): Measured {
  const { firstResponse, resolution, ratings, cost } = row
  return [
    ...outcomes(row),
    ['everReopened', row.everReopened],
    ['didNotKnow', row.didNotKnow],
    ['answered', firstResponse.count],
    ['firstResponseMedian', seconds(firstResponse.medianMs)],
    ['firstResponseP90', seconds(firstResponse.p90Ms)],
    ['settled', resolution.count],
    ['resolutionMedian', seconds(resolution.medianMs)],
    ['resolutionP90', seconds(resolution.p90Ms)],
    ['rated', ratings.count],
    ['ratingAverage', ratings.average === null ? null : Number(ratings.average.toFixed(2))],
    ['cost', dollars(cost.microUsd)],
    ['costPerConversation', dollars(cost.perConversation)],
    ['costPerResolution', dollars(cost.perResolution)],
    ['unpricedCalls', cost.unpricedCalls],
  ]
}

function written({ customer, agent, operator }: Bar['messages']): Measured {
  return [
    ['fromCustomers', customer],
    ['fromAgents', agent],
    ['fromPeople', operator],
  ]
}

const NOTHING = { conversations: 0, resolved: 0, handedOff: 0, reopened: 0, unanswered: 0 }
const EMPTY_BAR: Bar = { start: 0, end: 0, ...NOTHING, messages: { customer: 0, agent: 0, operator: 0 } }
const NO_TIME = { count: 0, medianMs: null, p90Ms: null }
const MEASURED = measured({
  ...NOTHING,
  ...{ everReopened: 0, didNotKnow: 0, firstResponse: NO_TIME, resolution: NO_TIME },
  ratings: { count: 0, average: null, scores: [0, 0, 0, 0, 0] },
  cost: { microUsd: 0, perConversation: null, perResolution: null, unpricedCalls: 0, unpricedConversations: 0 },
}).map(([column]) => column)

function seconds(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms) / 1000
}

function dollars(microUsd: number | null): number | null {
  return microUsd === null ? null : Math.round(microUsd) / 1e6
}

/** `YYYY-MM-DD HH:MM` on the clocks of a time zone. */
function localMoment(at: number, timeZone: string): string {
  return new Date(at).toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
}
