// Which summary state a channel shows.
import { expect, it } from 'vitest'
import type { ConnectionStatus } from '#shared/channels.ts'
import { summaryOf } from './summary.rules.ts'

it.each<[ConnectionStatus[], string]>([
  [[], 'none'],
  [['disconnected'], 'disconnected'],
  [['disconnected', 'connected'], 'connected'],
  [['connected', 'pending'], 'pending'],
  [['connected', 'pending', 'error'], 'action'],
])('connections %j are summed up as %s', (statuses, summary) => {
  expect(summaryOf(statuses.map((status) => ({ status })))).toBe(summary)
})
