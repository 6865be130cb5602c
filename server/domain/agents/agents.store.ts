// SQL for agents.
import { sql } from 'kysely'
import { deleteLinksOf } from '#server/domain/knowledge/spaces/spaces.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'
import type { Agent, AgentFunction, AgentSummary } from '#shared/agents/agents.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { settingsOfText } from './settings-text.ts'

export type NewAgent = {
  id: Id<'agents'>
  slug: string
  name: string
  settings: AgentSettings
  authorId: Id<'users'> | null
}

/** A version that is saved on top of the newest one. */
export type NewVersion = {
  settings: AgentSettings
  authorId: Id<'users'> | null
  isLive: boolean
  restoredFrom: number | null
}

/** All agents of the organization, oldest first. */
export async function listAgents(ctx: OrgStoreContext): Promise<AgentSummary[]> {
  const rows = await agents(ctx).orderBy('agents.created_at').orderBy('agents.id').execute()
  const links = await ctx.db
    .selectFrom('agent_knowledge_spaces')
    .where('organization_id', '=', ctx.organizationId)
    .select(['agent_id', 'knowledge_space_id'])
    .orderBy('created_at')
    .execute()
  const linksOf = Map.groupBy(links, (link) => link.agent_id)
  return rows.map((row) =>
    toSummary(
      row,
      (linksOf.get(row.id) ?? []).map((link) => link.knowledge_space_id),
    ),
  )
}

/** One agent that was not removed; undefined for every other. */
export async function findAgent(ctx: OrgStoreContext, id: Id<'agents'>): Promise<Agent | undefined> {
  const row = await agents(ctx).where('agents.id', '=', id).executeTakeFirst()
  return row && toAgent(row, await listSpaceIds(ctx, row.id))
}

/** The same by its slug. */
export async function findAgentBySlug(ctx: OrgStoreContext, slug: string): Promise<Agent | undefined> {
  const row = await agents(ctx).where('agents.slug', '=', slug).executeTakeFirst()
  return row && toAgent(row, await listSpaceIds(ctx, row.id))
}

/** @throws AppError agent_unavailable */
export async function getAgent(ctx: OrgStoreContext, id: Id<'agents'>): Promise<Agent> {
  const agent = await findAgent(ctx, id)
  if (!agent) throw new AppError('agent_unavailable')
  return agent
}

/** Slugs that begin like this one, those of removed agents included. */
export async function listSlugsLike(ctx: OrgStoreContext, slug: string): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('agents')
    .where('organization_id', '=', ctx.organizationId)
    .where('slug', 'like', `${slug}%`)
    .select('slug')
    .execute()
  return rows.map((row) => row.slug)
}

/** Adds an agent with its first version. */
export async function insertAgent(ctx: OrgStoreContext, agent: NewAgent, now: Date): Promise<void> {
  await ctx.db
    .insertInto('agents')
    .values({
      id: agent.id,
      organization_id: ctx.organizationId,
      slug: agent.slug,
      name: agent.name,
      avatar: null,
      created_at: now,
      updated_at: now,
      deleted_at: null,
    })
    .execute()
  await insertVersion(ctx, agent.id, 1, { settings: agent.settings, authorId: agent.authorId, restoredFrom: null }, now)
}

/** Locks an agent, so that versions get their numbers one after another. @throws AppError agent_unavailable */
export async function lockAgent(ctx: OrgStoreContext, id: Id<'agents'>): Promise<Agent> {
  const locked = await ctx.db
    .selectFrom('agents')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .select('id')
    .forUpdate()
    .executeTakeFirst()
  if (!locked) throw new AppError('agent_unavailable')
  return getAgent(ctx, id)
}

/** Saves a version on top of the newest one. The agent is locked by the caller. @returns its number */
export async function addVersion(ctx: OrgStoreContext, agent: Agent, version: NewVersion, now: Date): Promise<number> {
  const number = agent.version + 1
  await insertVersion(ctx, agent._id, number, version, now)
  await ctx.db
    .updateTable('agents')
    .set({ latest_version: number, ...(version.isLive && { live_version: number }), updated_at: now })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', agent._id)
    .execute()
  return number
}

/** Who saved the newest version of an agent; null when their account is gone. */
export async function findAuthor(ctx: OrgStoreContext, agent: Agent): Promise<Id<'users'> | null> {
  const row = await ctx.db
    .selectFrom('agent_versions')
    .where('organization_id', '=', ctx.organizationId)
    .where('agent_id', '=', agent._id)
    .where('number', '=', agent.version)
    .select('author_id')
    .executeTakeFirst()
  return row?.author_id ?? null
}

/** Lets a version answer customers. */
export async function setLiveVersion(
  ctx: OrgStoreContext,
  id: Id<'agents'>,
  version: number,
  now: Date,
): Promise<void> {
  await ctx.db
    .updateTable('agents')
    .set({ live_version: version, updated_at: now })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .execute()
}

/** Updates the fields that are not part of a version. @throws AppError agent_unavailable */
export async function updateIdentity(
  ctx: OrgStoreContext,
  id: Id<'agents'>,
  patch: { name?: string | undefined; avatar?: string | null | undefined },
  now: Date,
): Promise<void> {
  const changed = await ctx.db
    .updateTable('agents')
    .set({
      updated_at: now,
      ...(patch.name !== undefined && { name: patch.name }),
      ...(patch.avatar !== undefined && { avatar: patch.avatar }),
    })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!changed) throw new AppError('agent_unavailable')
}

/** Takes an agent out of use, keeping it for its conversations; its knowledge is unlinked. @throws AppError agent_unavailable */
export async function removeAgent(ctx: OrgStoreContext, id: Id<'agents'>, now: Date): Promise<void> {
  const removed = await ctx.db
    .updateTable('agents')
    .set({ deleted_at: now, updated_at: now })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!removed) throw new AppError('agent_unavailable')
  await deleteLinksOf(ctx, id)
}

/** What agents can do besides talking, of one agent or of all. */
export async function listFunctions(ctx: OrgStoreContext, agentId: Id<'agents'> | undefined): Promise<AgentFunction[]> {
  let query = ctx.db
    .selectFrom('agent_knowledge_spaces')
    .innerJoin('knowledge_spaces', (join) =>
      join
        .onRef('knowledge_spaces.id', '=', 'agent_knowledge_spaces.knowledge_space_id')
        .on('knowledge_spaces.organization_id', '=', ctx.organizationId),
    )
    .where('agent_knowledge_spaces.organization_id', '=', ctx.organizationId)
    .select(['agent_knowledge_spaces.agent_id', 'knowledge_spaces.id', 'knowledge_spaces.name'])
    .orderBy('agent_knowledge_spaces.created_at')
  if (agentId) query = query.where('agent_knowledge_spaces.agent_id', '=', agentId)
  const functions = new Map<Id<'agents'>, AgentFunction>()
  for (const row of await query.execute()) {
    const found = functions.get(row.agent_id)
    if (found) found.knowledgeSpaces.push({ _id: row.id, name: row.name })
    else
      functions.set(row.agent_id, {
        agentId: row.agent_id,
        name: 'knowledge_search',
        knowledgeSpaces: [{ _id: row.id, name: row.name }],
      })
  }
  return [...functions.values()]
}

function agents(ctx: OrgStoreContext) {
  return ctx.db
    .selectFrom('agents')
    .innerJoin('agent_versions', (join) =>
      join
        .onRef('agent_versions.agent_id', '=', 'agents.id')
        .onRef('agent_versions.number', '=', 'agents.latest_version'),
    )
    .where('agents.organization_id', '=', ctx.organizationId)
    .where('agent_versions.organization_id', '=', ctx.organizationId)
    .where('agents.deleted_at', 'is', null)
    .selectAll('agents')
    .select(sql<string>`agent_versions.settings::text`.as('settings'))
}

type Row = Awaited<ReturnType<ReturnType<typeof agents>['executeTakeFirstOrThrow']>>

async function insertVersion(
  ctx: OrgStoreContext,
  agentId: Id<'agents'>,
  number: number,
  version: Omit<NewVersion, 'isLive'>,
  now: Date,
): Promise<void> {
  await ctx.db
    .insertInto('agent_versions')
    .values({
      id: newId('agentVersions'),
      organization_id: ctx.organizationId,
      agent_id: agentId,
      number,
      settings: JSON.stringify(version.settings),
      author_id: version.authorId,
      restored_from: version.restoredFrom,
      created_at: now,
    })
    .execute()
}

async function listSpaceIds(ctx: OrgStoreContext, agentId: Id<'agents'>): Promise<Id<'knowledgeSpaces'>[]> {
  const rows = await ctx.db
    .selectFrom('agent_knowledge_spaces')
    .where('organization_id', '=', ctx.organizationId)
    .where('agent_id', '=', agentId)
    .select('knowledge_space_id')
    .orderBy('created_at')
    .execute()
  return rows.map((row) => row.knowledge_space_id)
}

function toAgent(row: Row, knowledgeSpaceIds: Id<'knowledgeSpaces'>[]): Agent {
  return { ...toSummary(row, knowledgeSpaceIds), ...settingsOfText(row.settings) }
}

function toSummary(row: Row, knowledgeSpaceIds: Id<'knowledgeSpaces'>[]): AgentSummary {
  const { systemPrompt, model, temperature } = settingsOfText(row.settings)
  return {
    _id: row.id,
    slug: row.slug,
    name: row.name,
    organizationId: row.organization_id,
    avatar: row.avatar,
    systemPrompt,
    model,
    temperature,
    knowledgeSpaceIds,
    version: row.latest_version,
    liveVersion: row.live_version,
    createdAt: row.created_at.getTime(),
    updatedAt: row.updated_at.getTime(),
  }
}
