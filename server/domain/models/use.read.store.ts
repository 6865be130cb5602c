// SQL of what models are used for: agents that answer with them.
import { sql } from 'kysely'
import type { StoreContext } from '#server/platform/db/database.ts'

/** Agents of all organizations by the model that answers their customers. */
export async function countAgentsByModel({ db }: StoreContext): Promise<Map<string, number>> {
  const model = sql<string>`v.settings ->> 'model'`
  const rows = await db
    .selectFrom('agents as a')
    .innerJoin('agent_versions as v', (join) =>
      join.onRef('v.agent_id', '=', 'a.id').onRef('v.number', '=', 'a.live_version'),
    )
    .where('a.deleted_at', 'is', null)
    .groupBy(model)
    .select(({ fn }) => [model.as('model'), fn.countAll<number>().as('count')])
    .execute()
  return new Map(rows.map(({ model: name, count }) => [name, Number(count)]))
}
