// Calls of the sweep over functions: the health of the installation.
import type { SweptCall } from './calls.ts'

export const HEALTH_CALLS: Record<string, SweptCall> = {
  'admin/health:get': { args: () => ({}) },
  'admin/health:replay': { args: () => ({ eventId: 'none' }) },
  'admin/health:replayConnection': { args: ({ connectionId }) => ({ connectionId }) },
  'admin/health:retryJob': { args: () => ({ queue: 'letters.send', jobId: 'none' }) },
  'admin/health:storage': { args: () => ({}) },
}
