// SQL of what happens to a connection past us: a person answers on the phone, the provider loses a message, the account changes.

import { setAccountState } from '#server/domain/channels/health/account-states.store.ts'
import { appendMessage } from '#server/domain/messaging/conversations/messages.store.ts'
import { answerWith } from '#server/domain/messaging/conversations/threads.store.ts'
import { lockThread } from '#server/domain/messaging/conversations/threads.ts'
import { takeOver } from '#server/domain/messaging/handoff/takeover.ts'
import type { Inbound } from '#server/integrations/channels/contract/inbound.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { isFrozen } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import { applyReceipt } from '../delivery/receipts.store.ts'

/** What of a connection is needed here, and the notification as it came. */
type Received<Kind extends Inbound['kind']> = {
  connectionId: Id<'channelConnections'>
  inbound: Extract<Inbound, { kind: Kind }>
  payload: unknown
}

/** Older news of an account that is well says nothing about now: it may have waited in the provider's queue. */
const STATE_NEWS_MS = 2 * 60_000

/**
 * Stores a person's answer that was given past us: the person has taken the conversation over, with what is shown as one with it, or gives
 * it back by a phrase.
 * `homeId`: the connection by which the conversation is found, where that is another one (see home.store.ts).
 * Without effect for a chat in which no customer has ever written, for what we have sent ourselves, and for a copy.
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

/** What became of a message that the provider had taken. One that is not written down as sent yet is told when it is. */
export async function storeReceipt(ctx: OrgStoreContext, received: Received<'receipt'>): Promise<void> {
  if (!(await insertNotification(ctx, received))) return
  const { connectionId, inbound } = received
  const { externalMessageId, state, reason = null, isUpTo = false } = inbound
  await applyReceipt(ctx, { connectionId, externalMessageId, state, reason, isUpTo })
}

/** News of the account. That it may send again is believed only while it is fresh; the look at it every minute decides otherwise. */
export async function storeAccountState(ctx: OrgStoreContext, received: Received<'accountState'>): Promise<void> {
  if (!(await insertNotification(ctx, received))) return
  const { state, identifier, at } = received.inbound
  if (!isFrozen(state) && at < Date.now() - STATE_NEWS_MS) return
  await setAccountState(ctx, received.connectionId, { state, identifier, askedAt: null })
}

/** @returns false when the notification is there already */
async function insertNotification(
  ctx: OrgStoreContext,
  {
    connectionId,
    inbound,
    payload,
  }: { connectionId: Id<'channelConnections'>; inbound: { externalKey: string }; payload: unknown },
): Promise<boolean> {
  const inserted = await ctx.db
    .insertInto('inbound')
    .values({
      id: newId(),
      organization_id: ctx.organizationId,
      connection_id: connectionId,
      external_key: inbound.externalKey,
      status: 'stored',
      payload: JSON.stringify(payload),
      message_id: null,
    })
    .onConflict((conflict) => conflict.columns(['connection_id', 'external_key']).doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n
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
    // The conversation may go on in another chat by now than that in which it was said.
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
