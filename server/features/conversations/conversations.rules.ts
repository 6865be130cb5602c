// Decisions about a conversation: which step its state allows, and what follows from it.
import type { ConversationStatus } from '#shared/conversations.ts'
import { AppError } from '#shared/errors.ts'

/** @throws AppError conversation_not_pausable unless the agent speaks in it, or is silent already */
export function assertCanPause(status: ConversationStatus): void {
  if (status === 'ended') throw new AppError('conversation_not_pausable')
}

/** @throws AppError connection_disconnected when there is no way left to reach the customer */
export function assertReachable<State extends Reach>(
  conversation: State,
): asserts conversation is State & Reachable<State> {
  const { isConnected, connectionId, externalChatId } = conversation
  if (!isConnected || connectionId === null || externalChatId === null) throw new AppError('connection_disconnected')
}

type Reach = { isConnected: boolean; connectionId: string | null; externalChatId: string | null }
type Reachable<State extends Reach> = {
  connectionId: NonNullable<State['connectionId']>
  externalChatId: NonNullable<State['externalChatId']>
}

/** Whether the agent owes an answer when it may speak again. */
export function owesAnswer(conversation: { status: ConversationStatus; isWaiting: boolean }): boolean {
  return conversation.status !== 'active' && conversation.isWaiting
}
