// Which summary state a channel shows.
import { expect, it } from 'vitest'
import type { AccountState, ConnectionStatus } from '#shared/channels/channels.ts'
import { summaryOf } from './summary.rules.ts'

it.each<[ConnectionStatus[], boolean, string]>([
  [[], false, 'none'],
  [[], true, 'disconnected'],
  [['connected'], true, 'connected'],
  [['connected', 'pending'], false, 'pending'],
  [['connected', 'pending', 'error'], false, 'action'],
])('connections %j, others before: %j, are summed up as %s', (statuses, wasConnected, summary) => {
  const live = statuses.map((status) => ({ status, accountState: null, failingSince: null }))
  expect(summaryOf(live, wasConnected)).toBe(summary)
})

it.each<[AccountState, string]>([
  ['notAuthorized', 'pending'],
  ['starting', 'pending'],
  ['yellowCard', 'action'],
  ['blocked', 'action'],
  ['unknown', 'action'],
])('a number that is %s is summed up as %s', (accountState, summary) => {
  expect(
    summaryOf(
      [
        { status: 'connected', accountState: 'authorized', failingSince: null },
        { status: 'pending', accountState, failingSince: null },
      ],
      false,
    ),
  ).toBe(summary)
})

it('a connection that is on and fails needs action', () => {
  expect(
    summaryOf(
      [
        { status: 'connected', accountState: null, failingSince: null },
        { status: 'connected', accountState: null, failingSince: 1 },
      ],
      false,
    ),
  ).toBe('action')
})
