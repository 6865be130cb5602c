// What the overview shows, kept in its address: the days that are looked back on, and what the bars are of.
import { parseAsStringLiteral, useQueryStates } from 'nuqs'
import { OVERVIEW_RANGES, type OverviewRange } from '#shared/organizations/overview.ts'

export const RANGES = Object.keys(OVERVIEW_RANGES) as OverviewRange[]
export const MEASURES = ['cost', 'messages', 'tokens'] as const
export type Measure = (typeof MEASURES)[number]

const parsers = {
  range: parseAsStringLiteral(RANGES).withDefault('30d'),
  of: parseAsStringLiteral(MEASURES).withDefault('cost'),
  view: parseAsStringLiteral(['chart', 'table']).withDefault('chart'),
}

/** The view in the address, and its setter. */
export function useOverviewView() {
  return useQueryStates(parsers)
}
