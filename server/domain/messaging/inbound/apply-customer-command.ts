// Immediate effects of a customer's message, in the transaction that stores it: the agent is resumed, or the message buffer is flushed.
import { settingsOf } from '#server/domain/channels/connections/connection-settings.store.ts'
import { requestTurns } from '#server/domain/messaging/turns/turn-requests.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { considerNewest } from '../conversations/writes/progress.store.ts'
import { setStatus } from '../handoff/conversation-status.ts'
import { flushBufferOnPhrase, resumeByPhrase, type SilentConversation } from '../handoff/handoff.ts'
import { type Command, commandOf } from '../turns/commands.rules.ts'
import type { ReceivingConnection, Stored } from './receive.store.ts'

/** `isPressed`: the text came from a button, so there is nothing more to wait for. */
type Heard = { text: string; isPressed: boolean }

/** Applies a command or phrase of the message that was just stored. @returns whether this made a turn due */
export async function applyCustomerCommand(
  store: OrgStoreContext,
  { channel }: Pick<ReceivingConnection, 'channel'>,
  { silent, waiting, settings, text, isPressed }: Pick<Stored, 'silent' | 'waiting' | 'settings'> & Heard,
): Promise<boolean> {
  const command = commandOf(text, settingsOf({ channel, settings }))
  if (silent) {
    const isResumed = command !== null && (await resumeByCommand(store, silent, command))
    return isResumed || ((command?.action ?? 'start') === 'start' && resumeByPhrase(store, silent, text))
  }
  if (!waiting) return false
  if (!command && !isPressed) return flushBufferOnPhrase(store, waiting, text)
  await requestTurns(store, [waiting])
  return true
}

/**
 * Resumes an agent that the customer had stopped when they send a start or handoff command. Their earlier messages of the pause cause no
 * handoff by themselves.
 */
async function resumeByCommand(
  store: OrgStoreContext,
  { id, pauseReason }: SilentConversation,
  { action }: Command,
): Promise<boolean> {
  if (pauseReason !== 'customer_stop' || (action !== 'start' && action !== 'handoff')) return false
  await setStatus(store, [id], 'active')
  await considerNewest(store, id)
  await requestTurns(store, [id])
  return true
}
