// SQL of parts whose sending had an unknown outcome: which a provider can be asked about, and what it has told of them.
import { sql } from 'kysely'
import { type Channels, TAKEN_IS_TOLD_MS } from '#server/adapters/channel.ts'
import type { OrgStoreContext, StoreContext } from '#server/db/database.ts'
import { SECRETS, type StoredConnection } from '#server/features/channels/connections.store.ts'
import type { Id } from '#shared/ids.ts'
import { applyEarlyReceipts, lockReceipts } from './receipts.store.ts'
import type { FoundPart, UnknownPart } from './unknown-sends.rules.ts'

/** As long as providers keep what they have sent. */
const KEPT = sql.lit('24 hours')
/** Of one connection, at a time. */
const PARTS_AT_ONCE = 100

/** A text that may be among those that the provider has taken, and was not looked for in vain. Files and templates have no text to go by. */
const isOpen = sql<boolean>`o.status = 'unknown' and o.error is distinct from 'not_taken' and o.text <> '' and o.attachment_id is null
  and o.template is null and o.external_message_id is null and o.updated_at > now() - interval ${KEPT}`

/** Live connections of these channels with such parts, over all organizations. */
export function listUncertain(ctx: StoreContext, channels: (keyof Channels)[]): Promise<StoredConnection[]> {
  return ctx.db
    .selectFrom('channel_connections')
    .where('channel', 'in', channels)
    .where('disconnected_at', 'is', null)
    .where('status', '<>', 'error')
    .where(sql<boolean>`exists (select from outbox o where o.connection_id = channel_connections.id and ${isOpen})`)
    .select(SECRETS)
    .execute()
}

/** The oldest first. `triedAt`: when it was first sent, milliseconds. `isLate`: the provider would tell of it by now. */
export async function listUnknownParts(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
): Promise<(UnknownPart & { triedAt: number; isLate: boolean })[]> {
  const { rows } = await sql<UnknownPart & { triedAt: Date; isLate: boolean }>`
    select o.id, o.external_chat_id as "chatId", o.text, coalesce(o.first_tried_at, o.created_at) as "triedAt",
      o.updated_at < now() - ${TAKEN_IS_TOLD_MS}::int * interval '1 millisecond' as "isLate"
    from outbox o where o.organization_id = ${ctx.organizationId} and o.connection_id = ${connectionId} and ${isOpen}
    order by o.sequence limit ${PARTS_AT_ONCE}::int`.execute(ctx.db)
  return rows.map((row) => ({ ...row, triedAt: row.triedAt.getTime() }))
}

/** Of these ids of the provider, those of parts whose sending is known. */
export async function listKnownIds(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
  externalMessageIds: string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select external_message_id as id from outbox where organization_id = ${ctx.organizationId} and connection_id = ${connectionId}
      and external_message_id = any (${externalMessageIds}::text[])`.execute(ctx.db)
  return new Set(rows.map(({ id }) => id))
}

/** Writes down what has arrived after all, with what was told of it since. A part that somebody sends again meanwhile is left alone. */
export async function recordTaken(ctx: OrgStoreContext, found: FoundPart[]): Promise<void> {
  if (found.length === 0) return
  const ids = found.map(({ id }) => id)
  const externalIds = found.map(({ externalMessageId }) => externalMessageId)
  await lockReceipts(ctx, externalIds)
  await sql`
    update outbox set status = 'sent', external_message_id = r.external_id, error = null, updated_at = now()
    from unnest(${ids}::text[], ${externalIds}::text[]) as r (id, external_id)
    where outbox.organization_id = ${ctx.organizationId} and outbox.id = r.id and outbox.status = 'unknown'`.execute(
    ctx.db,
  )
  await applyEarlyReceipts(ctx, ids)
}

/** Writes down that the provider knows nothing of these parts: they stay of unknown outcome, and are not asked about again. */
export async function recordNotTaken(ctx: OrgStoreContext, ids: Id<'outbox'>[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update outbox set error = 'not_taken', updated_at = now()
    where organization_id = ${ctx.organizationId} and id = any (${ids}::text[]) and status = 'unknown'`.execute(ctx.db)
}
