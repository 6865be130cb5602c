// Versions of an agent: viewed, compared, published and restored. Saving creates them: agents.functions.ts.
import { byCaller, raiseAgentChange } from '#server/domain/alerts/news.store.ts'
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import { agentVersionInput, agentVersionsInput } from '#shared/agents/agents.ts'
import { AppError } from '#shared/errors.ts'
import * as agents from './agents.store.ts'
import * as store from './versions.store.ts'

/** Versions of an agent, newest first. @throws agent_unavailable */
export const list = orgQuery({
  args: agentVersionsInput,
  handler: async (ctx, { agentId, paginationOpts }) => {
    await agents.getAgent(ctx, agentId)
    return store.listVersions(ctx, agentId, paginationOpts)
  },
})

/** The settings of one version. @throws agent_unavailable, not_found */
export const get = orgQuery({
  args: agentVersionInput,
  handler: async (ctx, { agentId, number }) => {
    await agents.getAgent(ctx, agentId)
    return store.getVersionSettings(ctx, agentId, number)
  },
})

/** Lets the newest version answer customers. Safe to repeat. @throws agent_unavailable; conflict when a newer one was saved meanwhile */
export const publish = orgMutation({
  args: agentVersionInput,
  handler: async (ctx, { agentId, number }) => {
    const agent = await agents.lockAgent(ctx, agentId)
    if (number !== agent.version) throw new AppError('conflict')
    await agents.setLiveVersion(ctx, agentId, number, ctx.now)
    if (agent.liveVersion !== number) await raiseAgentChange(ctx, agent, { event: null, by: byCaller(ctx) })
    return agents.getAgent(ctx, agentId)
  },
})

/**
 * Brings an earlier version back: its settings become the newest version and answer customers from now on.
 * The versions in between stay. @throws agent_unavailable, not_found, model_unknown
 */
export const restore = orgMutation({
  args: agentVersionInput,
  handler: async (ctx, { agentId, number }) => {
    const agent = await agents.lockAgent(ctx, agentId)
    const settings = await store.getVersionSettings(ctx, agentId, number)
    ctx.models.assertKnown(settings.model)
    const version = { settings, authorId: ctx.caller.userId, isLive: true, restoredFrom: number }
    await agents.addVersion(ctx, agent, version, ctx.now)
    await raiseAgentChange(ctx, agent, { event: null, by: byCaller(ctx) })
    return agents.getAgent(ctx, agentId)
  },
})
