// Usage and allowance.
import * as z from 'zod/mini'
import { id, timeRange } from './schema.ts'

export const USAGE_CATEGORIES = [
  'agent_response',
  'system_message',
  'helper_generation',
  'test_message',
  'follow_up',
] as const
export type UsageCategory = (typeof USAGE_CATEGORIES)[number]

export const usageOverviewInput = z.strictObject({ organizationId: id('organizations'), timeRange })

/** Messages and money of one organization in a period. Cost in USD; percentage 0 to 1, null without an allowance. */
export type UsageOverview = {
  plan: { slug: string | null; name: string; allowance: number | null }
  totals: {
    messages: number
    tokens: number
    cost: number
    /** Model calls whose price is unknown; their cost is not in `cost`. */
    unpricedCalls: number
    remaining: number | null
    percentage: number | null
  }
  thresholds: { status: 'ok' | 'warning' | 'critical' }
  categories: { key: UsageCategory; messages: number }[]
  /** One entry for each day of the range in the organization's time zone, `YYYY-MM-DD`, oldest first. */
  timeline: { key: string; messages: number }[]
  /** Most used first, at most five. */
  channels: { key: string; messages: number }[]
}
