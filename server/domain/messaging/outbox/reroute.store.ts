// SQL of conversations that move to another number: which wait for that, and what changes when they do.
//
// What waits for a number that may not send moves as it is: the same rows of the outbox, with another sender. No part is ever in two
// queues, so nothing is sent twice; and what its provider has seen, or may have, does not move at all.
import { sql } from 'kysely'
import { withThreads } from '#server/domain/messaging/conversations/threads.store.ts'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { REACHABLE_CHAT } from '#shared/channels/stand-ins.ts'
import type { Id } from '#shared/ids.ts'
import type { ConversationFolder, ConversationStatus, PauseReason } from '#shared/messaging/conversations.ts'

type ConversationId = Id<'conversations'>
type ConnectionId = Id<'channelConnections'>

/** How many conversations one run checks for each number that stands in: some of them may not move yet. */
const LOOKED_AT = 60
/** Messages of the customer from which their language is read. */
const WORDS = 5

/** A conversation with parts that wait for `connectionId`, for which `toId` stands in. */
export type Due = {
  organizationId: Id<'organizations'>
  conversationId: ConversationId
  connectionId: ConnectionId
  toId: ConnectionId
  chatId: string
}

/** Of a connection, by its alias. */
const canSend = (connection: string) => sql<boolean>`(${sql.ref(`${connection}.disconnected_at`)} is null
  and ${sql.ref(`${connection}.status`)} = 'connected' and not ${sql.ref(`${connection}.is_frozen`)})`

/** Of the connection `n`: it has been unable to send for the configured time, and `s`, which can send, stands in for it. */
const isStoodIn = sql<boolean>`(n.is_frozen and n.disconnected_at is null
  and n.frozen_since <= now() - n.stand_in_after_minutes * interval '1 minute'
  and ${canSend('s')})`

/** Of a part: its provider has seen it, or may have. */
const isSeen = (part: string) =>
  sql<boolean>`(${sql.ref(`${part}.may_have_arrived`)} or ${sql.ref(`${part}.external_message_id`)} is not null)`

/** Operators' parts first, then those that have waited longest. */
export async function listDue(ctx: StoreContext): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select "organizationId", "conversationId", "connectionId", "toId", "chatId" from (select n.organization_id as "organizationId",
      o.conversation_id as "conversationId", n.id as "connectionId", s.id as "toId", o.external_chat_id as "chatId",
      row_number() over (partition by s.id order by bool_or(o.is_own) desc, min(o.sequence)) as place
    from channel_connections n
    join channel_connections s on s.organization_id = n.organization_id and s.id = n.stand_in_id
    join outbox o on o.connection_id = n.id and o.status = 'queued' and o.not_before = 'infinity'
    join conversations c on c.organization_id = o.organization_id and c.id = o.conversation_id and c.external_chat_id = o.external_chat_id
    join channel_connections h on h.organization_id = c.organization_id and h.id = c.connection_id
    where ${isStoodIn} and (h.id in (n.id, s.id) or ${canSend('h')}) and o.external_chat_id ~ ${REACHABLE_CHAT.source}
      and not exists (select from outbox e where e.conversation_id = o.conversation_id and e.connection_id = n.id and e.status = 'queued'
        and (${isSeen('e')} or e.external_chat_id <> o.external_chat_id))
    group by n.organization_id, o.conversation_id, n.id, s.id, o.external_chat_id) waiting
    where place <= ${LOOKED_AT}::int order by place`.execute(ctx.db)
  return rows
}

export type HeldChat = {
  id: ConversationId
  agentId: Id<'agents'>
  connectionId: ConnectionId
  chatId: string | null
  threadId: Id<'threads'> | null
  status: ConversationStatus
  folder: ConversationFolder
  pauseReason: PauseReason | null
  pausedBy: Id<'users'> | null
  /** Milliseconds until the agent resumes by itself; null: until an operator resumes it. */
  resumeAfterMs: number | null
}

/**
 * Locks a conversation and, where the customer has written to the other number too, the one there, with all that is shown as one with them:
 * in the order in which all transactions lock several.
 */
export async function holdChats(
  ctx: OrgStoreContext,
  { conversationId, toId, chatId }: Due,
): Promise<{ conversation: HeldChat | undefined; other: HeldChat | undefined; all: HeldChat[] }> {
  const existing = await sql<{ id: ConversationId }>`
    select id from conversations where organization_id = ${ctx.organizationId} and connection_id = ${toId}
      and external_chat_id = ${chatId} and id <> ${conversationId}`.execute(ctx.db)
  const all = await holdWithThreads(ctx, [conversationId, ...existing.rows.map(({ id }) => id)])
  const find = (id: ConversationId | undefined) => all.find((each) => each.id === id)
  return { conversation: find(conversationId), other: find(existing.rows[0]?.id), all }
}

/** Locks conversations with all that is shown as one with them, in the order in which all transactions lock several. */
export async function holdWithThreads(ctx: OrgStoreContext, of: ConversationId[]): Promise<HeldChat[]> {
  const ids = await withThreads(ctx, of)
  const { rows } = await sql<HeldChat>`
    select id, agent_id as "agentId", connection_id as "connectionId", external_chat_id as "chatId", thread_id as "threadId", status, folder, pause_reason as "pauseReason",
      paused_by as "pausedBy", (1000 * extract(epoch from resume_at - now()))::float8 as "resumeAfterMs"
    from conversations where organization_id = ${ctx.organizationId} and id = any (${ids}::text[])
    order by id for update`.execute(ctx.db)
  return rows
}

/** The state of both numbers; undefined: the one may send by now, or the other does not stand in for it any more. Both stay locked. */
export async function holdPair(
  ctx: OrgStoreContext,
  { connectionId, toId }: Due,
): Promise<{ frozenSince: Date; notice: string; identifier: string } | undefined> {
  const { rows } = await sql<{ frozenSince: Date; notice: string; identifier: string }>`
    select n.frozen_since as "frozenSince", n.stand_in_notice as notice, s.identifier
    from channel_connections n
    join channel_connections s on s.organization_id = n.organization_id and s.id = n.stand_in_id
    where n.organization_id = ${ctx.organizationId} and n.id = ${connectionId} and s.id = ${toId} and ${isStoodIn}
    for share of n, s`.execute(ctx.db)
  return rows[0]
}

/** Whether a number may send; its row stays locked. */
export async function holdSender(ctx: OrgStoreContext, id: ConnectionId): Promise<boolean> {
  const { rows } = await sql`
    select n.id from channel_connections n where n.organization_id = ${ctx.organizationId} and n.id = ${id} and ${canSend('n')}
    for share`.execute(ctx.db)
  return rows.length > 0
}

/** `mayMove`: no server and no provider has it. */
type OpenPart = { id: Id<'outbox'>; chatId: string; mayMove: boolean }

/** The parts of a conversation that are not finished with this number, in order, and locked. */
export async function holdParts(
  ctx: OrgStoreContext,
  { conversationId, connectionId }: Pick<Due, 'conversationId' | 'connectionId'>,
): Promise<OpenPart[]> {
  const { rows } = await sql<OpenPart>`
    select o.id, o.external_chat_id as "chatId", o.status = 'queued' and not ${isSeen('o')} as "mayMove" from outbox o
    where o.organization_id = ${ctx.organizationId} and o.conversation_id = ${conversationId} and o.connection_id = ${connectionId}
      and o.status in ('queued', 'claimed', 'sending')
    order by o.sequence for update`.execute(ctx.db)
  return rows
}

/** @returns false when the customer has already been notified of this number in the present outage of theirs */
export async function noteReroute(
  ctx: OrgStoreContext,
  { conversationId, connectionId, toId, chatId }: Due,
  frozenSince: Date,
): Promise<boolean> {
  const noted = await sql`
    insert into failover_notices (id, organization_id, conversation_id, connection_id, to_connection_id, external_chat_id, frozen_since)
    values (${newId()}, ${ctx.organizationId}, ${conversationId}, ${connectionId}, ${toId}, ${chatId}, ${frozenSince})
    on conflict (connection_id, external_chat_id, frozen_since, to_connection_id) do nothing returning id`.execute(
    ctx.db,
  )
  return noted.rows.length > 0
}

/** The texts and the setting by which the language of a customer is recognized. */
export async function readWords(
  ctx: OrgStoreContext,
  id: ConversationId,
): Promise<{ words: string[]; language: string | null }> {
  const { rows } = await sql<{ words: string[]; language: string | null }>`
    select u.language, array(select latest.text from (
      select m.text, m.sequence from messages m where m.organization_id = c.organization_id and m.conversation_id = c.id
        and m.author = 'customer' order by m.sequence desc limit ${WORDS}::int) latest order by latest.sequence) as words
    from conversations c left join customers u on u.organization_id = c.organization_id and u.id = c.customer_id
    where c.organization_id = ${ctx.organizationId} and c.id = ${id}`.execute(ctx.db)
  return rows[0] ?? { words: [], language: null }
}

/** Moves locked parts to another number, behind everything else in their conversation, in this order. */
export async function moveParts(ctx: OrgStoreContext, ids: Id<'outbox'>[], toId: ConnectionId): Promise<void> {
  // One by one: each gets its sequence when it is written.
  for (const id of ids) {
    await sql`update outbox set connection_id = ${toId}, sequence = default, not_before = now(), error = null, first_tried_at = null,
        updated_at = now()
      where organization_id = ${ctx.organizationId} and id = ${id} and status = 'queued'`.execute(ctx.db)
  }
}

/** Moves locked parts, in the order of their conversation, back to the number to which it returns. */
export async function reassignParts(ctx: OrgStoreContext, ids: Id<'outbox'>[], toId: ConnectionId): Promise<void> {
  if (ids.length === 0) return
  await sql`update outbox set connection_id = ${toId}, not_before = now(), error = null, first_tried_at = null, updated_at = now()
    where organization_id = ${ctx.organizationId} and id = any (${ids}::text[]) and status = 'queued'`.execute(ctx.db)
}

/** What stays at a number that may not send waits for that number alone: nothing of another number waits behind it (see `isFirstPart`). */
export async function parkParts(ctx: OrgStoreContext, id: ConversationId, connectionId: ConnectionId): Promise<void> {
  await sql`update outbox set not_before = 'infinity'
    where organization_id = ${ctx.organizationId} and conversation_id = ${id} and connection_id = ${connectionId}
      and status = 'queued'`.execute(ctx.db)
}
