// What the customer's words set going at once, in the transaction that stores them: the agent speaks again, or need not wait for more.
import { settingsOf } from '#server/domain/channels/connections/connection-settings.store.ts'
import { setStatus } from '#server/domain/messaging/conversations/conversations.store.ts'
import { requestTurns } from '#server/domain/messaging/turns/turn-requests.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { considerNewest } from '../conversations/writes/progress.store.ts'
import { flushBufferOnPhrase, resumeByPhrase, type SilentConversation } from '../handoff/handoff.ts'
import { type Command, commandOf } from '../turns/reply/commands.rules.ts'
import type { ReceivingConnection, Stored } from './receive.store.ts'

/** `isPressed`: it was said by a button, so that there is nothing more to wait for. */
type Heard = { text: string; isPressed: boolean }

/** Heeds a command or a phrase of the message that was just stored. @returns whether a turn is due now that was not */
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

/** A customer who has silenced the agent is heeded when they greet it or call a person. What they wrote meanwhile calls nobody by itself. */
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
