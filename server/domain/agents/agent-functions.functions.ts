// What agents can do besides talking. On the wire: agentFunctions.
import { orgQuery } from '#server/functions/define.ts'
import { agentFunctionsInput } from '#shared/agents/agents.ts'
import * as store from './agents.store.ts'

/** The functions of one agent, or of all: knowledge search where spaces are linked. @throws not_found */
export const list = orgQuery({
  args: agentFunctionsInput,
  handler: async (ctx, { agentId }) => {
    if (agentId) await store.getAgent(ctx, agentId)
    return store.listFunctions(ctx, agentId)
  },
})
