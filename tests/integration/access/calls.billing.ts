// Calls of the sweep over functions: the plan and what is used of it.
import type { SweptCall } from './calls.ts'

const range = { start: Date.UTC(2026, 0, 1), end: Date.UTC(2026, 0, 2) }

export const BILLING_CALLS: Record<string, SweptCall> = {
  'billing:getOrganizationUsageOverview': { args: ({ organizationId }) => ({ organizationId, timeRange: range }) },
  'billing:getMonthSpend': { args: () => ({ month: '2026-05' }) },
  'billing:getPlan': { args: () => ({}) },
  'billing:requestCancellation': { args: () => ({ reason: 'Too dear' }) },
  'billing:requestChange': { args: () => ({ planSlug: 'pro' }) },
  'billing:withdrawRequest': { args: () => ({}) },
  'billing:listAgentDays': { args: () => ({}) },
}
