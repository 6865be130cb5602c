// Daily limits that were never set take the default. Until now null stood for "nothing entered"; from now on it is a person's choice.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const DEFAULTS = { agentDailyLimit: 5000, customerDailyLimit: 200 }

export async function up(db: Kysely<never>): Promise<void> {
  await run(
    db,
    Object.entries(DEFAULTS).map(
      ([limit, answers]) => `update agent_versions set settings = jsonb_set(settings, '{spam,${limit}}', '${answers}')
        where settings #> '{spam,${limit}}' = 'null'::jsonb`,
    ),
  )
}
