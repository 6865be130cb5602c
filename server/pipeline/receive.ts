// Takes in one notification of a provider: durable first, then answered. No model and no network in here.
import type { Inbound } from '#server/adapters/channel.ts'
import type { StoredConnection } from '#server/features/channels/connections.store.ts'
import type { PipelineContext } from './pipeline-context.ts'
import { keepNotification, storeMessage } from './receive.store.ts'

/** `refused`: the connection was switched off. Everything else is stored, and the provider may forget it. */
export type Received = { status: 'stored' | 'duplicate' | 'kept' | 'refused'; isDue: boolean }

/** Stores what came in, in one transaction, and wakes the runner. Safe to repeat: the same notification changes nothing. */
export async function receive(
  ctx: PipelineContext,
  connection: StoredConnection,
  inbound: Inbound,
  payload: unknown,
): Promise<Received> {
  const { organizationId } = connection
  if (inbound.kind !== 'message') {
    const status = inbound.kind === 'ignored' ? 'ignored' : 'quarantined'
    if (status === 'quarantined') {
      ctx.logger.warn({ connectionId: connection.id, key: inbound.externalKey }, 'notification not understood, kept')
    }
    await ctx.organization(organizationId, (store) =>
      keepNotification(store, connection.id, { externalKey: inbound.externalKey, status, payload }),
    )
    return { status: 'kept', isDue: false }
  }
  const stored = await ctx.organization(organizationId, (store) => storeMessage(store, connection, inbound, payload))
  if (!stored.isConnected) return { status: 'refused', isDue: false }
  if (!stored.isNew) return { status: 'duplicate', isDue: false }
  ctx.connectionActivity.inbound(connection.id)
  if (stored.isDue) ctx.wake.turns()
  return { status: 'stored', isDue: stored.isDue }
}
