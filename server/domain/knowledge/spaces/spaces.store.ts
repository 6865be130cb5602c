// SQL for knowledge spaces and their links to agents.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import {
  type Enough,
  KNOWLEDGE_SOURCES,
  type KnowledgeSource,
  type KnowledgeSpace,
  type PassageSize,
  type SpaceLink,
} from '#shared/knowledge/knowledge.ts'
import type { SourceLanguage } from '#shared/knowledge/knowledge-marks.ts'

type SpaceId = Id<'knowledgeSpaces'>
type Link = { spaceId: SpaceId; agentId: Id<'agents'> }

/** All spaces of the organization, oldest first. */
export async function listSpaces(ctx: OrgStoreContext): Promise<KnowledgeSpace[]> {
  const rows = await spaces(ctx).orderBy('created_at').orderBy('id').execute()
  return rows.map(toSpace)
}

/** @throws AppError not_found */
export async function getSpace(ctx: OrgStoreContext, id: SpaceId): Promise<KnowledgeSpace> {
  const row = await spaces(ctx).where('id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return toSpace(row)
}

/** @throws AppError not_found */
export async function getSpaceBySlug(ctx: OrgStoreContext, slug: string): Promise<KnowledgeSpace> {
  const row = await spaces(ctx).where('slug', '=', slug).executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return toSpace(row)
}

/** @throws AppError not_found. Cheaper than reading the space. */
export async function assertSpace(ctx: OrgStoreContext, id: SpaceId): Promise<void> {
  const row = await ctx.db
    .selectFrom('knowledge_spaces')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .select('id')
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
}

/** Slugs that begin like this one, of spaces that wait to be deleted too. */
export async function listSlugsLike(ctx: OrgStoreContext, slug: string): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('knowledge_spaces')
    .where('organization_id', '=', ctx.organizationId)
    .where('slug', 'like', `${slug}%`)
    .select('slug')
    .execute()
  return rows.map((row) => row.slug)
}

/** Adds an empty space. */
export async function insertSpace(
  ctx: OrgStoreContext,
  space: { id: SpaceId; slug: string; name: string; description: string },
  now: Date,
): Promise<void> {
  await ctx.db
    .insertInto('knowledge_spaces')
    .values({ ...space, organization_id: ctx.organizationId, created_at: now, updated_at: now })
    .execute()
}

/** @throws AppError not_found */
export async function updateSpace(
  ctx: OrgStoreContext,
  id: SpaceId,
  patch: {
    name?: string | undefined
    description?: string | undefined
    enabledSources?: readonly KnowledgeSource[] | undefined
    enough?: Enough | undefined
    passages?: PassageSize | undefined
  },
  now: Date,
): Promise<void> {
  const changed = await ctx.db
    .updateTable('knowledge_spaces')
    .set({
      updated_at: now,
      ...(patch.name !== undefined && { name: patch.name }),
      ...(patch.description !== undefined && { description: patch.description }),
      ...(patch.enabledSources && { disabled_sources: allBut(patch.enabledSources) }),
      ...(patch.enough && { enough_words: patch.enough.words, enough_meaning: patch.enough.meaning }),
      ...(patch.passages && { passage_length: patch.passages.length, passage_overlap: patch.passages.overlap }),
    })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!changed) throw new AppError('not_found')
}

/** Names of the agents that use a space, by alphabet. */
export async function listAgentNames(ctx: OrgStoreContext, id: SpaceId): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('agent_knowledge_spaces')
    .innerJoin('agents', (join) =>
      join
        .onRef('agents.id', '=', 'agent_knowledge_spaces.agent_id')
        .on('agents.organization_id', '=', ctx.organizationId),
    )
    .where('agent_knowledge_spaces.organization_id', '=', ctx.organizationId)
    .where('agent_knowledge_spaces.knowledge_space_id', '=', id)
    .select('agents.name')
    .orderBy('agents.name')
    .execute()
  return rows.map((row) => row.name)
}

/** @throws AppError agent_unavailable for a removed agent as well */
export async function assertAgent(ctx: OrgStoreContext, id: Id<'agents'>): Promise<void> {
  const row = await ctx.db
    .selectFrom('agents')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .select('id')
    .executeTakeFirst()
  if (!row) throw new AppError('agent_unavailable')
}

/** Safe to repeat. */
export async function insertLink(ctx: OrgStoreContext, { spaceId, agentId }: Link): Promise<void> {
  await ctx.db
    .insertInto('agent_knowledge_spaces')
    .values({ organization_id: ctx.organizationId, agent_id: agentId, knowledge_space_id: spaceId })
    .onConflict((conflict) => conflict.columns(['agent_id', 'knowledge_space_id']).doNothing())
    .execute()
}

/** The agents that use a space and what of it, in the order in which they began to. */
export async function listLinks(ctx: OrgStoreContext, spaceId: SpaceId): Promise<SpaceLink[]> {
  const rows = await ctx.db
    .selectFrom('agent_knowledge_spaces')
    .where('organization_id', '=', ctx.organizationId)
    .where('knowledge_space_id', '=', spaceId)
    .select(['agent_id', 'disabled_sources', 'tags', 'languages'])
    .orderBy('created_at')
    .orderBy('agent_id')
    .execute()
  return rows.map((row) => ({
    agentId: row.agent_id,
    enabledSources: enabledOf(row.disabled_sources),
    tags: row.tags,
    languages: row.languages,
  }))
}

/** Says what of a space an agent may use. @throws AppError not_found when it does not use the space */
export async function updateLink(
  ctx: OrgStoreContext,
  { spaceId, agentId }: Link,
  patch: {
    enabledSources?: readonly KnowledgeSource[] | undefined
    tags?: readonly string[] | undefined
    languages?: readonly SourceLanguage[] | undefined
  },
): Promise<void> {
  const changed = await ctx.db
    .updateTable('agent_knowledge_spaces')
    .set({
      agent_id: agentId,
      ...(patch.enabledSources && { disabled_sources: allBut(patch.enabledSources) }),
      ...(patch.tags && { tags: JSON.stringify([...new Set(patch.tags)]) }),
      ...(patch.languages && { languages: JSON.stringify([...new Set(patch.languages)]) }),
    })
    .where('organization_id', '=', ctx.organizationId)
    .where('agent_id', '=', agentId)
    .where('knowledge_space_id', '=', spaceId)
    .returning('agent_id')
    .executeTakeFirst()
  if (!changed) throw new AppError('not_found')
}

/** Safe to repeat. */
export async function deleteLink(ctx: OrgStoreContext, { spaceId, agentId }: Link): Promise<void> {
  await ctx.db
    .deleteFrom('agent_knowledge_spaces')
    .where('organization_id', '=', ctx.organizationId)
    .where('agent_id', '=', agentId)
    .where('knowledge_space_id', '=', spaceId)
    .execute()
}

/** An agent that is removed uses no space any more. */
export async function deleteLinksOf(ctx: OrgStoreContext, agentId: Id<'agents'>): Promise<void> {
  await ctx.db
    .deleteFrom('agent_knowledge_spaces')
    .where('organization_id', '=', ctx.organizationId)
    .where('agent_id', '=', agentId)
    .execute()
}

function spaces(ctx: OrgStoreContext) {
  const { organizationId } = ctx
  return ctx.db
    .selectFrom('knowledge_spaces')
    .where('knowledge_spaces.organization_id', '=', organizationId)
    .where('knowledge_spaces.deleted_at', 'is', null)
    .select(['id', 'slug', 'name', 'description', 'disabled_sources', 'enough_words', 'enough_meaning'])
    .select(['passage_length', 'passage_overlap', 'organization_id', 'created_at', 'updated_at'])
    .select((eb) => [
      eb
        .selectFrom('documents')
        .where('documents.organization_id', '=', organizationId)
        .whereRef('documents.knowledge_space_id', '=', 'knowledge_spaces.id')
        .select((count) => count.fn.countAll<string>().as('count'))
        .as('documents'),
      eb
        .selectFrom('fragments')
        .where('fragments.organization_id', '=', organizationId)
        .whereRef('fragments.knowledge_space_id', '=', 'knowledge_spaces.id')
        .select((count) => count.fn.countAll<string>().as('count'))
        .as('fragments'),
      eb
        .selectFrom('knowledge_tables')
        .where('knowledge_tables.organization_id', '=', organizationId)
        .whereRef('knowledge_tables.knowledge_space_id', '=', 'knowledge_spaces.id')
        .select((count) => count.fn.countAll<string>().as('count'))
        .as('tables'),
      eb
        .selectFrom('agent_knowledge_spaces as link')
        .where('link.organization_id', '=', organizationId)
        .whereRef('link.knowledge_space_id', '=', 'knowledge_spaces.id')
        .select((count) => count.fn.countAll<string>().as('count'))
        .as('linked_agents'),
    ])
}

type SpaceRow = Awaited<ReturnType<ReturnType<typeof spaces>['executeTakeFirstOrThrow']>>

function toSpace(row: SpaceRow): KnowledgeSpace {
  return {
    _id: row.id,
    slug: row.slug,
    name: row.name,
    organizationId: row.organization_id,
    description: row.description,
    enabledSources: enabledOf(row.disabled_sources),
    enough: { words: row.enough_words, meaning: row.enough_meaning },
    passages: { length: row.passage_length, overlap: row.passage_overlap },
    linkedAgents: Number(row.linked_agents),
    documents: Number(row.documents),
    fragments: Number(row.fragments),
    tables: Number(row.tables),
    createdAt: row.created_at.getTime(),
    updatedAt: row.updated_at.getTime(),
  }
}

/** Stored is what is off, so that a new kind of source is on everywhere. */
function allBut(enabled: readonly KnowledgeSource[]): string {
  return JSON.stringify(KNOWLEDGE_SOURCES.filter((source) => !enabled.includes(source)))
}

function enabledOf(disabled: readonly KnowledgeSource[]): KnowledgeSource[] {
  return KNOWLEDGE_SOURCES.filter((source) => !disabled.includes(source))
}
