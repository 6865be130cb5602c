// SQL of how many visitors of web chats are answered in the current hour.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { Crowd } from './crowd.rules.ts'

/** Stands for all sites of the organization. */
const ALL_SITES = ''

/** Counts an answer to a visitor. The row of the organization comes first, so that two that count at once never wait for each other. */
export async function countVisitor(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
  isNew: boolean,
): Promise<{ site: Crowd; organization: Crowd }> {
  const { rows } = await sql<Crowd & { connectionId: string }>`
    insert into visitor_counts as v (organization_id, connection_id, hour, new_visitors, answers)
    select ${ctx.organizationId}, site, date_trunc('hour', now(), 'UTC'), ${isNew ? 1 : 0}::int, 1
    from unnest(array[${ALL_SITES}, ${connectionId}]::text[]) with ordinality as sites (site, place) order by place
    on conflict (organization_id, connection_id, hour) do update
      set new_visitors = v.new_visitors + excluded.new_visitors, answers = v.answers + 1
    returning connection_id as "connectionId", new_visitors as "newVisitors", answers`.execute(ctx.db)
  const crowdOf = (id: string) => rows.find((row) => row.connectionId === id) ?? { newVisitors: 1, answers: 1 }
  const organization = crowdOf(ALL_SITES)
  if (organization.answers === 1) await forgetOld(ctx)
  return { site: crowdOf(connectionId), organization }
}

async function forgetOld(ctx: OrgStoreContext): Promise<void> {
  await sql`delete from visitor_counts
    where organization_id = ${ctx.organizationId} and hour < now() - interval '2 hours'`.execute(ctx.db)
}
