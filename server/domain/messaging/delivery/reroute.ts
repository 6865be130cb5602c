// Moves conversations to another number while their own may not send: the customer gets one notice, then what has waited.
import { recordUsage } from '#server/domain/billing/billing.store.ts'
import { answerLanguageFor } from '#server/integrations/llm/language.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { textLimitOf } from '#server/platform/lib/text/split-text.ts'
import { CHANNELS } from '#shared/channels/manifests.ts'
import { STAND_IN_NOTICE } from '#shared/channels/stand-ins.ts'
import type { Id } from '#shared/ids.ts'
import { setConversationConnection } from '../conversations/writes/chat-moves.store.ts'
import { addLine } from '../conversations/writes/team-lines.store.ts'
import { linkConversations } from '../handoff/link-conversations.ts'
import { addNotice } from '../outbox/notices.store.ts'
import { dropLateOf } from '../outbox/parked-parts.store.ts'
import {
  type Due,
  type HeldChat,
  holdChats,
  holdPair,
  holdParts,
  holdSender,
  moveParts,
  noteReroute,
  readWords,
} from '../outbox/reroute.store.ts'
import { splitReply } from '../outbox/split.ts'

/**
 * Moves everything that waits in one conversation, or nothing: a part that a server or a provider holds may not be overtaken by the next, and
 * a hidden id cannot be reached by the other number. In one transaction: a server that dies leaves everything waiting as it was.
 *
 * @returns how many messages the other number has to send
 */
export async function reroute(store: OrgStoreContext, due: Due): Promise<number> {
  const { conversation, other, all } = await holdChats(store, due)
  const pair = conversation?.chatId === due.chatId && (await holdPair(store, due))
  if (!pair) return 0
  const open = await holdParts(store, due)
  if (open.length === 0 || open.some(({ mayMove, chatId }) => !mayMove || chatId !== due.chatId)) return 0
  await dropLateOf(store, due.connectionId, due.conversationId)
  // The customer has written to both numbers: both conversations stay.
  if (other) await linkConversations(store, { chats: [conversation, other], all })
  const parts = await holdParts(store, due)
  if (parts.length === 0) return 0
  const ids = parts.map(({ id }) => id)
  if (conversation.connectionId !== due.connectionId) return (await follow(store, conversation, ids)) ? ids.length : 0
  if (!other) await setConversationConnection(store, conversation.id, due.toId)
  const isFirst = await noteReroute(store, due, pair.frozenSince)
  const noticeMessages = isFirst ? await sendNotice(store, due, conversation, pair) : 0
  await moveParts(store, ids, due.toId)
  return noticeMessages + ids.length
}

/** Sends parts that stayed at a number the conversation has left by the number that the customer knows, without a notice. */
async function follow(store: OrgStoreContext, { connectionId }: HeldChat, ids: Id<'outbox'>[]): Promise<boolean> {
  const maySend = await holdSender(store, connectionId)
  if (maySend) await moveParts(store, ids, connectionId)
  return maySend
}

/** @returns how many messages the notice takes */
async function sendNotice(
  store: OrgStoreContext,
  { toId, chatId }: Due,
  { id, agentId }: HeldChat,
  { notice, identifier }: { notice: string; identifier: string },
): Promise<number> {
  await addLine(store, id, { text: identifier, reason: 'rerouted' })
  const { words, language } = await readWords(store, id)
  const text = notice || STAND_IN_NOTICE[answerLanguageFor('', { earlier: words, tag: language })]
  const parts = splitReply(text, textLimitOf(CHANNELS.whatsapp.showing))
  const messageId = await addNotice(store, id, { connectionId: toId, chatId }, { text, parts, reason: 'other_number' })
  await recordUsage(store, {
    sourceId: `${messageId}/notice`,
    agentId,
    category: 'system_message',
    channel: 'whatsapp',
    messages: 1,
    call: null,
    occurredAt: new Date(),
  })
  return parts.length
}
