// SQL of parts whose sending had an unknown outcome: which a provider can be asked about, and what it has reported of them.
import { sql } from 'kysely'
import { SECRETS, type StoredConnection } from '#server/domain/channels/connections/connections.store.ts'
import { ACCEPTED_IS_LOGGED_MS } from '#server/integrations/channels/contract/capabilities.ts'
import type { Channels } from '#server/integrations/channels/registry.ts'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { isTyped, WITHHOLDING } from './deliver.store.ts'
import { applyEarlyReceipts, lockEarlyUpTo, lockReceipts } from './receipts.store.ts'
import type { FoundPart, UnknownPart } from './unknown-sends.rules.ts'

/** As long as providers keep their logs of sent messages. */
const KEPT = sql.lit('24 hours')
/** Of one connection, at a time. */
const PARTS_AT_ONCE = 100

/** How many reports are read, of one connection at a time. */
const REPORTS_AT_ONCE = 2000

/** Parts whose error is the reason for being withheld have no place to record a lookup in vain. */
const KEPT_MARKED = sql.lit('10 minutes')
/** Ignored when texts are compared. */
const SIGNS = sql.lit('*_~`#>|<-+•:()[]!\\ \n\t')
/** The provider did not know of it, and may still report it. */
const NOT_YET = 'not_taken_yet'

/**
 * A text that may be among those that the provider has accepted, and was not looked up in vain. Files and templates have no text to
 * compare; and what is being sent to the same customer with the same text could be mistaken for it.
 */
const isOpen = sql<boolean>`o.status = 'unknown' and o.error is distinct from 'not_taken' and o.text <> '' and o.attachment_id is null
  and o.template is null and o.external_message_id is null and o.updated_at > now() - interval ${KEPT}
  and (coalesce(o.error, '') not in (${WITHHOLDING}) or o.updated_at > now() - interval ${KEPT_MARKED})
  and not ${hasTwin('o')}`

/** The same text is on its way to the same customer: what differs only in signs of Markdown may be sent as the same. */
function hasTwin(part: string) {
  return sql<boolean>`exists (select from outbox twin where twin.conversation_id = ${sql.ref(`${part}.conversation_id`)}
    and twin.status in ('queued', 'claimed', 'sending') and ${wordsOf('twin')} = ${wordsOf(part)})`
}

function wordsOf(part: string) {
  return sql`translate(${sql.ref(`${part}.text`)}, ${SIGNS}, '')`
}

/** Live connections of these channels with such parts, over all organizations; in any order, so that none is always the last. */
export function listUncertain(ctx: StoreContext, channels: (keyof Channels)[]): Promise<StoredConnection[]> {
  return ctx.db
    .selectFrom('channel_connections')
    .where('channel', 'in', channels)
    .where('disconnected_at', 'is', null)
    .where('status', '<>', 'error')
    .where(sql<boolean>`exists (select from outbox o where o.connection_id = channel_connections.id and ${isOpen})`)
    .select(SECRETS)
    .orderBy(sql`random()`)
    .execute()
}

/** The oldest first. `triedAt`: when it was first sent, milliseconds. `isLate`: it was looked up in vain so long ago that the log would hold it by now. */
export async function listUnknownParts(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
): Promise<(UnknownPart & { triedAt: number; isLate: boolean })[]> {
  const { rows } = await sql<UnknownPart & { triedAt: Date; isLate: boolean }>`
    select o.id, o.external_chat_id as "chatId", o.text, ${isTyped('o')} as "isPlain", coalesce(o.first_tried_at, o.created_at) as "triedAt",
      (coalesce(o.error, '') = ${NOT_YET} and o.updated_at < now() - ${ACCEPTED_IS_LOGGED_MS}::int * interval '1 millisecond') as "isLate"
    from outbox o where o.organization_id = ${ctx.organizationId} and o.connection_id = ${connectionId} and ${isOpen}
    order by o.sequence limit ${PARTS_AT_ONCE}::int`.execute(ctx.db)
  return rows.map((row) => ({ ...row, triedAt: row.triedAt.getTime() }))
}

/** Unprocessed payloads that a provider has reported of a connection since `since` (milliseconds), as received; of very many, the newest. */
export async function listReportedPayloads(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
  since: number,
): Promise<unknown[]> {
  const { rows } = await sql<{ payload: unknown }>`
    select payload from inbound_events where organization_id = ${ctx.organizationId} and connection_id = ${connectionId}
      and status = 'ignored' and received_at >= to_timestamp(${since}::float8 / 1000)
    order by received_at desc limit ${REPORTS_AT_ONCE}::int`.execute(ctx.db)
  return rows.map(({ payload }) => payload)
}

/** Of these ids of the provider, those that belong to parts with a known outcome. */
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

/** Records what has arrived after all, with the receipts since. Parts that were resent meanwhile are left alone. */
export async function recordTaken(ctx: OrgStoreContext, found: FoundPart[]): Promise<void> {
  if (found.length === 0) return
  const ids = found.map(({ id }) => id)
  const externalIds = found.map(({ externalMessageId }) => externalMessageId)
  await lockReceipts(ctx, externalIds)
  await lockEarlyUpTo(ctx, found)
  await sql`
    update outbox set status = 'sent', external_message_id = r.external_id, error = null, updated_at = now()
    from unnest(${ids}::text[], ${externalIds}::text[]) as r (id, external_id)
    where outbox.organization_id = ${ctx.organizationId} and outbox.id = r.id and outbox.status = 'unknown'
      and not exists (select from outbox other where other.organization_id = outbox.organization_id
        and other.connection_id = outbox.connection_id and other.external_message_id = r.external_id)
      and not ${hasTwin('outbox')}`.execute(ctx.db)
  await applyEarlyReceipts(ctx, ids)
}

/**
 * Records that the provider does not know these parts. One that was looked up in vain before, and long enough ago (`isLate`), is not
 * looked up again: its outcome stays unknown. The next run decides about the others.
 */
export async function recordNotTaken(
  ctx: OrgStoreContext,
  parts: { id: Id<'outbox'>; isLate: boolean }[],
): Promise<void> {
  if (parts.length === 0) return
  await sql`
    update outbox set error = case when r.is_late then 'not_taken' else ${NOT_YET} end, updated_at = now()
    from unnest(${parts.map(({ id }) => id)}::text[], ${parts.map(({ isLate }) => isLate)}::boolean[]) as r (id, is_late)
    where outbox.organization_id = ${ctx.organizationId} and outbox.id = r.id and outbox.status = 'unknown'
      and (r.is_late or outbox.error is distinct from ${NOT_YET})
      and coalesce(outbox.error, '') not in (${WITHHOLDING})`.execute(ctx.db)
}
