// Usage and allowance.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { id, timeRange } from '#shared/schema.ts'

export const USAGE_CATEGORIES = [
  'agent_response',
  'system_message',
  'helper_generation',
  'test_message',
  'follow_up',
] as const
export type UsageCategory = (typeof USAGE_CATEGORIES)[number]

/**
 * What money is spent on in a conversation: answers and the agent's summaries for them; searches; speech and images; assistance for
 * operators.
 */
export const USAGE_PURPOSES = ['reply', 'search', 'media', 'helper'] as const
export type UsagePurpose = (typeof USAGE_PURPOSES)[number]

/** Whether messages of a category count against the allowance. The system's own messages are shown and cost nothing. */
export function usesAllowance(category: UsageCategory): boolean {
  return category !== 'system_message'
}

/** The latest day with activity of an agent that has a daily limit. */
export type AgentDay = {
  agentId: Id<'agents'>
  /** `YYYY-MM-DD` in the organization's time zone: today, or the latest earlier day with a question. */
  day: string
  /** Answers given and under way. */
  answers: number
  limit: number
  /** `warning`: as near to the limit as the team wants to know. */
  status: 'ok' | 'warning' | 'reached'
}

/** Usage of a month. `messages`: those that count against the allowance. */
export type Spend = {
  messages: number
  tokens: number
  /** Of the calls whose price is known. */
  costUsd: number
  /** Model calls whose price is unknown; their cost is not in `costUsd`. */
  unpricedCalls: number
}

/** One line of the month. `agentId` null: usage of no agent, such as indexing knowledge. */
export type AgentSpend = Spend & {
  agentId: Id<'agents'> | null
  /** Empty without an agent. */
  name: string
  isDeleted: boolean
  /** The ceiling that holds now; null: none. */
  limitUsd: number | null
}

/** A calendar month of the organization in money, as ceilings measure it. */
export type MonthSpend = {
  total: Spend
  /** The organization's own ceiling; null: none. */
  limitUsd: number | null
  /** The dearest first: every agent there is, and what else has cost something. */
  agents: AgentSpend[]
}

/** `month`: `YYYY-MM` in the organization's time zone; this month or the one before, earlier ones are not kept. */
export const monthSpendInput = z.strictObject({ month: z.string().check(z.regex(/^\d{4}-(0[1-9]|1[0-2])$/)) })

export const usageOverviewInput = z.strictObject({ organizationId: id('organizations'), timeRange })

/**
 * Messages and money of one organization in a range of time. Cost in USD; percentage 0 to 1, null without an allowance. Messages are those
 * that count against the allowance, except in `categories`, which counts all.
 */
export type UsageOverview = {
  plan: { slug: string | null; name: string; allowance: number | null }
  /**
   * The calendar month in which the range ends, `YYYY-MM` in the organization's time zone, up to that end: the period of the allowance.
   * `remaining`, `percentage` and `status` refer to it.
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
  /** The models of those calls, the most called first; of many models the first few. */
  unpricedModels: { model: string; calls: number }[]
  thresholds: { status: 'ok' | 'warning' | 'critical' }
  categories: { key: UsageCategory; messages: number }[]
  /** One entry for each day of the range in the organization's time zone, `YYYY-MM-DD`, oldest first. */
  timeline: { key: string; messages: number }[]
  /** Most used first, at most five. */
  channels: { key: string; messages: number }[]
}
