// SQL of agents on which the template is tried.
import { sql } from 'kysely'
import type { StoreContext } from '#server/platform/db/database.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'

const EXAMPLES_MAX = 50

/** Names as an answer would have them, and the agent's own instructions. */
export type Example = { agent: string; organization: string; instructions: string }

/** The agents changed last, of all organizations. */
export function listExamples(ctx: StoreContext): Promise<{ _id: Id<'agents'>; agent: string; organization: string }[]> {
  return agents(ctx)
    .select(['agents.id as _id', 'agents.name as agent', organizationName().as('organization')])
    .orderBy('agents.updated_at', 'desc')
    .limit(EXAMPLES_MAX)
    .execute()
}

/** One agent, with the instructions that answer customers. @throws AppError not_found */
export async function findExample(ctx: StoreContext, id: Id<'agents'>): Promise<Example> {
  const row = await agents(ctx)
    .innerJoin('agent_versions', (join) =>
      join
        .onRef('agent_versions.agent_id', '=', 'agents.id')
        .onRef('agent_versions.number', '=', 'agents.live_version'),
    )
    .where('agents.id', '=', id)
    .select([
      'agents.name as agent',
      organizationName().as('organization'),
      sql<string>`agent_versions.settings ->> 'systemPrompt'`.as('instructions'),
    ])
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return { ...row, instructions: row.instructions ?? '' }
}

function agents({ db }: StoreContext) {
  return db
    .selectFrom('agents')
    .innerJoin('organizations', 'organizations.id', 'agents.organization_id')
    .where('agents.deleted_at', 'is', null)
}

function organizationName() {
  return sql<string>`coalesce(nullif(organizations.display_name, ''), organizations.name)`
}
