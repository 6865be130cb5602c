// SQL of an agent as its knowledge is searched for customers.

import { findSealedKeys } from '#server/domain/agents/keys.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { SearchingAgent } from '../replies/context/search-knowledge.ts'

/** By its live version. @throws AppError agent_unavailable for a removed agent as well */
export async function getSearchingAgent(ctx: OrgStoreContext, id: Id<'agents'>): Promise<SearchingAgent> {
  const agent = await ctx.db
    .selectFrom('agents as a')
    .innerJoin('agent_versions as v', (join) =>
      join
        .onRef('v.agent_id', '=', 'a.id')
        .onRef('v.number', '=', 'a.live_version')
        .on('v.organization_id', '=', ctx.organizationId),
    )
    .where('a.organization_id', '=', ctx.organizationId)
    .where('a.id', '=', id)
    .where('a.deleted_at', 'is', null)
    .select(['a.name', 'v.settings'])
    .executeTakeFirst()
  if (!agent) throw new AppError('agent_unavailable')
  const links = await ctx.db
    .selectFrom('agent_knowledge_spaces as link')
    .innerJoin('knowledge_spaces as space', (join) =>
      join.onRef('space.id', '=', 'link.knowledge_space_id').on('space.organization_id', '=', ctx.organizationId),
    )
    .where('link.organization_id', '=', ctx.organizationId)
    .where('link.agent_id', '=', id)
    .select(['link.knowledge_space_id', 'link.tags', 'link.languages'])
    .select(['link.disabled_sources', 'space.disabled_sources as disabled_in_space'])
    .orderBy('link.knowledge_space_id')
    .execute()
  return {
    id,
    name: agent.name,
    settings: agentSettings.parse(agent.settings),
    keys: await findSealedKeys(ctx, id),
    spaceIds: links.map((link) => link.knowledge_space_id),
    disabledSources: Object.fromEntries(
      links.map((link) => [link.knowledge_space_id, [...link.disabled_sources, ...link.disabled_in_space]]),
    ),
    tags: Object.fromEntries(links.map((link) => [link.knowledge_space_id, link.tags])),
    languages: Object.fromEntries(links.map((link) => [link.knowledge_space_id, link.languages])),
  }
}
