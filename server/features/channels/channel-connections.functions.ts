// Channel connections of an organization, whatever the channel. Making one is in the channel's own file.
import { orgAction, orgQuery } from '#server/functions/define.ts'
import { type ConnectionCheck, type ConnectionHealth, connectionInput, listConnectionsInput } from '#shared/channels.ts'
import { checkConnection } from './connection-check.ts'
import { getConnection, listConnections } from './connections.store.ts'
import { readHealth } from './health.store.ts'

/** Live connections, newest first; of one agent when given. */
export const list = orgQuery({
  args: listConnectionsInput,
  handler: (ctx, { agentId }) => listConnections(ctx, agentId),
})

/** How one connection is doing, live. @throws not_found */
export const health = orgQuery({
  args: connectionInput,
  handler: async (ctx, { connectionId }): Promise<ConnectionHealth> => {
    await getConnection(ctx, connectionId)
    return readHealth(ctx, connectionId)
  },
})

/** Tries a connection out without reaching a customer or a model. @throws not_found, also for one that is switched off */
export const test = orgAction({
  args: connectionInput,
  handler: (ctx, { connectionId }): Promise<ConnectionCheck[]> => checkConnection(ctx, connectionId),
})
