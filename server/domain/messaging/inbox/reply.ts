// An operator's message to a customer, with its files, and the parts of it that are sent.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { splitText, typedLimitOf } from '#server/platform/lib/text/split-text.ts'
import type { Channel } from '#shared/channels/channels.ts'
import { CHANNELS } from '#shared/channels/manifests.ts'
import type { ChosenTemplate } from '#shared/channels/templates.ts'
import type { Id } from '#shared/ids.ts'
import { appendMessage } from '../conversations/writes/appended-message.store.ts'
import { signOfFile, type Upload } from '../files/uploads.rules.ts'
import { attach, fromOwnUploads } from '../files/uploads.store.ts'
import { queueParts, queueTemplate } from '../outbox/outbox.store.ts'

/** A conversation whose row is locked and that can be answered. */
export type AnsweredConversation = {
  id: Id<'conversations'>
  channel: Channel
  connectionId: Id<'channelConnections'>
  externalChatId: string
}

/** Adds the message and queues its parts, the files after the text. @returns its id */
export async function sendReply(
  ctx: OrgStoreContext,
  { id: conversationId, channel, connectionId, externalChatId }: AnsweredConversation,
  { userId, text, uploads }: { userId: Id<'users'>; text: string; uploads: Upload[] },
): Promise<Id<'messages'>> {
  const [first] = uploads
  const preview = text || (first ? signOfFile(first) : '')
  const messageId = await appendMessage(ctx, {
    conversationId,
    author: 'operator',
    userId,
    text,
    preview,
    isAnswered: true,
  })
  const files = await attach(ctx, { conversationId, messageId }, fromOwnUploads(uploads))
  const target = { connectionId, conversationId, messageId, externalChatId }
  const limit = channel === 'test' ? text.length : typedLimitOf(CHANNELS[channel].showing)
  await queueParts(ctx, target, splitText(text, limit), files)
  return messageId
}

/** Adds a message that is a template, and queues it as one part. `text`: what the customer reads. @returns its id */
export async function sendTemplate(
  ctx: OrgStoreContext,
  { id: conversationId, connectionId, externalChatId }: AnsweredConversation,
  { userId, text, template }: { userId: Id<'users'>; text: string; template: ChosenTemplate },
): Promise<Id<'messages'>> {
  const messageId = await appendMessage(ctx, { conversationId, author: 'operator', userId, text, isAnswered: true })
  await queueTemplate(ctx, { connectionId, conversationId, messageId, externalChatId }, { text, template })
  return messageId
}
