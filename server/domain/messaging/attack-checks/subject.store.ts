// SQL of the agent that is checked: as it was saved last, published or not.
import { sql } from 'kysely'
import { settingsOfText } from '#server/domain/agents/settings-text.ts'
import { flagOf } from '#server/domain/flags/flags.store.ts'
import { listCallableMcp } from '#server/domain/mcp-servers/tools.store.ts'
import { listCallable } from '#server/domain/tools/tools.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { type AgentFacts, agentFacts, withSpaces } from '../turns/agent-facts.store.ts'
import type { Turn } from '../turns/turn.ts'
import type { AddedTools } from './carriers.ts'

type Facts = Required<Pick<Turn, 'timeZone' | 'organizationName' | 'template' | 'flags'>> & { isSuspended: boolean }
/** The agent with what of its organization an answer depends on. */
export type Subject = Facts & { agent: Turn['agent']; added: AddedTools }

/** Undefined once the agent has been deleted. */
export async function findSubject(ctx: OrgStoreContext, agentId: Id<'agents'>): Promise<Subject | undefined> {
  const { rows } = await sql<Facts & { agent: AgentFacts }>`
    select ${agentFacts} as agent, o.time_zone as "timeZone", coalesce(nullif(o.display_name, ''), o.name) as "organizationName",
      (select json_build_object('number', number, 'text', text) from prompt_templates order by number desc limit 1) as template,
      json_build_object('voice', ${flagOf('voice')}, 'webSearch', ${flagOf('web_search')}) as flags,
      o.suspended_at is not null as "isSuspended"
    from agents a
    join agent_versions v on v.organization_id = a.organization_id and v.agent_id = a.id and v.number = a.latest_version
    join organizations o on o.id = a.organization_id
    ${withSpaces}
    where a.organization_id = ${ctx.organizationId} and a.id = ${agentId} and a.deleted_at is null`.execute(ctx.db)
  const row = rows[0]
  if (!row) return undefined
  const agent = { ...row.agent, settings: settingsOfText(row.agent.settings) }
  const { tools, mcpTools } = agent.settings.functions
  return { ...row, agent, added: { http: await listCallable(ctx, tools), mcp: await listCallableMcp(ctx, mcpTools) } }
}
