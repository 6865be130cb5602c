// Knowledge spaces: what agents may know, each usable by many agents.
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { freeSlug, slugFor } from '#server/platform/lib/text/slug.ts'
import { AppError } from '#shared/errors.ts'
import {
  createSpaceInput,
  linkAgentInput,
  removeSpaceInput,
  spaceBySlugInput,
  spaceInput,
  updateLinkInput,
  updateSpaceInput,
} from '#shared/knowledge/knowledge.ts'
import { noArgs } from '#shared/schema.ts'
import { hideSpace, showSpace } from './spaces.removal.store.ts'
import * as store from './spaces.store.ts'

/** All spaces of the organization, oldest first. */
export const list = orgQuery({
  args: noArgs,
  handler: (ctx) => store.listSpaces(ctx),
})

/** @throws not_found */
export const get = orgQuery({
  args: spaceInput,
  handler: (ctx, { knowledgeSpaceId }) => store.getSpace(ctx, knowledgeSpaceId),
})

/** @throws not_found, also for a slug of another organization */
export const getBySlug = orgQuery({
  args: spaceBySlugInput,
  handler: (ctx, { slug, organizationId }) => {
    if (organizationId !== ctx.organizationId) throw new AppError('not_found')
    return store.getSpaceBySlug(ctx, slug)
  },
})

/** Makes an empty space; its slug comes from its name and never changes. */
export const create = orgMutation({
  args: createSpaceInput,
  handler: async (ctx, { name, description = '' }) => {
    const base = slugFor(name)
    const slug = freeSlug(base, await store.listSlugsLike(ctx, base))
    const id = newId('knowledgeSpaces')
    await store.insertSpace(ctx, { id, slug, name, description }, ctx.now)
    return store.getSpace(ctx, id)
  },
})

/** Changes what the patch names. @throws not_found */
export const update = orgMutation({
  args: updateSpaceInput,
  handler: async (ctx, { knowledgeSpaceId, patch }) => {
    await store.updateSpace(ctx, knowledgeSpaceId, patch, ctx.now)
    return store.getSpace(ctx, knowledgeSpaceId)
  },
})

/**
 * Removes a space with everything in it. It can be restored for a minute.
 * @throws not_found; space_in_use with the names of the `agents` that would lose it, unless confirmed
 */
export const remove = orgMutation({
  args: removeSpaceInput,
  handler: async (ctx, { knowledgeSpaceId, isConfirmed = false }) => {
    const agents = await store.listAgentNames(ctx, knowledgeSpaceId)
    if (agents.length > 0 && !isConfirmed) throw new AppError('space_in_use', { agents })
    await hideSpace(ctx, knowledgeSpaceId, ctx.now)
  },
})

/** Restores a removed space exactly as it was. @throws not_found when it was not removed, or was purged */
export const restore = orgMutation({
  args: spaceInput,
  handler: async (ctx, { knowledgeSpaceId }) => {
    await showSpace(ctx, knowledgeSpaceId)
    return store.getSpace(ctx, knowledgeSpaceId)
  },
})

/** The agents that use a space, and what of it. @throws not_found */
export const listLinks = orgQuery({
  args: spaceInput,
  handler: async (ctx, { knowledgeSpaceId }) => {
    await store.assertSpace(ctx, knowledgeSpaceId)
    return store.listLinks(ctx, knowledgeSpaceId)
  },
})

/** Lets an agent use a space. Safe to repeat. @throws not_found, agent_unavailable */
export const linkAgent = orgMutation({
  args: linkAgentInput,
  handler: async (ctx, { knowledgeSpaceId, agentId }) => {
    await store.assertSpace(ctx, knowledgeSpaceId)
    await store.assertAgent(ctx, agentId)
    await store.insertLink(ctx, { spaceId: knowledgeSpaceId, agentId })
  },
})

/** Says what of a space an agent may use; what the space has disabled stays disabled. @throws not_found when it is not linked */
export const updateLink = orgMutation({
  args: updateLinkInput,
  handler: (ctx, { knowledgeSpaceId, agentId, patch }) =>
    store.updateLink(ctx, { spaceId: knowledgeSpaceId, agentId }, patch),
})

/** Takes a space away from an agent. Safe to repeat. @throws not_found */
export const unlinkAgent = orgMutation({
  args: linkAgentInput,
  handler: async (ctx, { knowledgeSpaceId, agentId }) => {
    await store.assertSpace(ctx, knowledgeSpaceId)
    await store.deleteLink(ctx, { spaceId: knowledgeSpaceId, agentId })
  },
})
