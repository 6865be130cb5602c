// Calls of the sweep over functions: analytics.
import type { SweptCall } from './calls.ts'

const range = { from: '2026-05-01', to: '2026-05-31' }

export const ANALYTICS_CALLS: Record<string, SweptCall> = {
  'analytics:breakdown': { args: ({ agentId }) => ({ by: 'agent', range, filters: { agentId } }) },
  'analytics:export': {
    args: ({ agentId }) => ({ chart: 'agent', interval: 'day', range, filters: { agentId }, language: 'en' }),
  },
  'analytics:overview': { args: ({ agentId }) => ({ range, interval: 'day', filters: { agentId } }) },
  'analytics:recordSlugFallback': { args: ({ agentId }) => ({ type: 'agent', identifier: agentId }) },
  'conversations:count': { args: ({ agentId }) => ({ agentId }) },
}
