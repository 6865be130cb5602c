// Decisions about a conversation: which step its state allows, and what follows from it.
import type { Channel } from '#shared/channels/channels.ts'
import { manifestOf } from '#shared/channels/manifests.ts'
import { AppError } from '#shared/errors.ts'
import type { ConversationFolder, ConversationStatus, PauseReason } from '#shared/messaging/conversations.ts'

/** @throws AppError conversation_not_pausable unless the agent is active in it, or silent already */
export function assertCanPause(status: ConversationStatus): void {
  if (status === 'ended') throw new AppError('conversation_not_pausable')
}

/** @throws AppError conversation_deleted: it has to be restored first */
export function assertNotDeleted(folder: ConversationFolder): void {
  if (folder === 'deleted') throw new AppError('conversation_deleted')
}

/** @throws AppError connection_disconnected when there is no way left to reach the customer */
export function assertReachable<State extends Reach>(
  conversation: State,
): asserts conversation is State & Reachable<State> {
  const { isConnected, connectionId, externalChatId } = conversation
  if (!isConnected || connectionId === null || externalChatId === null) throw new AppError('connection_disconnected')
}

/** @throws AppError message_empty, channel_sends_no_files, channel_sends_pictures_only */
export function assertSendable(
  channel: Channel,
  message: { text: string; files: { mimeType: string | null }[] },
): void {
  const { text, files } = message
  if (text === '' && files.length === 0) throw new AppError('message_empty')
  const taken = manifestOf(channel)?.files ?? 'none'
  if (files.length > 0 && taken === 'none') throw new AppError('channel_sends_no_files')
  if (taken instanceof RegExp && !files.every(({ mimeType }) => taken.test(mimeType ?? ''))) {
    throw new AppError('channel_sends_pictures_only')
  }
}

type Reach = { isConnected: boolean; connectionId: string | null; externalChatId: string | null }
type Reachable<State extends Reach> = {
  connectionId: NonNullable<State['connectionId']>
  externalChatId: NonNullable<State['externalChatId']>
}

/** Whether the agent owes an answer when it resumes. `isWaiting`: a message of the customer is open. */
export function owesAnswer(conversation: { status: ConversationStatus; isWaiting: boolean }): boolean {
  return conversation.status !== 'active' && conversation.isWaiting
}

/**
 * Whether an operator has the conversation, or the customer wants no answers, when the agent is silent for this reason; otherwise an
 * operator was called and is awaited. Only while no operator has it do the customer's words resume the agent: otherwise two would answer,
 * and a word such as "start" in a message to the operator would bring the agent back.
 */
export function isTakenOver(reason: PauseReason): boolean {
  switch (reason) {
    case 'operator':
    case 'operator_reply':
    case 'operator_elsewhere':
    case 'operator_phrase':
    case 'customer_stop':
      return true
    case 'customer_request':
    case 'missing_knowledge':
    case 'tool_failure':
    case 'policy':
    case 'promise':
    case 'guard':
    case 'model_failure':
    case 'availability':
    case 'limit':
    case 'machine_talk':
      return false
    default:
      return reason satisfies never
  }
}
