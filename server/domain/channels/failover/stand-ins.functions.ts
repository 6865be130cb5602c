// Which number stands in for a WhatsApp number while that may not send, and which conversations moved to it.

import { orgMutation, orgQuery } from '#server/functions/define.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { connectionInput } from '#shared/channels/channels.ts'
import { type StandIn, saveStandInInput } from '#shared/channels/stand-ins.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { getConnectionOf } from '../connections/connecting.ts'
import { isCircle } from './stand-ins.rules.ts'
import * as store from './stand-ins.store.ts'

/** Live. @throws not_found, connection_disconnected */
export const read = orgQuery({
  args: connectionInput,
  handler: (ctx, { connectionId }): Promise<StandIn> => show(ctx, connectionId),
})

/**
 * Chooses the number that stands in, after how long, and the notice for customers.
 * @throws not_found for a connection of another channel or organization, connection_disconnected, stand_in_circle
 */
export const save = orgMutation({
  args: saveStandInInput,
  handler: async (ctx, { connectionId, settings }): Promise<StandIn> => {
    await assertLive(ctx, connectionId)
    const { standInId } = settings
    if (standInId !== null) {
      await assertLive(ctx, standInId)
      if (isCircle(await store.listStandIns(ctx), connectionId, standInId)) throw new AppError('stand_in_circle')
    }
    await store.saveStandIn(ctx, connectionId, settings)
    return show(ctx, connectionId)
  },
})

async function show(ctx: OrgStoreContext, id: Id<'channelConnections'>): Promise<StandIn> {
  await assertLive(ctx, id)
  const standIns = await store.listStandIns(ctx)
  const possible = [...standIns.keys()].filter((each) => !isCircle(standIns, id, each))
  return { ...(await store.readStandIn(ctx, id)), choices: await store.listChoices(ctx, possible) }
}

async function assertLive(ctx: OrgStoreContext, id: Id<'channelConnections'>): Promise<void> {
  const { status } = await getConnectionOf(ctx, 'whatsapp', id)
  if (status === 'disconnected') throw new AppError('connection_disconnected')
}
