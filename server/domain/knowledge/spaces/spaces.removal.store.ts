// SQL for removing a space: hidden first, with a way back, then purged.
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { DeletedLink } from '#server/platform/db/tables/knowledge.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'

type SpaceId = Id<'knowledgeSpaces'>

/** Hides a space. Its links to agents are set aside, so that no other code needs to know about it. @throws AppError not_found */
export async function hideSpace(ctx: OrgStoreContext, id: SpaceId, now: Date): Promise<void> {
  const links = await ctx.db
    .deleteFrom('agent_knowledge_spaces')
    .where('organization_id', '=', ctx.organizationId)
    .where('knowledge_space_id', '=', id)
    .returning(['agent_id', 'disabled_sources', 'tags', 'languages', 'created_at'])
    .execute()
  const setAside: DeletedLink[] = links.map((link) => ({
    agentId: link.agent_id,
    disabledSources: link.disabled_sources,
    tags: link.tags,
    languages: link.languages,
    createdAt: link.created_at.toISOString(),
  }))
  const hidden = await ctx.db
    .updateTable('knowledge_spaces')
    .set({ deleted_at: now, deleted_links: JSON.stringify(setAside) })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!hidden) throw new AppError('not_found')
}

/** Restores a hidden space, with those of its agents that still exist. @throws AppError not_found when it is gone */
export async function showSpace(ctx: OrgStoreContext, id: SpaceId): Promise<void> {
  const hidden = await ctx.db
    .selectFrom('knowledge_spaces')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .select('deleted_links')
    .executeTakeFirst()
  if (!hidden) throw new AppError('not_found')
  await ctx.db
    .updateTable('knowledge_spaces')
    .set({ deleted_at: null, deleted_links: '[]' })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .execute()
  const living = await livingAgents(ctx, hidden.deleted_links)
  if (living.length === 0) return
  await ctx.db
    .insertInto('agent_knowledge_spaces')
    .values(
      living.map((link) => ({
        organization_id: ctx.organizationId,
        agent_id: link.agentId,
        knowledge_space_id: id,
        disabled_sources: JSON.stringify(link.disabledSources),
        tags: JSON.stringify(link.tags ?? []),
        languages: JSON.stringify(link.languages ?? []),
        created_at: new Date(link.createdAt),
      })),
    )
    .execute()
}

/** Deletes a hidden space with everything in it, except stored files. @returns whether it was still hidden */
export async function deleteHiddenSpace(ctx: OrgStoreContext, id: SpaceId, hiddenUntil: Date): Promise<boolean> {
  const deleted = await ctx.db
    .deleteFrom('knowledge_spaces')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('deleted_at', '<=', hiddenUntil)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}

export type HiddenSpace = { organizationId: Id<'organizations'>; id: SpaceId }

/** Spaces of all organizations that were hidden by then. */
export async function listHiddenSpaces(ctx: StoreContext, hiddenUntil: Date): Promise<HiddenSpace[]> {
  const rows = await ctx.db
    .selectFrom('knowledge_spaces')
    .where('deleted_at', '<=', hiddenUntil)
    .select(['organization_id', 'id'])
    .execute()
  return rows.map((row) => ({ organizationId: row.organization_id, id: row.id }))
}

async function livingAgents(ctx: OrgStoreContext, links: DeletedLink[]): Promise<DeletedLink[]> {
  if (links.length === 0) return []
  const rows = await ctx.db
    .selectFrom('agents')
    .where('organization_id', '=', ctx.organizationId)
    .where(
      'id',
      'in',
      links.map((link) => link.agentId),
    )
    .where('deleted_at', 'is', null)
    .select('id')
    .execute()
  const living = new Set(rows.map((row) => row.id))
  return links.filter((link) => living.has(link.agentId))
}
