// SQL of events outside Parley: a person answers on the phone, the provider reports delivery of a message, the account's state changes.

import { setAccountState } from '#server/domain/channels/health/account-states.store.ts'
import { answerWith } from '#server/domain/messaging/conversations/threads.store.ts'
import { lockThread } from '#server/domain/messaging/conversations/threads.ts'
import { takeOver } from '#server/domain/messaging/handoff/takeover.ts'
import type { Inbound } from '#server/integrations/channels/contract/inbound.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { isFrozen } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import { appendMessage } from '../conversations/writes/appended-message.store.ts'
import { insertNotification } from '../inbound-events/notifications.store.ts'
import { applyReceipt } from '../outbox/receipts.store.ts'

/** A connection's id, and the notification with its raw payload. */
type Received<Kind extends Inbound['kind']> = {
  connectionId: Id<'channelConnections'>
  inbound: Extract<Inbound, { kind: Kind }>
  payload: unknown
}

/** An older report of a healthy account proves nothing: it may have waited in the provider's queue. */
const STATE_NEWS_MS = 2 * 60_000

/**
 * Stores a person's answer that was sent outside Parley: the person takes over the conversation with the rest of its thread, or resumes
 * the agent by a phrase.
 * `homeId`: the connection under which the conversation is stored, where it differs (see conversation-connection.store.ts).
 * No effect for a chat in which no customer has ever written, for our own messages, and for a duplicate.
 */
export async function storeHumanReply(
  ctx: OrgStoreContext,
  received: Received<'humanReply'> & { homeId?: Id<'channelConnections'> },
): Promise<void> {
  const { connectionId, inbound, homeId = connectionId } = received
  if (!(await insertNotification(ctx, received))) return
  const chat = await ctx.db
    .selectFrom('conversations')
    .where('organization_id', '=', ctx.organizationId)
    .where('connection_id', '=', homeId)
    .where('external_chat_id', '=', inbound.chatId)
    .select('id')
    .executeTakeFirst()
  if (!chat || (await isOurs(ctx, connectionId, inbound))) return
  const { conversation, others } = await lockThread(ctx, chat.id)
  await takeOver(ctx, [conversation, ...others], { text: inbound.text, reason: 'operator_elsewhere' })
  const reply = { conversationId: conversation.id, author: 'operator' as const, userId: null, text: inbound.text }
  const messageId = await appendMessage(ctx, { ...reply, isAnswered: true })
  await answerWith(
    ctx,
    messageId,
    others.map(({ id }) => id),
  )
}

/** Stores the delivery state of a message that the provider accepted. One that is not stored as sent yet gets it once it is. */
export async function storeReceipt(ctx: OrgStoreContext, received: Received<'receipt'>): Promise<void> {
  if (!(await insertNotification(ctx, received))) return
  const { connectionId, inbound } = received
  const { externalMessageId, state, reason = null, isUpTo = false } = inbound
  await applyReceipt(ctx, { connectionId, externalMessageId, state, reason, isUpTo })
}

/** Stores the account's state. That it may send again is trusted only while fresh; otherwise the check each minute decides. */
export async function storeAccountState(ctx: OrgStoreContext, received: Received<'accountState'>): Promise<void> {
  if (!(await insertNotification(ctx, received))) return
  const { state, identifier, at } = received.inbound
  if (!isFrozen(state) && at < Date.now() - STATE_NEWS_MS) return
  await setAccountState(ctx, received.connectionId, { state, identifier, askedAt: null })
}

async function isOurs(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'>,
  { chatId, externalMessageId }: Received<'humanReply'>['inbound'],
): Promise<boolean> {
  const sent = await ctx.db
    .selectFrom('outbox')
    .where('organization_id', '=', ctx.organizationId)
    .where('connection_id', '=', connectionId)
    .where('external_message_id', '=', externalMessageId)
    // The conversation may have moved to another chat since the message was sent.
    .where((part) =>
      part.or([
        part('external_chat_id', '=', chatId),
        part.exists(
          part
            .selectFrom('conversations')
            .where('conversations.organization_id', '=', ctx.organizationId)
            .whereRef('conversations.id', '=', 'outbox.conversation_id')
            .where('conversations.external_chat_id', '=', chatId)
            .select('conversations.id'),
        ),
      ]),
    )
    .select('id')
    .executeTakeFirst()
  return sent !== undefined
}
