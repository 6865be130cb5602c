// SQL of receipts: what a channel reports of messages after it has accepted them. They only add to what is known: read stays read, and
// what has arrived did not fail. A receipt may come before the outcome of its send is recorded:
//
// 1. a server sends a part, and the provider accepts it;
// 2. the receipt comes in by another request, and finds no part with that id of the provider;
// 3. the server records that the part was sent, with the id.
//
// The receipt of step 2 is stored and applied in step 3. A lock on the id serializes the two steps: without it each
// could look before the other has committed, and the receipt would be kept for ever.
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { ReceiptState } from '#shared/messaging/conversations.ts'

/** What a channel reports of a message, by the provider's id of it. */
type Receipt = {
  connectionId: Id<'channelConnections'>
  externalMessageId: string
  state: ReceiptState
  reason: string | null
  /** It also holds for everything that was sent to the chat before. */
  isUpTo?: boolean
}

/** Longer than any response takes. Receipts that are never claimed are of messages that were not ours. */
const KEPT = sql.lit('1 hour')
const FORGOTTEN_AT_ONCE = 100

/** Columns that a receipt `r` (state, reason) sets. A part that was to be resent, and has arrived after all, is not resent. */
const receiptColumns = sql`
  delivered_at = case when r.state = 'failed' then outbox.delivered_at else coalesce(outbox.delivered_at, now()) end,
  read_at = case when r.state = 'read' then coalesce(outbox.read_at, now()) else outbox.read_at end,
  status = case when r.state = 'failed' then 'failed' else 'sent' end,
  error = case when r.state = 'failed' then concat_ws(': ', 'undelivered', r.reason) end,
  owner = null, lease_until = null, updated_at = now()`
/** Whether a receipt changes anything about a part. */
const isNews = sql<boolean>`(case r.state
  when 'failed' then outbox.status = 'sent' and outbox.delivered_at is null
  else outbox.status in ('sent', 'failed', 'unknown', 'queued', 'claimed')
    and (outbox.delivered_at is null or outbox.status <> 'sent' or (r.state = 'read' and outbox.read_at is null)) end)`

/** Of the parts `before` and `last`: sent to the same chat earlier, and not known to have been read. */
const isBefore = sql<boolean>`(before.organization_id = last.organization_id and before.conversation_id = last.conversation_id
  and before.connection_id = last.connection_id and before.sequence < last.sequence and before.status = 'sent' and before.read_at is null)`

/** Applies a receipt to its part, or keeps it until there is one. Safe to repeat, in any order. */
export async function applyReceipt(ctx: OrgStoreContext, receipt: Receipt): Promise<void> {
  const { connectionId, externalMessageId, state, reason } = receipt
  await lockReceipts(ctx, [externalMessageId])
  await nameByItself(ctx, receipt)
  const known = await sql`
    select id from outbox where organization_id = ${ctx.organizationId} and connection_id = ${connectionId}
      and external_message_id = ${externalMessageId}`.execute(ctx.db)
  if (known.rows.length === 0) return keepReceipt(ctx, receipt)
  if (receipt.isUpTo) await lockUpTo(ctx, receipt)
  await sql`
    update outbox set ${receiptColumns} from (select ${state}::text as state, ${reason}::text as reason) r
    where organization_id = ${ctx.organizationId} and connection_id = ${connectionId}
      and external_message_id = ${externalMessageId} and ${isNews}`.execute(ctx.db)
  if (receipt.isUpTo) await tellEarlier(ctx, receipt)
}

/**
 * A program receives our own id of a part, and may report one whose delivery is unknown. While the part is being sent, the receipt is
 * kept like any other that comes early.
 */
async function nameByItself(ctx: OrgStoreContext, { connectionId, externalMessageId, state }: Receipt): Promise<void> {
  if (state === 'failed') return
  await sql`
    update outbox set external_message_id = id where organization_id = ${ctx.organizationId} and connection_id = ${connectionId}
      and id = ${externalMessageId} and external_message_id is null and (status = 'unknown' or may_have_arrived)
      and status in ('unknown', 'queued', 'claimed')`.execute(ctx.db)
}

/** Locks all parts that such a receipt may cover, oldest first, so that two never deadlock. */
async function lockUpTo(ctx: OrgStoreContext, { connectionId, externalMessageId }: Receipt): Promise<void> {
  await sql`
    select before.id from outbox last
    join outbox before on before.organization_id = last.organization_id and before.conversation_id = last.conversation_id
      and before.connection_id = last.connection_id
      and (before.id = last.id or (before.sequence < last.sequence and before.status = 'sent' and before.read_at is null))
    where last.organization_id = ${ctx.organizationId} and last.connection_id = ${connectionId}
      and last.external_message_id = ${externalMessageId}
    order by before.sequence for update of before`.execute(ctx.db)
}

/** Applies a receipt to what was sent to the same chat before. All of it is locked. */
async function tellEarlier(
  ctx: OrgStoreContext,
  { connectionId, externalMessageId, state, reason }: Receipt,
): Promise<void> {
  await sql`
    with earlier as (
      select before.id from outbox last
      join outbox before on before.organization_id = last.organization_id and before.conversation_id = last.conversation_id
        and before.connection_id = last.connection_id and before.sequence < last.sequence
        and before.status = 'sent' and before.read_at is null
      where last.organization_id = ${ctx.organizationId} and last.connection_id = ${connectionId}
        and last.external_message_id = ${externalMessageId}
    ), r as (select ${state}::text as state, ${reason}::text as reason)
    update outbox set ${receiptColumns} from r, earlier where outbox.id = earlier.id and ${isNews}`.execute(ctx.db)
}

/** Taken before any other lock of a transaction that records these ids of the provider, and held until it ends. */
export async function lockReceipts(ctx: StoreContext, externalMessageIds: string[]): Promise<void> {
  if (externalMessageIds.length === 0) return
  await sql`
    select pg_advisory_xact_lock(hashtextextended('receipt ' || id, 0))
    from (select id from unnest(${externalMessageIds}::text[]) id order by id) ordered`.execute(ctx.db)
}

/**
 * Locks all parts that early receipts may cover, oldest first, so that two never deadlock. Called before these parts are recorded as
 * sent; the ids are locked.
 */
export async function lockEarlyUpTo(
  ctx: StoreContext,
  parts: { id: string; externalMessageId: string | null }[],
): Promise<void> {
  await sql`
    select before.id from unnest(${parts.map(({ id }) => id)}::text[],
      ${parts.map(({ externalMessageId }) => externalMessageId)}::text[]) as r (id, external_id)
    join outbox last on last.id = r.id
    join early_receipts e on e.connection_id = last.connection_id and e.external_message_id = r.external_id and e.is_up_to
    join outbox before on ${isBefore} or before.id = last.id
    order by before.sequence for update of before`.execute(ctx.db)
}

/** Applies early receipts to parts that have just been recorded as sent, and to what was sent before them; the ids are locked. */
export async function applyEarlyReceipts(ctx: StoreContext, partIds: string[]): Promise<void> {
  await sql`
    with early as (
      delete from early_receipts e using outbox o
      where o.id = any (${partIds}::text[]) and e.connection_id = o.connection_id and e.external_message_id = o.external_message_id
      returning o.id, e.state, e.reason, e.is_up_to
    ), every as (
      select id, state, reason from early
      union all
      select before.id, early.state, early.reason from early join outbox last on last.id = early.id join outbox before on ${isBefore}
      where early.is_up_to
    ), r as (
      select distinct on (id) id, state, reason from every order by id, array_position(array['read', 'delivered', 'failed'], state)
    )
    update outbox set ${receiptColumns} from r where outbox.id = r.id and ${isNews}`.execute(ctx.db)
}

async function keepReceipt(ctx: OrgStoreContext, receipt: Receipt): Promise<void> {
  const { connectionId, externalMessageId, state, reason, isUpTo = false } = receipt
  await sql`
    insert into early_receipts (organization_id, connection_id, external_message_id, state, reason, is_up_to)
    select organization_id, id, ${externalMessageId}, ${state}, ${reason}::text, ${isUpTo} from channel_connections
    where organization_id = ${ctx.organizationId} and id = ${connectionId}
    on conflict (connection_id, external_message_id) do update
      set state = excluded.state, reason = excluded.reason, is_up_to = excluded.is_up_to
    where early_receipts.state <> 'read' and (excluded.state <> 'failed' or early_receipts.state = 'failed')`.execute(
    ctx.db,
  )
  await sql`
    delete from early_receipts where organization_id = ${ctx.organizationId} and (connection_id, external_message_id) in (
      select connection_id, external_message_id from early_receipts
      where organization_id = ${ctx.organizationId} and connection_id = ${connectionId} and received_at < now() - interval ${KEPT}
      order by received_at limit ${FORGOTTEN_AT_ONCE}::int for update skip locked)`.execute(ctx.db)
}
