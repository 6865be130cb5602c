// What the whole installation uses and costs, as its administrators see it.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'

/** Days looked back on, today included. */
export const OVERVIEW_RANGES = { '7d': 7, '30d': 30, '90d': 90 } as const
export type OverviewRange = keyof typeof OVERVIEW_RANGES
/** Organizations that are listed, the most active first. */
export const TOP_ORGANIZATIONS = 25
/** Models that are listed, the dearest first. */
export const TOP_MODELS = 10

export const overviewInput = z.strictObject({
  range: z.enum(Object.keys(OVERVIEW_RANGES) as [OverviewRange, ...OverviewRange[]]),
})

/** Millionths of a US dollar. `unpricedCalls`: model calls of unknown price, whose cost is not in the sum. */
export type InstallationSpend = { messages: number; tokens: number; costMicroUsd: number; unpricedCalls: number }

/** `name`: as agents are set to use it, `provider/model`. */
export type ModelSpend = InstallationSpend & { name: string; calls: number }

export type OrganizationSpend = InstallationSpend & {
  _id: Id<'organizations'>
  name: string
  /** Null: none. */
  plan: string | null
}

/** Days are those of the UTC calendar, `YYYY-MM-DD`. */
export type InstallationOverview = {
  /** Of the days of the range. */
  totals: InstallationSpend
  /** Of as many days before them. */
  before: InstallationSpend
  /** `fresh`: made within the range; `freshBefore`: within as many days before. `active`: those that have used anything. */
  organizations: { count: number; fresh: number; freshBefore: number; active: number }
  members: { count: number; fresh: number; freshBefore: number }
  /** Every day of the range, the earliest first. */
  days: (InstallationSpend & { key: string })[]
  topOrganizations: OrganizationSpend[]
  topModels: ModelSpend[]
  /** Models that have been called, of which `topModels` are the first. */
  modelCount: number
}
