// SQL of sending from the outbox: claiming parts in the order of their conversation, and recording the outcomes.
//
//   queued ─► claimed ─► sending ─► sent | failed | unknown
//     ▲          │          │
//     └──────────┴──────────┘ claimed by a server that died · definitely not sent · refused for a while · account frozen: parked ·
//                             may have arrived, and the receiver drops repeats · interrupted before it could be shown
import { type RawBuilder, sql } from 'kysely'
import { type DeliveryAttemptRow, logAttempts } from '#server/domain/channels/health/delivery-attempts.store.ts'
import type { StoreContext } from '#server/platform/db/database.ts'
import type { Channel } from '#shared/channels/channels.ts'
import type { ChosenTemplate } from '#shared/channels/templates.ts'
import type { Id } from '#shared/ids.ts'
import type { AttachmentKind } from '#shared/messaging/attachments.ts'
import { type Counted, uncount } from './deliver.counts.store.ts'
import { PART_LEASE } from './outbox.store.ts'
import { applyEarlyReceipts, lockEarlyUpTo, lockReceipts } from './receipts.store.ts'

/** A part that this process has claimed. */
export type OutgoingPart = {
  id: Id<'outbox'>
  organizationId: Id<'organizations'>
  connectionId: Id<'channelConnections'>
  conversationId: Id<'conversations'>
  chatId: string
  text: string
  /** Typed by an operator, as plain text; left out or false: it is Markdown. */
  isPlain?: boolean
  /** A file that is sent instead of the text; null: the text is sent. */
  file: PartFile | null
  /** A template of the provider that is sent instead of the text; null or left out: the text is sent. */
  template?: ChosenTemplate | null
  /** Buttons below it; null, empty or left out: none. */
  choices?: string[] | null
  /** It asks for a rating: the id of that question's message; null or left out: it does not. */
  ratingId?: Id<'messages'> | null
  /** More of the conversation waits behind it. */
  hasNext: boolean
  /** Milliseconds that the next part of its message takes to type; 0: it follows at once, or there is none. */
  nextDelayMs: number
}
/** Its place in the file store, and its kind. `voice` is the recording of an answer. */
export type PartFile = { key: string; kind: AttachmentKind; name: string | null; mimeType: string | null }
/** What is needed at the moment of sending, read with the transition to `sending`. */
export type SendPermit = {
  id: Id<'outbox'>
  attempt: number
  /** Milliseconds since its first attempt. */
  triedForMs: number
  /** A previous attempt may have arrived; left out: there was none. */
  mayHaveArrived?: boolean
  /** By the clock of the database. */
  begunAt: Date
  channel: Exclude<Channel, 'test'>
  encryptedToken: string
  encryptedSecret: string
  /** As of `SendOutcome`. */
  counted?: Counted
}
/** The outcome of a part. `queued` with a delay: it definitely did not arrive, and is retried. */
export type SendOutcome = {
  id: Id<'outbox'>
  status: 'sent' | 'failed' | 'unknown' | 'queued'
  externalMessageId: string | null
  error: string | null
  /** Whether this attempt may have been shown. */
  mayHaveArrived: boolean
  delayMs: number
  /** The next part of its message follows after a while, counted from now. */
  isPaced: boolean
  /** Whether the channel reports delivery later. */
  hasReceipts: boolean
  /** For the log of the connection; null: it keeps none, or nothing was tried. */
  logged: DeliveryAttemptRow | null
  /** It was counted against the caps of its connection; left out: there are none. */
  counted?: Counted | undefined
  /** Which attempt it is the outcome of; left out: the only one. */
  attempt?: number
  /** It counts only while this server holds the part; left out: always. */
  owner?: number
}

/**
 * Records the outcomes of sends, and begins the next of these claimed parts. Locks in the same order as all other transactions: receipts,
 * the connections whose attempts are logged, counts, parts.
 *
 * @returns the parts that may be sent, and whether another is queued behind one of the outcomes
 */
export async function recordAndBegin(
  ctx: StoreContext,
  owner: number,
  outcomes: SendOutcome[],
  ids: string[],
): Promise<{ permitted: SendPermit[]; hasNext: boolean }> {
  const attempts = outcomes.flatMap(({ logged }) => logged ?? [])
  await lockReceipts(
    ctx,
    outcomes.flatMap(({ externalMessageId, hasReceipts }) => (hasReceipts && externalMessageId) || []),
  )
  await lockConnections(ctx, attempts)
  await uncount(
    ctx,
    outcomes.flatMap((outcome) => (outcome.counted && hasDefinitelyNotLeft(outcome) ? outcome.counted : [])),
  )
  const hasNext = outcomes.length > 0 && (await recordOutcomes(ctx, outcomes))
  await logAttempts(ctx, attempts)
  return { permitted: ids.length > 0 ? await markSending(ctx, owner, ids) : [], hasNext }
}

/** How many statements `recordAndBegin` sends in most transactions; undefined: that depends on the rows. */
export function countStatements(outcomes: SendOutcome[], ids: string[]): number | undefined {
  const isPlain = ({ status, hasReceipts, isPaced, logged }: SendOutcome) =>
    status === 'sent' && !hasReceipts && !isPaced && !logged
  if (!outcomes.every(isPlain)) return undefined
  return (outcomes.length > 0 ? 1 : 0) + (ids.length > 0 ? 1 : 0)
}

/**
 * Parks or ends those of these claimed parts that may not be sent now. A transaction of its own: connections are locked before parts.
 * An account that has recovered since is no reason any more: its parts are released. @returns whether there are such
 */
export async function setAside(ctx: StoreContext, owner: number, ids: string[]): Promise<boolean> {
  await parkFrozen(ctx, owner, ids)
  await endDisconnected(ctx, owner, ids)
  const given = await sql`
    update outbox set status = 'queued', owner = null, lease_until = null, updated_at = now()
    where id = any (${ids}::text[]) and owner = ${owner}::int and status = 'claimed'`.execute(ctx.db)
  return given.numAffectedRows !== undefined && given.numAffectedRows > 0n
}

function hasDefinitelyNotLeft({ status, mayHaveArrived: may }: SendOutcome): boolean {
  return (status === 'queued' || status === 'failed') && !may
}

async function lockConnections(ctx: StoreContext, attempts: DeliveryAttemptRow[]): Promise<void> {
  if (attempts.length === 0) return
  await sql`
    select id from channel_connections where id = any (${attempts.map((attempt) => attempt.connectionId)}::text[])
    order by id for no key update`.execute(ctx.db)
}

/**
 * Of the part `o`: it is the first open one of its conversation. A part parked for a number that the conversation has left for good
 * holds nothing back.
 */
export const isFirstPart = sql`not exists (select from outbox e where e.conversation_id = o.conversation_id and e.sequence < o.sequence
  and e.status in ('queued', 'claimed', 'sending') and (e.not_before < 'infinity' or e.connection_id = o.connection_id))`

/** Of the part `o`: it is the first open one of its conversation, and due. */
export const isDuePart = sql`(o.status = 'queued' and o.not_before <= now() and ${isFirstPart})`

/** Whether an operator typed a part, given by its alias: it is sent as it is. */
export function isTyped(part: string): RawBuilder<boolean> {
  return sql`exists (select from messages m where m.organization_id = ${sql.ref(`${part}.organization_id`)}
    and m.id = ${sql.ref(`${part}.message_id`)} and m.author = 'operator')`
}

/**
 * Claims the first open part of each conversation that is due, operators' parts before agents'. Skips connections in `busy`.
 */
export async function claimParts(
  ctx: StoreContext,
  { owner, limit, busy }: { owner: number; limit: number; busy: string[] },
): Promise<OutgoingPart[]> {
  const result = await sql<OutgoingPart>`
    with due as (
      select o.id from outbox o
      where ${isDuePart} and o.connection_id <> all (${busy}::text[])
      order by o.is_own desc, o.sequence limit ${limit}::int
      for update of o skip locked
    )
    update outbox set status = 'claimed', owner = ${owner}::int, lease_until = now() + interval ${PART_LEASE}, updated_at = now()
    from due where outbox.id = due.id
    returning outbox.id, outbox.organization_id as "organizationId", outbox.connection_id as "connectionId",
      outbox.conversation_id as "conversationId", outbox.external_chat_id as "chatId", outbox.text, outbox.template,
      ${isTyped('outbox')} as "isPlain",
      case when outbox.attachment_id is not null then (
        select json_build_object('key', f.file_key, 'kind', f.kind, 'name', f.name, 'mimeType', f.mime_type) from attachments f
        where f.organization_id = outbox.organization_id and f.id = outbox.attachment_id) end as file,
      case when outbox.attachment_id is null and not exists (select from outbox n where n.message_id = outbox.message_id
        and n.part > outbox.part and n.attachment_id is null) then (select m.choices from messages m
          where m.organization_id = outbox.organization_id and m.id = outbox.message_id) end as choices,
      (select m.id from messages m where m.organization_id = outbox.organization_id and m.id = outbox.message_id
        and m.reason = 'rating_question') as "ratingId",
      true as "hasNext", coalesce((select n.delay_ms from outbox n where n.message_id = outbox.message_id
        and n.part = outbox.part + 1 and n.status = 'queued'), 0) as "nextDelayMs"`.execute(ctx.db)
  return result.rows
}

/**
 * The last step before bytes leave. Only the returned parts may be sent: the others were withheld by a pause, taken over,
 * or belong to a connection that was switched off, is frozen, or has reached its caps (see `beginCapped`).
 */
export async function markSending(
  ctx: StoreContext,
  owner: number,
  ids: string[],
  { mayBeCapped } = { mayBeCapped: false },
): Promise<SendPermit[]> {
  const result = await sql<SendPermit>`
    update outbox set status = 'sending', attempt = outbox.attempt + 1, lease_until = now() + interval ${PART_LEASE},
      first_tried_at = coalesce(outbox.first_tried_at, now()), updated_at = now()
    from channel_connections c
    where outbox.id = any (${ids}::text[]) and outbox.owner = ${owner}::int and outbox.status = 'claimed'
      and c.id = outbox.connection_id and c.disconnected_at is null and not c.is_frozen ${mayBeCapped ? sql`` : sql`and c.caps is null`}
    returning outbox.id, outbox.attempt, outbox.may_have_arrived as "mayHaveArrived", now() as "begunAt",
      (1000 * extract(epoch from now() - outbox.first_tried_at))::float8 as "triedForMs", c.channel, c.token as "encryptedToken", c.webhook_secret as "encryptedSecret"`.execute(
    ctx.db,
  )
  return result.rows
}

/**
 * Parks those of these claimed parts whose account may not send: they wait until it may again, however long that takes.
 *
 * The lock on the connection orders this and a recovery of the account at the same moment: either the change is seen here, or it comes
 * after and finds the parked parts.
 */
async function parkFrozen(ctx: StoreContext, owner: number, ids: string[]): Promise<void> {
  await sql`
    with frozen as (
      select id from channel_connections
      where is_frozen and id in (select connection_id from outbox where id = any (${ids}::text[]))
      for share
    )
    update outbox set status = 'queued', owner = null, lease_until = null, not_before = 'infinity', first_tried_at = null,
      updated_at = now()
    from frozen
    where outbox.id = any (${ids}::text[]) and outbox.owner = ${owner}::int and outbox.status = 'claimed'
      and outbox.connection_id = frozen.id`.execute(ctx.db)
}

/** Ends those of these claimed parts whose connection was switched off after they were written: they will never be sent. */
async function endDisconnected(ctx: StoreContext, owner: number, ids: string[]): Promise<void> {
  await sql`
    update outbox set status = case when outbox.may_have_arrived then 'unknown' else 'failed' end, error = 'connection_off',
      owner = null, lease_until = null, updated_at = now()
    from channel_connections c
    where outbox.id = any (${ids}::text[]) and outbox.owner = ${owner}::int and outbox.status = 'claimed'
      and c.id = outbox.connection_id and c.disconnected_at is not null`.execute(ctx.db)
}

/**
 * Records outcomes. A late outcome, after the part was given up as unknown, still counts as evidence: that the part was sent also while it
 * waits to be resent, any other only for its own attempt.
 * A part that definitely did not arrive is retried, with two exceptions: marked by a pause meanwhile, it is withheld like those behind it; given
 * up as unknown before that, it has failed.
 * A part that is given up after an attempt that may have arrived is unknown. After a part that failed or is unknown, the rest of its
 * message is not sent: half an answer without its beginning misleads.
 *
 * @returns whether another part is queued in one of their conversations
 */
export async function recordOutcomes(ctx: StoreContext, outcomes: SendOutcome[]): Promise<boolean> {
  const sent = outcomes.filter(({ status }) => status === 'sent')
  const receipted = sent.filter(({ hasReceipts }) => hasReceipts)
  if (receipted.length > 0) await lockEarlyUpTo(ctx, receipted)
  const recorded = await sql<{ hasNext: boolean }>`
    update outbox set external_message_id = r.external_id, may_have_arrived = ${mayHaveArrived},
      status = case when not (${isWithheld} or ${isGivenUp} or r.status = 'failed') then r.status when ${mayHaveArrived} then 'unknown' else 'failed' end,
      error = case when ${isWithheld} or ${isGivenUp} then outbox.error else r.error end, owner = null, lease_until = null, updated_at = now(),
      not_before = case when r.status = 'queued' then now() + r.delay_ms * interval '1 millisecond' else outbox.not_before end
    from unnest(${outcomes.map((outcome) => outcome.id)}::text[], ${outcomes.map((outcome) => outcome.status)}::text[],
      ${outcomes.map((outcome) => outcome.externalMessageId)}::text[], ${outcomes.map((outcome) => outcome.error)}::text[],
      ${outcomes.map((outcome) => outcome.delayMs)}::int[], ${outcomes.map((outcome) => outcome.mayHaveArrived)}::boolean[],
      ${outcomes.map(({ attempt }) => attempt ?? null)}::int[], ${outcomes.map(({ owner }) => owner ?? null)}::int[])
      as r (id, status, external_id, error, delay_ms, may_have_arrived, attempt, owner)
    where outbox.id = any (${outcomes.map((outcome) => outcome.id)}::text[]) and outbox.id = r.id -- a join alone may read every part
      and (outbox.status in ('sending', 'unknown') or (r.status = 'sent' and outbox.status in ('queued', 'claimed')))
      and (r.status = 'sent' or outbox.attempt = coalesce(r.attempt, outbox.attempt))
      and (r.owner is null or outbox.owner = r.owner)
    returning exists (select from outbox n where n.conversation_id = outbox.conversation_id and n.status = 'queued') as "hasNext"`.execute(
    ctx.db,
  )
  const broken = outcomes.filter(({ status }) => status === 'failed' || status === 'unknown').map(({ id }) => id)
  if (broken.length > 0) await dropTails(ctx, broken)
  const receiptedIds = receipted.map(({ id }) => id)
  if (receiptedIds.length > 0) await applyEarlyReceipts(ctx, receiptedIds)
  const paced = sent.filter(({ isPaced }) => isPaced).map(({ id }) => id)
  if (paced.length > 0) await delayNext(ctx, paced)
  return recorded.rows.some(({ hasNext }) => hasNext)
}

/** Why a part was withheld while it was being sent: a pause, the end of its connection or, over a question for a rating, the customer. */
export const WITHHOLDING = sql.raw(`'paused', 'connection_off', 'rating_taken_back'`)

const isMarked = sql<boolean>`coalesce(outbox.error in (${WITHHOLDING}), false)`

/** Evaluated on the row as it is at the write: a pause may commit while this waits for the row. */
const isWithheld = sql<boolean>`(r.status = 'queued' and ${isMarked})`

/** It was given up as unknown, and the rest of its message with it; the conversation has moved on. resend.store.ts decides whether it is resent. */
const isGivenUp = sql<boolean>`(r.status = 'queued' and outbox.status = 'unknown')`

/** In this attempt or in one before it. */
const mayHaveArrived = sql<boolean>`(outbox.may_have_arrived or r.may_have_arrived)`

/** Delays the next part of each of these messages by the time that typing it takes, from now on. */
async function delayNext(ctx: StoreContext, ids: string[]): Promise<void> {
  await sql`
    update outbox set not_before = now() + outbox.delay_ms * interval '1 millisecond', updated_at = now()
    where outbox.id = any (${queuedBehind(ids, sql`behind.part = part.part + 1`)}) and ${isQueued('outbox')}`.execute(
    ctx.db,
  )
}

/** Fails the parts behind these in their own messages. */
async function dropTails(ctx: StoreContext, ids: string[]): Promise<void> {
  await sql`
    update outbox set status = 'failed', error = 'earlier_part', updated_at = now()
    where outbox.id = any (${queuedBehind(ids, sql`behind.part > part.part`)}) and ${isQueued('outbox')}`.execute(
    ctx.db,
  )
}

/** The queued parts of the same messages for which `which` holds, looked up by message. */
function queuedBehind(ids: string[], which: RawBuilder<unknown>) {
  return sql`array(select found.id from outbox part
    cross join lateral (
      select behind.id from outbox behind where behind.message_id = part.message_id and ${which} and ${isQueued('behind')} offset 0
    ) found
    where part.id = any (${ids}::text[]))`
}

/** Avoids the index of queued parts: it covers all organizations and, until a vacuum, whatever was queued. */
function isQueued(table: string) {
  return sql<boolean>`coalesce(${sql.ref(`${table}.status`)}) = 'queued'`
}

/**
 * Releases what dead servers held: claimed parts are queued again, parts that were being sent become unknown. Those of a channel whose
 * receivers drop repeats are queued again too, unless a pause has marked them meanwhile: then they are unknown. Those of a channel that
 * shows only what is recorded as sent have definitely not arrived: they are queued again, and a pause withholds them.
 *
 * @returns how many became unknown
 */
export async function releaseParts(
  ctx: StoreContext,
  deadOwners: number[],
  channels: Record<'droppingRepeats' | 'showingRecorded', SendPermit['channel'][]>,
): Promise<number> {
  await sql`
    update outbox set status = 'queued', owner = null, lease_until = null, updated_at = now()
    where status = 'claimed' and (owner = any (${deadOwners}::int[]) or lease_until < now())`.execute(ctx.db)
  await sql`
    update outbox set status = case when ${isMarked} then 'failed' else 'queued' end, owner = null,
      lease_until = null, updated_at = now()
    from channel_connections c
    where outbox.status = 'sending' and (outbox.owner = any (${deadOwners}::int[]) or outbox.lease_until < now())
      and c.id = outbox.connection_id and c.channel = any (${channels.showingRecorded}::text[])`.execute(ctx.db)
  await sql`
    update outbox set status = 'queued', may_have_arrived = true, owner = null, lease_until = null, updated_at = now()
    from channel_connections c
    where outbox.status = 'sending' and not ${isMarked} and (outbox.owner = any (${deadOwners}::int[]) or outbox.lease_until < now())
      and c.id = outbox.connection_id and c.channel = any (${channels.droppingRepeats}::text[])`.execute(ctx.db)
  const unknown = await sql<{ id: string }>`
    update outbox set status = 'unknown', error = case when ${isMarked} then outbox.error else 'interrupted' end, lease_until = null,
      updated_at = now()
    where status = 'sending' and (owner = any (${deadOwners}::int[]) or lease_until < now())
    returning id`.execute(ctx.db)
  if (unknown.rows.length > 0)
    await dropTails(
      ctx,
      unknown.rows.map((row) => row.id),
    )
  return unknown.rows.length
}

/** Releases claimed parts unsent: all of a server that stops, or these. */
export async function returnParts(ctx: StoreContext, owner: number, ids: string[] | null = null): Promise<void> {
  await sql`
    update outbox set status = 'queued', owner = null, lease_until = null, updated_at = now()
    where status = 'claimed' and owner = ${owner}::int and (${ids}::text[] is null or id = any (${ids}::text[]))`.execute(
    ctx.db,
  )
}
