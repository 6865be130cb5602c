// One state for all connections of a channel.
import type { AccountState, ChannelConnection } from '#shared/channels/channels.ts'

/** The overall state of a channel's connections. `action`: a user has to do something. */
export type ChannelSummary = 'connected' | 'pending' | 'action' | 'disconnected' | 'none'

/** States from which an account does not recover by itself. */
const IN_TROUBLE: ReadonlySet<AccountState | null> = new Set([
  'yellowCard',
  'suspended',
  'blocked',
  'pendingPassword',
  'unknown',
] as const)

/**
 * A connection that needs a person takes precedence over one that is being set up, and that over one that works.
 * `wasConnected`: there have been connections that are switched off.
 */
export function summaryOf(
  connections: Pick<ChannelConnection, 'status' | 'accountState' | 'failingSince'>[],
  wasConnected: boolean,
): ChannelSummary {
  const has = (status: ChannelConnection['status']) => connections.some((connection) => connection.status === status)
  const needsPerson = connections.some(
    ({ accountState, failingSince }) => IN_TROUBLE.has(accountState) || failingSince !== null,
  )
  if (has('error') || needsPerson) return 'action'
  if (has('pending')) return 'pending'
  if (has('connected')) return 'connected'
  return wasConnected ? 'disconnected' : 'none'
}
