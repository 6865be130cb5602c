// SQL of the ids by which one channel knows a customer. WhatsApp sends a phone number, an id of its own that hides the number, or both: a
// customer known by either stays the same customer, in the same conversation.
import { type RawBuilder, sql } from 'kysely'
import { holdAllHolds, shareLegalHold } from '#server/domain/messaging/customers/legal-hold.store.ts'
import { getStandingId, mergeContacts } from '#server/domain/messaging/customers/people.store.ts'
import type { Inbound, InboundMessage } from '#server/integrations/channels/contract/inbound.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { moveChatTo } from '../../conversations/writes/chat-moves.store.ts'
import { keepIds, renameCustomer } from '../../customers/customer-changes.store.ts'
import { linkConversations } from '../../handoff/link-conversations.ts'
import { holdWithThreads } from '../../outbox/reroute.store.ts'

type ConnectionId = Id<'channelConnections'>
type Known = { id: Id<'customers'>; externalId: string; createdAt: Date }

/**
 * The message with the sender and chat ids by which its customer is known here. Ids that the provider sends together belong to one person
 * from now on. Locks all of them until the transaction ends.
 */
export async function placeSender(
  ctx: OrgStoreContext,
  connectionId: ConnectionId,
  inbound: InboundMessage,
): Promise<InboundMessage> {
  const { sender } = inbound
  const ids = [...new Set([sender.externalId, ...(sender.aliases ?? [])])]
  await holdIds(ctx, connectionId, ids)
  const known = await listKnown(ctx, connectionId, ids)
  const target = known.find(({ externalId }) => externalId === sender.externalId) ?? known[0]
  if (!target || (await isTaken(ctx, connectionId, inbound.externalKey))) return inbound
  const others = known.filter((other) => other !== target)
  if (others.length > 0) await join(ctx, target, others)
  const isNamed = ids.includes(target.externalId)
  const externalId = isNamed ? await rename(ctx, connectionId, target, sender.externalId) : target.externalId
  await keepIds(ctx, connectionId, { customerId: target.id, ids: ids.filter((id) => id !== externalId) })
  const chatId = await moveChat(ctx, connectionId, target.id, inbound.chatId)
  return { ...inbound, chatId, sender: { ...sender, externalId } }
}

/** The event with the chat id by which its customer is known here now, locked until the transaction ends. */
export async function placeChat<Event extends Extract<Inbound, { chatId: string }>>(
  ctx: OrgStoreContext,
  connectionId: ConnectionId,
  inbound: Event,
): Promise<Event> {
  await holdIds(ctx, connectionId, [inbound.chatId])
  const [known] = await listKnown(ctx, connectionId, [inbound.chatId])
  const chat = known && (await findChat(ctx, connectionId, { customerId: known.id, chatId: inbound.chatId }))
  return chat ? { ...inbound, chatId: chat.chatId } : inbound
}

/**
 * The conversation that holds a customer's message, of all conversations of the contacts that share an id: an id that moved to another
 * contact in a merge may name messages of either. Undefined when none holds it. Takes no lock, since messages do not move.
 */
export async function findConversationOfMessage(
  ctx: OrgStoreContext,
  connectionId: ConnectionId,
  { chatId, externalMessageId }: { chatId: string; externalMessageId: string },
): Promise<Id<'conversations'> | undefined> {
  const { rows } = await sql<{ id: Id<'conversations'> }>`
    with known as (
      select coalesce(c.person_id, c.id) as person_id from customers c
      where c.organization_id = ${ctx.organizationId} and c.connection_id = ${connectionId} and c.external_id = ${chatId}
      union
      select coalesce(c.person_id, c.id) from customer_identities i
      join customers c on c.organization_id = i.organization_id and c.id = i.customer_id
      where i.organization_id = ${ctx.organizationId} and i.connection_id = ${connectionId} and i.external_id = ${chatId}
    ), people as (
      select person_id as id from known
      union select c.id from known join customers c on c.organization_id = ${ctx.organizationId} and c.person_id = known.person_id
    )
    select m.conversation_id as id from people
    join conversations c on c.organization_id = ${ctx.organizationId} and c.customer_id = people.id
    join messages m on m.organization_id = c.organization_id and m.conversation_id = c.id and m.author = 'customer'
      and m.external_id = ${externalMessageId}
    where c.channel = (select n.channel from channel_connections n where n.organization_id = ${ctx.organizationId} and n.id = ${connectionId})
    order by (c.connection_id = ${connectionId}) desc, m.sequence limit 1`.execute(ctx.db)
  return rows[0]?.id
}

/**
 * Locks in a fixed order, before any row: first the ids of the notification, then the customers known by them, since another notification
 * may name the same customer by a different id and move the conversation meanwhile. Each by a statement of its own, which sees what was
 * committed before.
 */
async function holdIds(ctx: OrgStoreContext, connectionId: ConnectionId, ids: string[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended('identity ' || ${connectionId}::text || ' ' || id, 0))
    from (select id from unnest(${ids}::text[]) id order by id) ordered`.execute(ctx.db)
  await sql`
    select pg_advisory_xact_lock(hashtextextended('identities of ' || customer_id, 0))
    from (select distinct ${knownBy(ctx, connectionId, 'given.id')} as customer_id from unnest(${ids}::text[]) given (id) order by 1) ordered
    where customer_id is not null`.execute(ctx.db)
}

/** The id of the connection's customer with this external id, as SQL. */
function knownBy({ organizationId }: OrgStoreContext, connectionId: ConnectionId, id: string): RawBuilder<unknown> {
  return sql`coalesce(
    (select i.customer_id from customer_identities i where i.organization_id = ${organizationId}
      and i.connection_id = ${connectionId} and i.external_id = ${sql.ref(id)}),
    (select c.id from customers c where c.organization_id = ${organizationId}
      and c.connection_id = ${connectionId} and c.external_id = ${sql.ref(id)}))`
}

/** Distinct customers of the connection that have one of these ids, in the order of the ids. */
async function listKnown(ctx: OrgStoreContext, connectionId: ConnectionId, ids: string[]): Promise<Known[]> {
  const { rows } = await sql<Known>`
    select c.id, c.external_id as "externalId", c.created_at as "createdAt"
    from unnest(${ids}::text[]) with ordinality as given (id, place)
    cross join lateral (select ${knownBy(ctx, connectionId, 'given.id')} as customer_id) found
    join customers c on c.organization_id = ${ctx.organizationId} and c.id = found.customer_id
    order by given.place`.execute(ctx.db)
  return [...new Map(rows.toReversed().map((row) => [row.id, row])).values()].reverse()
}

/** Whether the notification is stored already. A duplicate must change nothing: it may be older than the present state. */
export async function isTaken(ctx: OrgStoreContext, connectionId: ConnectionId, externalKey: string): Promise<boolean> {
  const { rows } = await sql`
    select from inbound_events where organization_id = ${ctx.organizationId} and connection_id = ${connectionId}
      and external_key = ${externalKey}`.execute(ctx.db)
  return rows.length > 0
}

/**
 * Merges customers that turned out to be one: the oldest contact survives, and a pause of one of their conversations applies to all,
 * since the customer continues in only one of them. A user can separate them again.
 */
async function join(ctx: OrgStoreContext, one: Known, others: Known[]): Promise<void> {
  await holdAllHolds(ctx)
  const ids = await listChats(ctx, [one, ...others])
  const all = ids.length > 1 ? await holdWithThreads(ctx, ids) : []
  await linkConversations(ctx, { chats: all.filter(({ id }) => ids.includes(id)), all })
  for (const other of others) await makeOne(ctx, one, other)
}

async function listChats(ctx: OrgStoreContext, customers: Known[]): Promise<Id<'conversations'>[]> {
  const { rows } = await sql<{ id: Id<'conversations'> }>`
    select id from conversations where organization_id = ${ctx.organizationId}
      and customer_id = any (${customers.map(({ id }) => id)}::text[])`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

async function makeOne(ctx: OrgStoreContext, one: Known, other: Known): Promise<void> {
  const [older, younger] = one.createdAt <= other.createdAt ? [one, other] : [other, one]
  if ((await getStandingId(ctx, older.id)) !== (await getStandingId(ctx, younger.id))) {
    await mergeContacts(ctx, { survivorId: older.id, otherId: younger.id, by: null })
    await shareLegalHold(ctx, older.id)
  }
}

/** The adapter passes the better of two ids as the sender's: a phone number before the id that hides it. @returns the row's id now */
async function rename(ctx: OrgStoreContext, connectionId: ConnectionId, known: Known, externalId: string) {
  if (externalId === known.externalId) return externalId
  return (await renameCustomer(ctx, connectionId, { id: known.id, externalId })) ? externalId : known.externalId
}

/**
 * Moves the conversation to the chat in which the customer wrote, unless that chat has a conversation of its own. A rerouted conversation
 * keeps the chat id by which both numbers reach the customer and find it. @returns the chat id of the conversation
 */
async function moveChat(
  ctx: OrgStoreContext,
  connectionId: ConnectionId,
  customerId: Id<'customers'>,
  chatId: string,
): Promise<string> {
  const chat = await findChat(ctx, connectionId, { customerId, chatId })
  if (!chat || chat.chatId === chatId) return chatId
  if (chat.isRerouted) return chat.chatId
  return (await moveChatTo(ctx, connectionId, { id: chat.id, chatId })) ? chatId : chat.chatId
}

/**
 * Of the customer's conversations with the connection, the one of this chat, else the one with the latest message. Includes conversations
 * rerouted from or to this connection: see conversation-connection.store.ts.
 */
async function findChat(
  ctx: OrgStoreContext,
  connectionId: ConnectionId,
  { customerId, chatId }: { customerId: Id<'customers'>; chatId: string },
): Promise<{ id: Id<'conversations'>; chatId: string; isRerouted: boolean } | undefined> {
  const { rows } = await sql<{ id: Id<'conversations'>; chatId: string; isRerouted: boolean }>`
    with rerouted as (
      select r.conversation_id as id from failover_notices r
      where r.organization_id = ${ctx.organizationId} and ${connectionId} in (r.connection_id, r.to_connection_id)
        and r.external_chat_id in (
          select external_id from customers where organization_id = ${ctx.organizationId} and id = ${customerId}
          union all
          select external_id from customer_identities where organization_id = ${ctx.organizationId} and customer_id = ${customerId})
    ), own as (
      select id from conversations
      where organization_id = ${ctx.organizationId} and connection_id = ${connectionId} and customer_id = ${customerId}
    )
    select id, external_chat_id as "chatId", id in (select id from rerouted) as "isRerouted" from conversations
    where organization_id = ${ctx.organizationId} and id in (select id from own union select id from rerouted)
    order by (external_chat_id = ${chatId}) desc, last_message_at desc limit 1`.execute(ctx.db)
  return rows[0]
}
