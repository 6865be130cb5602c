// SQL of receiving: everything that one notification of a provider changes, in one statement.
import { sql } from 'kysely'
import { heldBy } from '#server/domain/messaging/conversations/held.store.ts'
import type { Inbound } from '#server/integrations/channels/contract/inbound.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Channel } from '#shared/channels/channels.ts'
import type { ConnectionSettings } from '#shared/channels/connection-settings.ts'
import type { Id } from '#shared/ids.ts'
import { signOf, storeAttachments } from '../files/received.store.ts'
import type { SilentConversation } from '../handoff/handoff.ts'
import { BUFFERS_AT_MOST, SUPERSEDE_SECONDS } from '../turns/rhythm.rules.ts'
import { FIRST_EPOCH, LEASE } from '../turns/runner.store.ts'
import type { Begun } from '../turns/slots.ts'
import { hasEdits, lockEdits } from './handlers/edits.store.ts'

/** Characters of a message that the conversation list shows. */
const PREVIEW_LENGTH = 200

/** Seconds within which the rest of something that comes in pieces is there. */
const PIECES_SECONDS = 1

export type ReceivingConnection = { id: Id<'channelConnections'>; channel: Exclude<Channel, 'test'> }
export type InboundMessage = Extract<Inbound, { kind: 'message' }>

/** `isConnected`: the connection was not switched off meanwhile. `isDue`: a turn is to be answered now; one that waits for the customer to finish is not. */
export type Stored = {
  isConnected: boolean
  isNew: boolean
  isDue: boolean
  /** The customer has changed it before it came, which it does not say yet. */
  isEdited: boolean
  /** The conversation of the turn that was begun; null: it was not. */
  begun: Id<'conversations'> | null
  /** The conversation in which the agent was silent; null: it speaks. */
  silent: SilentConversation | null
  /** The conversation whose turn waits for the customer to finish; null: none does. */
  waiting: Id<'conversations'> | null
  /** What a person has set of the connection; null: nothing. */
  settings: Partial<ConnectionSettings> | null
}

/**
 * Stores one message of a customer with whatever it needs: customer, conversation and the turn that will answer it.
 * The same notification again changes nothing.
 *
 * The steps depend on each other, so they happen in this order, and each holds what the next relies on until commit:
 * 0. what is told of the message: a change of it that was told before is seen, or waits;
 * 1. the notification's unique key: copies wait here and then find it taken;
 * 2. the conversation's row: messages of one chat are numbered one after another, and a pause is seen or waits;
 * 3. the pending turn's row: a runner that would claim it now skips it; one that has just claimed it leaves room for a new one.
 *
 * `homeId`: the connection by which the conversation is found, see home.store.ts. Where `begins` is given and nothing else of the conversation is to be answered, its turn is written as claimed, which saves the claim.
 * One that another message has brought while this one waited for the conversation's row is not seen; if it runs, its unique key stops this.
 *
 * The turn is due when the customer has been silent for as long as the agent's message buffer says, or has been waiting for several
 * times as long; a piece of more, such as a picture of an album, is followed by the rest of it in a moment. This is the only place where the buffer applies: the test chat asks for its turns itself, because whoever tests an
 * agent waits for its answers and not it for them.
 */
export async function storeMessage(
  ctx: OrgStoreContext,
  connection: ReceivingConnection,
  inbound: InboundMessage,
  { payload, begins, homeId }: { payload: unknown; begins: Begun | null; homeId: ReceivingConnection['id'] },
): Promise<Stored> {
  const { organizationId } = ctx
  const { sender, attachments } = inbound
  const messageId = newId('messages')
  const leastBuffer = inbound.isPiece ? PIECES_SECONDS : 0
  const sign = inbound.forwarded ? '↪ ' : ''
  const preview = `${sign}${inbound.text || signOf(attachments)}`.slice(0, PREVIEW_LENGTH)
  const { externalMessageId } = inbound
  const said = externalMessageId === undefined ? null : { ...inbound, externalMessageId }
  const isEdited = said ? hasEdits(ctx, connection.id, said) : sql.lit(false)
  const storing = sql<Stored>`
    with connection as (
      select n.id, n.organization_id, n.agent_id, n.settings,
        greatest(coalesce((v.settings #>> '{buffer,seconds}')::int, 0), ${leastBuffer}::int) * interval '1 second' as buffer
      from channel_connections n
      join agents a on a.organization_id = n.organization_id and a.id = n.agent_id
      left join agent_versions v on v.organization_id = a.organization_id and v.agent_id = a.id and v.number = a.live_version
      where n.id = ${connection.id} and n.organization_id = ${organizationId} and n.disconnected_at is null
    ), notification as (
      insert into inbound (id, organization_id, connection_id, external_key, status, payload, message_id)
      select ${newId()}, organization_id, id, ${inbound.externalKey}, 'stored', ${JSON.stringify(payload)}::jsonb, ${messageId}
      from connection
      on conflict (connection_id, external_key) do nothing
      returning id
    ), known as (
      select id, (name, username, language) is not distinct from
        (${sender.name}::text, ${sender.username}::text, ${sender.language}::text) as is_same
      from customers
      where connection_id = ${connection.id} and organization_id = ${organizationId} and external_id = ${sender.externalId}
    ), written as (
      insert into customers (id, organization_id, connection_id, external_id, name, username, language)
      select ${newId('customers')}, c.organization_id, c.id, ${sender.externalId}, ${sender.name}, ${sender.username}, ${sender.language}
      from connection c, notification
      where not exists (select from known where is_same)
      on conflict (connection_id, external_id) do update
        set name = excluded.name, username = excluded.username, language = excluded.language
      returning id
    ), customer as (
      select id from written
      union all
      select known.id from known, notification where is_same
    ), conversation as (
      insert into conversations (id, organization_id, agent_id, channel, connection_id, customer_id, external_chat_id,
        message_count, unread_count, last_message_author, last_message_text, waiting_since)
      select ${newId('conversations')}, c.organization_id, c.agent_id, ${connection.channel}, ${homeId}, customer.id, ${inbound.chatId},
        1, 1, 'customer', ${preview}, now()
      from connection c, customer
      on conflict (connection_id, external_chat_id) where connection_id is not null do update set
        message_count = conversations.message_count + 1,
        unread_count = conversations.unread_count + 1,
        status = case when conversations.status = 'ended' then 'active' else conversations.status end,
        last_message_author = excluded.last_message_author,
        last_message_text = excluded.last_message_text,
        last_message_at = excluded.last_message_at,
        waiting_since = coalesce(conversations.waiting_since, excluded.waiting_since),
        place = 'inbox',
        placed_at = case when conversations.place = 'inbox' then conversations.placed_at else excluded.last_message_at end,
        follow_up_at = null,
        follow_up_step = 0
      returning id, organization_id, status, pause_reason, paused_at, paused_by
    ), message as (
      insert into messages (id, organization_id, conversation_id, author, text, attachment_count, external_id, speaker, quoted, forwarded, held)
      select ${messageId}, organization_id, id, 'customer', ${inbound.text}, ${attachments?.length ?? 0}::int,
        ${inbound.externalMessageId ?? null}, ${inbound.speaker ?? null}, ${inbound.quoted ?? null}, ${forwardedIn(inbound)}::jsonb, ${heldBy} from conversation
    )${storeAttachments(messageId, attachments)}, waiting as materialized (
      select v.id, v.organization_id, c.buffer, coalesce(least(${waitingIn('pending')}, ${waitingIn('running')}), now()) as since
      from conversation v, connection c where v.status = 'active' and not ${inbound.isAnswered ?? false}::boolean
    ), begun as (
      insert into turns (id, organization_id, conversation_id, status, waiting_since, not_before, epoch, owner, started_at, lease_until)
      select ${begins?.turnId ?? null}::text, organization_id, id, 'running', since, now(), ${FIRST_EPOCH}::int, ${begins?.owner ?? null}::int, now(),
        now() + interval ${LEASE}
      from waiting
      where ${begins !== null}::boolean and buffer = interval '0'
        and not exists (select from turns t where t.conversation_id = waiting.id and t.status = 'pending')
        and not exists (select from turns t where t.conversation_id = waiting.id and t.status = 'running')
      on conflict do nothing
      returning conversation_id
    ), turn as (
      insert into turns (id, organization_id, conversation_id, status, waiting_since, not_before)
      select ${newId('turns')}, organization_id, id, 'pending', since, least(now() + buffer, since + ${BUFFERS_AT_MOST}::int * buffer)
      from waiting where not exists (select from begun)
      on conflict (conversation_id) where status = 'pending' do update set
        kind = 'reply',
        attempts = case turns.kind when 'reply' then turns.attempts else excluded.attempts end,
        waiting_since = case turns.kind when 'reply' then turns.waiting_since else excluded.waiting_since end,
        not_before = least(excluded.not_before,
          case turns.kind when 'reply' then turns.waiting_since + ${BUFFERS_AT_MOST}::int * (select buffer from connection) end)
      returning conversation_id, not_before <= now() as is_due
    )
    select exists (select from connection) as "isConnected", exists (select from notification) as "isNew",
      exists (select from turn where is_due) as "isDue", (select conversation_id from turn where not is_due) as waiting,
      (select conversation_id from begun) as begun, (select settings from connection) as settings,
      ${isEdited} as "isEdited",
      (select json_build_object('id', id, 'pauseReason', pause_reason) from conversation where status = 'paused') as silent`
  // They leave together, and are carried out one after the other.
  const [, result] = await Promise.all([said && lockEdits(ctx, connection.id, said), storing.execute(ctx.db)])
  const stored = result.rows[0]
  if (!stored) throw new Error('Storing a message answered no row')
  return stored
}

function forwardedIn({ forwarded }: InboundMessage): string | null {
  return forwarded ? JSON.stringify(forwarded) : null
}

/** Since when the customer of the conversation `v` waits for its turn of this status; there is at most one. Null: not at all. */
function waitingIn(status: 'pending' | 'running') {
  return sql`(select t.waiting_since from turns t
    where t.conversation_id = v.id and t.status = ${sql.lit(status)} and t.kind = 'reply'
      and t.waiting_since > now() - (${BUFFERS_AT_MOST}::int * c.buffer + ${SUPERSEDE_SECONDS}::int * interval '1 second'))`
}

/** Keeps a notification that is not answered: nothing to answer, or not understood. The same again changes nothing. @returns whether it is new */
export async function keepNotification(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
  notification: { externalKey: string; status: 'ignored' | 'quarantined'; payload: unknown; editOf?: string },
): Promise<boolean> {
  const kept = await ctx.db
    .insertInto('inbound')
    .values({
      id: newId(),
      organization_id: ctx.organizationId,
      connection_id: connectionId,
      external_key: notification.externalKey,
      status: notification.status,
      payload: JSON.stringify(notification.payload),
      message_id: null,
      edit_of: notification.editOf ?? null,
    })
    .onConflict((conflict) => conflict.columns(['connection_id', 'external_key']).doNothing())
    .executeTakeFirst()
  return kept.numInsertedOrUpdatedRows === 1n
}
