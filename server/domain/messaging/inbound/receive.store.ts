// SQL of receiving: everything that one notification of a provider changes, in one statement.
import { sql } from 'kysely'
import type { InboundMessage } from '#server/integrations/channels/contract/inbound.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Channel } from '#shared/channels/channels.ts'
import type { ConnectionSettings } from '#shared/channels/connection-settings.ts'
import type { Id } from '#shared/ids.ts'
import { storeReceived } from '../conversations/writes/received-message.store.ts'
import { storeSender } from '../customers/received-customer.store.ts'
import { signOf, storeAttachments } from '../files/received.store.ts'
import type { SilentConversation } from '../handoff/handoff.ts'
import { hasEdits, lockEdits } from '../inbound-events/edits.store.ts'
import { keepStored } from '../inbound-events/notifications.store.ts'
import { answerReceived } from '../turns/received-turns.store.ts'
import type { Begun } from '../turns/slots.ts'

/** Seconds within which the remaining pieces of a message, such as an album, arrive. */
const PIECES_SECONDS = 1

export type ReceivingConnection = { id: Id<'channelConnections'>; channel: Exclude<Channel, 'test'> }

/**
 * `isConnected`: the connection was not disconnected meanwhile. `isDue`: a turn is to be answered now, rather than waiting for the
 * customer to finish.
 */
export type Stored = {
  isConnected: boolean
  isNew: boolean
  isDue: boolean
  /** An edit arrived before the message, and is not applied yet. */
  isEdited: boolean
  /** The conversation of the turn that was begun; null when none was. */
  begun: Id<'conversations'> | null
  /** The conversation if its agent is paused; null otherwise. */
  silent: SilentConversation | null
  /** The conversation whose turn waits for the customer to finish; null when none does. */
  waiting: Id<'conversations'> | null
  /** Settings of the connection that a user has set; null without any. */
  settings: Partial<ConnectionSettings> | null
}

/**
 * Stores one message of a customer with its customer, conversation and the turn that will answer it. Idempotent per notification.
 *
 * The steps depend on each other: they take their locks in this order, and hold them until commit:
 * 0. the message's edit lock: an edit that arrived before is seen, a later one waits;
 * 1. the notification's unique key: duplicates wait here and then find it taken;
 * 2. the conversation's row: messages of one chat are numbered one after another, and a pause is seen or waits;
 * 3. the pending turn's row: a runner that would claim it now skips it; one that has just claimed it leaves room for a new one.
 *
 * `homeId`: the connection under which the conversation is stored, see conversation-connection.store.ts. Where `begins` is given and
 * nothing else of the conversation is to be answered, its turn is inserted as claimed, which saves the claim. A turn that another message
 * has added while this one waited for the conversation's row is not seen; if it runs, its unique key makes this statement fail.
 *
 * The turn is due when the customer has been silent for the time of the agent's message buffer, or has been waiting for several times as
 * long; a piece of a larger message, such as a picture of an album, waits at least a moment for the rest. The buffer applies only here:
 * the test chat requests its turns itself, so that a tester does not wait for the buffer.
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
  const named = externalMessageId === undefined ? null : { ...inbound, externalMessageId }
  const isEdited = named ? hasEdits(ctx, connection.id, named) : sql.lit(false)
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
  // Pipelined: both are sent at once, and executed in order.
  const [, result] = await Promise.all([named && lockEdits(ctx, connection.id, named), storing.execute(ctx.db)])
  const stored = result.rows[0]
  if (!stored) throw new Error('Storing a message answered no row')
  return stored
}
