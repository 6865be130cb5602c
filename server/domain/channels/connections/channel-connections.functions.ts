// Channel connections of an organization, whatever the channel. Making one is in the channel's own file.
import { orgAction, orgMutation, orgQuery } from '#server/functions/define.ts'
import { type Sending, setCapsInput } from '#shared/channels/caps.ts'
import {
  type Channel,
  type ChannelSlots,
  type ConnectionCheck,
  type ConnectionHealth,
  connectionInput,
  listConnectionsInput,
  type QuarantinedNotification,
} from '#shared/channels/channels.ts'
import type { Demonstration } from '#shared/demonstration.ts'
import { AppError } from '#shared/errors.ts'
import { noArgs } from '#shared/schema.ts'
import { checkConnection } from '../health/connection-check.ts'
import { readHealth } from '../health/health.store.ts'
import { listQuarantined } from '../health/quarantine.store.ts'
import { readSending, saveCaps } from '../send-limits/caps.store.ts'
import { readSlots } from '../send-limits/slots.store.ts'
import { getConnection, listConnections } from './connections.store.ts'
import { listLeftChannels } from './left-connections.store.ts'

/** Live connections, newest first; of one agent when given. */
export const list = orgQuery({
  args: listConnectionsInput,
  handler: (ctx, { agentId }) => listConnections(ctx, agentId),
})

/** Channels that have been connected, and disconnected since; of one agent when given. Some may be reconnected. */
export const left = orgQuery({
  args: listConnectionsInput,
  handler: (ctx, { agentId }): Promise<Exclude<Channel, 'test'>[]> => listLeftChannels(ctx, agentId),
})

/** How many paid connections the plan allows, and how many there are, live. */
export const slots = orgQuery({ args: noArgs, handler: (ctx): Promise<ChannelSlots> => readSlots(ctx) })

/** How one connection is doing, live. @throws not_found */
export const health = orgQuery({
  args: connectionInput,
  handler: async (ctx, { connectionId }): Promise<ConnectionHealth> => {
    await getConnection(ctx, connectionId)
    return readHealth(ctx, connectionId)
  },
})

/** The latest notifications of a connection that were not understood, newest first. @throws not_found */
export const quarantine = orgAction({
  args: connectionInput,
  handler: (ctx, { connectionId }): Promise<QuarantinedNotification[]> =>
    ctx.read(async (org) => {
      await getConnection(org, connectionId)
      return listQuarantined(org, connectionId)
    }),
})

/** How much one connection may send, has sent and has queued, live. @throws not_found */
export const sending = orgQuery({
  args: connectionInput,
  handler: async (ctx, { connectionId }): Promise<Sending> => {
    await getConnection(ctx, connectionId)
    return readSending(ctx, connectionId)
  },
})

/**
 * Sets how much a connection may send in an hour and in a day, and how a new number's daily cap grows. Applied again to what waits.
 * @throws not_found, connection_disconnected
 */
export const setCaps = orgMutation({
  args: setCapsInput,
  handler: async (ctx, { connectionId, caps }): Promise<Sending> => {
    const { status } = await getConnection(ctx, connectionId)
    if (status === 'disconnected') throw new AppError('connection_disconnected')
    await saveCaps(ctx, connectionId, caps, ctx.now.getTime())
    return readSending(ctx, connectionId)
  },
})

/** Where the simulated providers of a demo are; null when not a demo. */
export const demonstration = orgAction({
  args: noArgs,
  handler: async (ctx): Promise<Demonstration | null> => ctx.services.demonstration,
})

/** Tests a connection without reaching a customer or a model. @throws not_found, also for one that is switched off */
export const test = orgAction({
  args: connectionInput,
  handler: (ctx, { connectionId }): Promise<ConnectionCheck[]> => checkConnection(ctx, connectionId),
})
