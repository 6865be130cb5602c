// SQL of receiving: everything that one notification of a provider changes, in one statement.
import { sql } from 'kysely'
import type { Inbound } from '#server/integrations/channels/contract/inbound.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Channel } from '#shared/channels/channels.ts'
import type { ConnectionSettings } from '#shared/channels/connection-settings.ts'
import type { Id } from '#shared/ids.ts'
import { storeSender } from '../contacts/received-customer.store.ts'
import { storeReceived } from '../conversations/writes/received-message.store.ts'
import { signOf, storeAttachments } from '../files/received.store.ts'
import type { SilentConversation } from '../handoff/handoff.ts'
import { answerReceived } from '../turns/received-turns.store.ts'
import type { Begun } from '../turns/slots.ts'
import { hasEdits, lockEdits } from './handlers/edits.store.ts'
import { keepStored } from './notifications.store.ts'

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
  const { attachments } = inbound
  const messageId = newId('messages')
  const leastBuffer = inbound.isPiece ? PIECES_SECONDS : 0
  const sign = inbound.forwarded ? '↪ ' : ''
  const preview = `${sign}${inbound.text || signOf(attachments)}`
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
      ${keepStored(ctx, connection.id, { externalKey: inbound.externalKey, payload, messageId }, sql`from connection`)}
    ), ${storeSender(ctx, connection.id, inbound)},
    ${storeReceived(connection.channel, inbound, { messageId, homeId, preview })}${storeAttachments(messageId, attachments)},
    ${answerReceived({ begins, isAnswered: inbound.isAnswered ?? false })}
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
