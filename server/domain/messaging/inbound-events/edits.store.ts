// SQL of edits as providers report them: each is stored with its notification, under the message that it changes. An edit may arrive
// before that message, or after a later edit:
//
// 1. a customer sends a message, and edits it;
// 2. the edit arrives, and finds no message with that external id;
// 3. the message arrives with its original text.
//
// Step 3 finds the edit of step 2. A lock on the message serializes the two steps: without it each could read before the other has
// committed. It is taken before the conversation is locked, by a statement of its own, so that the next statement sees what was
// committed while the lock was waited for.
import { type RawBuilder, sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** A message by its provider's ids. */
export type Named = { chatId: string; externalMessageId: string; isGlobalId?: true }

/** Providers redeliver for about a day. A message that has not arrived by then was never delivered to us. */
const LOOKED_AT = sql.lit('24 hours')
/** Only the newest edits are read when there are very many. */
const CHANGES_AT_ONCE = 50

/** The key of the edited message in `inbound_events.edit_of`. */
export function editOf({ chatId, externalMessageId, isGlobalId }: Named): string {
  return isGlobalId ? externalMessageId : `${chatId} ${externalMessageId}`
}

/** Whether an edit of the message is stored; evaluate it after `lockEdits`. */
export function hasEdits(
  { organizationId }: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
  message: Named,
): RawBuilder<boolean> {
  return sql<boolean>`exists (select from inbound_events where organization_id = ${organizationId} and connection_id = ${connectionId}
    and edit_of = ${editOf(message)})`
}

/** Locks a message and its edits until the transaction ends: neither is stored by another transaction meanwhile. */
export async function lockEdits(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
  message: Named,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`edit ${connectionId} ${editOf(message)}`}, 0))`.execute(
    ctx.db,
  )
}

/** Payloads of the edits of a message, in order of arrival. */
export async function listEdits(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
  message: Named,
): Promise<unknown[]> {
  const { rows } = await sql<{ payload: unknown }>`
    select payload from inbound_events where organization_id = ${ctx.organizationId} and connection_id = ${connectionId}
      and edit_of = ${editOf(message)} and received_at > now() - interval ${LOOKED_AT}
    order by received_at desc limit ${CHANGES_AT_ONCE}::int`.execute(ctx.db)
  return rows.map(({ payload }) => payload).reverse()
}
