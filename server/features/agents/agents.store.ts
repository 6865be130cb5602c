// SQL for agents.
import type { Selectable } from 'kysely'
import type { OrgStoreContext } from '#server/db/database.ts'
import type { AgentsTable } from '#server/db/tables/agents.ts'
import type { Agent, AgentFunction, AgentPatch } from '#shared/agents.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'

export type NewAgent = {
  id: Id<'agents'>
  slug: string
  name: string
  systemPrompt: string
  model: string
  temperature: number
}

/** All agents of the organization, oldest first. */
export async function listAgents(ctx: OrgStoreContext): Promise<Agent[]> {
  const rows = await agents(ctx).selectAll().orderBy('created_at').orderBy('id').execute()
  const links = await ctx.db
    .selectFrom('agent_knowledge_spaces')
    .where('organization_id', '=', ctx.organizationId)
    .select(['agent_id', 'knowledge_space_id'])
    .orderBy('created_at')
    .execute()
  return rows.map((row) =>
    toAgent(
      row,
      links.filter((link) => link.agent_id === row.id).map((link) => link.knowledge_space_id),
    ),
  )
}

/** One agent by id. @throws AppError not_found */
export async function getAgent(ctx: OrgStoreContext, id: Id<'agents'>): Promise<Agent> {
  const row = await agents(ctx).where('id', '=', id).selectAll().executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return toAgent(row, await listSpaceIds(ctx, row.id))
}

/** One agent by slug. @throws AppError not_found */
export async function getAgentBySlug(ctx: OrgStoreContext, slug: string): Promise<Agent> {
  const row = await agents(ctx).where('slug', '=', slug).selectAll().executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return toAgent(row, await listSpaceIds(ctx, row.id))
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

/** Adds an agent. */
export async function insertAgent(ctx: OrgStoreContext, agent: NewAgent, now: Date): Promise<void> {
  await ctx.db
    .insertInto('agents')
    .values({
      id: agent.id,
      organization_id: ctx.organizationId,
      slug: agent.slug,
      name: agent.name,
      avatar: null,
      system_prompt: agent.systemPrompt,
      model: agent.model,
      temperature: agent.temperature,
      created_at: now,
      updated_at: now,
      deleted_at: null,
    })
    .execute()
}

/** Changes what the patch names. @throws AppError not_found */
export async function updateAgent(ctx: OrgStoreContext, id: Id<'agents'>, patch: AgentPatch, now: Date): Promise<void> {
  const changed = await ctx.db
    .updateTable('agents')
    .set({
      updated_at: now,
      ...(patch.name !== undefined && { name: patch.name }),
      ...(patch.avatar !== undefined && { avatar: patch.avatar }),
      ...(patch.systemPrompt !== undefined && { system_prompt: patch.systemPrompt }),
      ...(patch.model !== undefined && { model: patch.model }),
      ...(patch.temperature !== undefined && { temperature: patch.temperature }),
    })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!changed) throw new AppError('not_found')
}

/** Takes an agent out of use, keeping it for its conversations; its knowledge is unlinked. @throws AppError not_found */
export async function removeAgent(ctx: OrgStoreContext, id: Id<'agents'>, now: Date): Promise<void> {
  const removed = await ctx.db
    .updateTable('agents')
    .set({ deleted_at: now, updated_at: now })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!removed) throw new AppError('not_found')
  await ctx.db
    .deleteFrom('agent_knowledge_spaces')
    .where('organization_id', '=', ctx.organizationId)
    .where('agent_id', '=', id)
    .execute()
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
  return ctx.db.selectFrom('agents').where('organization_id', '=', ctx.organizationId).where('deleted_at', 'is', null)
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

function toAgent(row: Selectable<AgentsTable>, knowledgeSpaceIds: Id<'knowledgeSpaces'>[]): Agent {
  return {
    _id: row.id,
    slug: row.slug,
    name: row.name,
    organizationId: row.organization_id,
    avatar: row.avatar,
    systemPrompt: row.system_prompt,
    model: row.model,
    temperature: row.temperature,
    knowledgeSpaceIds,
    createdAt: row.created_at.getTime(),
    updatedAt: row.updated_at.getTime(),
  }
}
