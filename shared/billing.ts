// Usage and allowance.
import * as z from 'zod/mini'
import type { Id } from './ids.ts'
import { id, timeRange } from './schema.ts'

export const USAGE_CATEGORIES = [
  'agent_response',
  'system_message',
  'helper_generation',
  'test_message',
  'follow_up',
] as const
export type UsageCategory = (typeof USAGE_CATEGORIES)[number]

/** Whether messages of a category use up the allowance. What the system says by itself is shown and costs nothing. */
export function usesAllowance(category: UsageCategory): boolean {
  return category !== 'system_message'
}

/** The newest day on which an agent with a daily limit was asked. */
export type AgentDay = {
  agentId: Id<'agents'>
  /** `YYYY-MM-DD` in the organization's time zone: today, or earlier when nobody has asked since. */
  day: string
  /** Answers given and under way. */
  answers: number
  limit: number
  /** `warning`: as near to the limit as the team wants to know. */
  status: 'ok' | 'warning' | 'reached'
}

export const usageOverviewInput = z.strictObject({ organizationId: id('organizations'), timeRange })

/**
 * Messages and money of one organization in a range of time. Cost in USD; percentage 0 to 1, null without an allowance. Messages are
 * those that use up the allowance, but for `categories`, which tells all.
 */
export type UsageOverview = {
  plan: { slug: string | null; name: string; allowance: number | null }
  /**
   * The calendar month in which the range ends, `YYYY-MM` in the organization's time zone, up to that end: what an allowance is
   * measured by. `remaining`, `percentage` and `status` are about it.
   */
  period: { key: string; messages: number }
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
