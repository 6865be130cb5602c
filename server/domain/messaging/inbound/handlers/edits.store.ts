// SQL of changes of messages as they were told: each is kept with the notification that told it, under the message that it changes. It may
// come before that message, or after a later change:
//
// 1. a customer writes, and changes what they wrote;
// 2. the change comes in, and finds no message with that id of the provider;
// 3. the message comes in as it was at first.
//
// The change of step 2 is found in step 3. A lock on the message lets the two steps come one after the other: without it each could look
// before the other has committed. It is taken before the conversation is held, by a statement of its own: the next one sees what was
// committed while the lock was waited for.
import { type RawBuilder, sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** A message, as a provider names it. */
export type Named = { chatId: string; externalMessageId: string; isGlobalId?: true }

/** Providers deliver again for about a day. A change of a message that has not come by then is of one that we were never told of. */
const LOOKED_AT = sql.lit('24 hours')
/** The newest of very many. */
const CHANGES_AT_ONCE = 50

/** Of `inbound`: the message that is changed. */
export function editOf({ chatId, externalMessageId, isGlobalId }: Named): string {
  return isGlobalId ? externalMessageId : `${chatId} ${externalMessageId}`
}

/** Whether a change has come; looked at once the message is locked. */
export function hasEdits(
  { organizationId }: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
  said: Named,
): RawBuilder<boolean> {
  return sql<boolean>`exists (select from inbound where organization_id = ${organizationId} and connection_id = ${connectionId}
    and edit_of = ${editOf(said)})`
}

/** Holds what is told of a message until the transaction ends: no change of it comes in, and it does not itself. */
export async function lockEdits(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
  said: Named,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`edit ${connectionId} ${editOf(said)}`}, 0))`.execute(
    ctx.db,
  )
}

/** The changes of a message as they came, in that order. */
export async function listEdits(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
  said: Named,
): Promise<unknown[]> {
  const { rows } = await sql<{ payload: unknown }>`
    select payload from inbound where organization_id = ${ctx.organizationId} and connection_id = ${connectionId}
      and edit_of = ${editOf(said)} and received_at > now() - interval ${LOOKED_AT}
    order by received_at desc limit ${CHANGES_AT_ONCE}::int`.execute(ctx.db)
  return rows.map(({ payload }) => payload).reverse()
}
