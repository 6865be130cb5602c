// Channel connections of an organization, whatever the channel. Making one is in the channel's own file.
import { orgQuery } from '#server/functions/define.ts'
import { listConnectionsInput } from '#shared/channels.ts'
import { listConnections } from './connections.store.ts'

/** Live connections, newest first; of one agent when given. */
export const list = orgQuery({
  args: listConnectionsInput,
  handler: (ctx, { agentId }) => listConnections(ctx, agentId),
})
