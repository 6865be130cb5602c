// SQL of what may never have come in: since when and until when nobody can say.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** Signs of life are written now and then, and clocks differ: what was heard shortly before may be read twice. */
const MARGIN = sql.lit('10 minutes')
/** For so long people are shown it. */
export const MISSED_SHOWN = sql.lit('30 days')

/**
 * Since when what came in has to be read in another way: up to then everything is known, by the last message, or the beginning of the
 * connection. Kept until all of it is taken: what is taken meanwhile is a last message too. Milliseconds.
 */
export async function beginGap(ctx: OrgStoreContext, id: Id<'channelConnections'>): Promise<number> {
  const { at } = await ctx.db
    .updateTable('channel_connections')
    .set({ gap_since: sql<Date>`coalesce(gap_since, greatest(linked_at, last_inbound_at - interval ${MARGIN}))` })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .returning('gap_since as at')
    .$narrowType<{ at: Date }>()
    .executeTakeFirstOrThrow()
  return at.getTime()
}

/** Something may be missing from then until now, and from before that where it was so lately. */
export async function noteMissed(ctx: OrgStoreContext, id: Id<'channelConnections'>, since: number): Promise<void> {
  await sql`
    update channel_connections set missed_until = now(), missed_since = least(to_timestamp(${since}::float8 / 1000),
      case when missed_until > now() - interval ${MISSED_SHOWN} then missed_since end)
    where organization_id = ${ctx.organizationId} and id = ${id}`.execute(ctx.db)
}
