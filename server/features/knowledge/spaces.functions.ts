// Knowledge spaces: what agents may know, each usable by many agents.
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import { newId } from '#server/lib/ids.ts'
import { freeSlug, slugFor } from '#server/lib/slug.ts'
import { AppError } from '#shared/errors.ts'
import {
  createSpaceInput,
  linkAgentInput,
  removeSpaceInput,
  spaceBySlugInput,
  spaceInput,
  updateSpaceInput,
} from '#shared/knowledge.ts'
import { noArgs } from '#shared/schema.ts'
import { listFileKeys } from './documents.store.ts'
import { removeFilesLater } from './files.job.ts'
import * as store from './spaces.store.ts'
import { listTableFileKeys } from './tables.store.ts'

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
 * Deletes a space with its documents and fragments.
 * @throws not_found; space_in_use with the names of the `agents` that would lose it, unless confirmed
 */
export const remove = orgMutation({
  args: removeSpaceInput,
  handler: async (ctx, { knowledgeSpaceId, isConfirmed = false }) => {
    const agents = await store.listAgentNames(ctx, knowledgeSpaceId)
    if (agents.length > 0 && !isConfirmed) throw new AppError('space_in_use', { agents })
    const files = [...(await listFileKeys(ctx, knowledgeSpaceId)), ...(await listTableFileKeys(ctx, knowledgeSpaceId))]
    await removeFilesLater(ctx, files)
    await store.deleteSpace(ctx, knowledgeSpaceId)
  },
})

/** Lets an agent use a space. Safe to repeat. @throws not_found */
export const linkAgent = orgMutation({
  args: linkAgentInput,
  handler: async (ctx, { knowledgeSpaceId, agentId }) => {
    await store.assertSpace(ctx, knowledgeSpaceId)
    await store.assertAgent(ctx, agentId)
    await store.insertLink(ctx, { spaceId: knowledgeSpaceId, agentId })
  },
})

/** Takes a space away from an agent. Safe to repeat. @throws not_found */
export const unlinkAgent = orgMutation({
  args: linkAgentInput,
  handler: async (ctx, { knowledgeSpaceId, agentId }) => {
    await store.assertSpace(ctx, knowledgeSpaceId)
    await store.deleteLink(ctx, { spaceId: knowledgeSpaceId, agentId })
  },
})
