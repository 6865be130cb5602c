// Agents: what an organization builds.
import { byCaller, raiseAgentChange } from '#server/domain/alerts/news.store.ts'
import { disconnect } from '#server/domain/channels/connections/connections.store.ts'
import { disconnectLater } from '#server/domain/channels/connections/disconnect.job.ts'
import { listLeftConnections } from '#server/domain/channels/connections/left-connections.store.ts'
import { leaveCalendar } from '#server/domain/integrations/calendar/revoke.job.ts'
import { withholdConnection } from '#server/domain/messaging/outbox/outbox.store.ts'
import { defaultModel, requireOffered } from '#server/domain/models/offered.ts'
import { orgAction, orgMutation, orgQuery } from '#server/functions/define.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { freeSlug, slugFor } from '#server/platform/lib/text/slug.ts'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import {
  createAgentInput,
  getAgentInput,
  loadAvatarInput,
  removeAgentInput,
  updateAgentInput,
} from '#shared/agents/agents.ts'
import { AppError } from '#shared/errors.ts'
import { noArgs } from '#shared/schema.ts'
import * as avatars from './agents.avatars.ts'
import * as rules from './agents.rules.ts'
import * as store from './agents.store.ts'
import { deleteKeys } from './keys.store.ts'

/** All agents of the organization, oldest first. */
export const list = orgQuery({
  args: noArgs,
  handler: (ctx) => store.listAgents(ctx),
})

/** One agent by id, or by slug within the caller's organization. @throws agent_unavailable */
export const get = orgQuery({
  args: getAgentInput,
  foreignCode: 'agent_unavailable',
  handler: async (ctx, input) => {
    const agent = await ('id' in input ? store.findAgent(ctx, input.id) : store.findAgentBySlug(ctx, input.slug))
    if (!agent) throw new AppError('agent_unavailable')
    return agent
  },
})

/** Makes an agent; its slug comes from its name. @throws model_unknown, model_not_offered */
export const create = orgMutation({
  args: createAgentInput,
  handler: async (ctx, input) => {
    const model = input.model ?? (await defaultModel(ctx, ctx.now.getTime()))
    await requireOffered(ctx, [model])
    const base = slugFor(input.name)
    const agent = {
      id: newId('agents'),
      slug: freeSlug(base, await store.listSlugsLike(ctx, base)),
      name: input.name,
      settings: agentSettings.parse({ systemPrompt: input.systemPrompt ?? '', model }),
      authorId: ctx.caller.userId,
    }
    await store.insertAgent(ctx, agent, ctx.now)
    return store.getAgent(ctx, agent.id)
  },
})

/**
 * Changes what the patch names. Changed settings become a version, which answers customers from now on unless it is a draft; with
 * nothing changed nothing happens, and a draft stays one. The name and the picture are the team's own and change at once.
 *
 * @throws agent_unavailable, model_unknown, model_not_offered, invalid_arguments for an avatar of another agent, conflict when `baseVersion` is not the newest,
 * or is missing while a colleague's draft would be published along
 */
export const update = orgMutation({
  args: updateAgentInput,
  handler: async (ctx, { id, patch, isDraft = false, baseVersion }) => {
    const agent = await store.lockAgent(ctx, id)
    if (baseVersion !== undefined && baseVersion !== agent.version) throw new AppError('conflict')
    if (!rules.isOwnAvatar(agent, patch.avatar)) throw new AppError('invalid_arguments', { path: 'patch.avatar' })
    const { name, avatar, ...changes } = patch
    await requireOffered(ctx, rules.newModels(agent, changes))
    const identity = rules.changedIdentity(agent, { name, avatar })
    if (identity) await store.updateIdentity(ctx, id, identity, ctx.now)
    const settings = rules.mergeSettings(agent, changes, ctx.models.models())
    if (settings) {
      const isBlind = baseVersion === undefined && !isDraft && agent.liveVersion !== agent.version
      if (isBlind && (await store.findAuthor(ctx, agent)) !== ctx.caller.userId) throw new AppError('conflict')
      const version = { settings, authorId: ctx.caller.userId, isLive: !isDraft, restoredFrom: null }
      await store.addVersion(ctx, agent, version, ctx.now)
      if (!isDraft) await raiseAgentChange(ctx, agent, { event: null, by: byCaller(ctx) })
    }
    return store.getAgent(ctx, id)
  },
})

/** Takes an agent out of use, forgets its keys and disconnects its channels, at their providers too; its conversations stay. @throws agent_unavailable */
export const remove = orgMutation({
  args: removeAgentInput,
  handler: async (ctx, { id }) => {
    const agent = await store.getAgent(ctx, id)
    await store.removeAgent(ctx, id, ctx.now)
    await raiseAgentChange(ctx, agent, { event: 'agentRemoved', by: byCaller(ctx) })
    await deleteKeys(ctx, id)
    await leaveCalendar(ctx, id)
    const left = await listLeftConnections(ctx, id)
    for (const { id: connectionId } of left) {
      await disconnect(ctx, connectionId, ctx.now)
      await withholdConnection(ctx, connectionId)
    }
    await disconnectLater(ctx, left)
  },
})

/** Fetches a picture from an address, once, and makes it the agent's avatar. @throws agent_unavailable, avatar_not_loadable */
export const loadAvatar = orgAction({
  args: loadAvatarInput,
  handler: async (ctx, { id, url }) => {
    const before = await ctx.read((read) => store.getAgent(read, id))
    const avatar = await avatars.rehost(ctx.services, url)
    const agent = await ctx.write(async (write) => {
      await store.updateIdentity(write, id, { avatar }, write.now)
      return store.getAgent(write, id)
    })
    await avatars.remove(ctx.services, before.avatar)
    return agent
  },
})
