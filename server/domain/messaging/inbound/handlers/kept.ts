// Notifications that are only kept: nothing to answer, of another account, or not understood.
import { countQuarantined } from '#server/domain/channels/health/quarantine.store.ts'
import { keepNotification } from '../../inbound-events/notifications.store.ts'
import { type Handler, KEPT } from '../handler.ts'

/** There is nothing to answer. What another account was sent is not kept: it is not ours to have. */
export const receiveIgnored: Handler<'ignored'> = async (ctx, connection, { inbound, payload }) => {
  const { externalKey, isOthers = false } = inbound
  if (isOthers) {
    ctx.logger.warn({ connectionId: connection.id, key: externalKey }, 'notification of another account, dropped')
  }
  const kept = { externalKey, status: 'ignored', payload: isOthers ? {} : payload } as const
  await ctx.organization(connection.organizationId, (store) => keepNotification(store, connection.id, kept))
  return KEPT
}

/** Nothing here understands it: it is put aside, counted, and can be taken in again by a version that does. */
export const receiveUnknown: Handler<'unknown'> = async (ctx, connection, { inbound, payload }) => {
  const { externalKey } = inbound
  ctx.logger.warn({ connectionId: connection.id, key: externalKey }, 'notification not understood, kept')
  await ctx.organization(connection.organizationId, async (store) => {
    const isNew = await keepNotification(store, connection.id, { externalKey, status: 'quarantined', payload })
    if (isNew) await countQuarantined(store, connection.id)
  })
  return KEPT
}
