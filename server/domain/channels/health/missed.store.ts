// SQL of the time in which messages may have been missed: its begin and its end.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** Activity is recorded now and then, and clocks differ: messages from shortly before may be read twice. */
const MARGIN = sql.lit('10 minutes')
/** How long missed messages are shown. */
export const MISSED_SHOWN = sql.lit('30 days')

/**
 * Starts a gap: messages since then have to be fetched another way. It begins at the last message, up to which everything is known, or when
 * the connection was made. Kept until the gap is fetched, as messages that arrive meanwhile change the last message.
 *
 * @returns its begin, milliseconds since the epoch
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
