// What the plan page shows, kept in its address: the days that are looked back on, and the days as bars or as a table.
import { parseAsStringLiteral, useQueryStates } from 'nuqs'

/** Days looked back on, today included. */
export const PERIODS = { '7d': 7, '30d': 30, '90d': 90 } as const
export type Period = keyof typeof PERIODS

const parsers = {
  period: parseAsStringLiteral(Object.keys(PERIODS) as Period[]).withDefault('30d'),
  view: parseAsStringLiteral(['chart', 'table']).withDefault('chart'),
}

/** The view in the address, and its setter. */
export function usePlanView() {
  return useQueryStates(parsers)
}
