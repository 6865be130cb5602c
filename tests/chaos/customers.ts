// Customers who write continuously while servers fail, and the provider's faults meanwhile.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault, Messenger } from './messengers.ts'

const CHATS = 20
/** Share of notifications that are delivered again though they were taken. */
const REPEAT_SHARE = 0.1
const POISON_SHARE = 0.5
/** Each outage of the provider: too short for servers to back off from it for half a minute. */
const REFUSED_MS = 300
const REFUSED_EVERY_MS = 3000
/** Sends are continuously under way by then. */
const SENT_BEFORE_REFUSALS = 5
/** Longer than fifty servers take to start one after the other on a busy machine. */
const TAKEN_LIMIT_MS = 900_000
/** Customers pause while this many of their messages are unacknowledged, so that a slow machine is not flooded. */
const OPEN_MAX = 200

/** What customers wrote: text → the notification that carries it. */
export type CustomerMessages = Map<string, object>
/** `poisons`: notifications of unknown shape, in one run, where they are among the faults. */
type Pace = { faults: readonly Fault[]; delivery: 'webhook' | 'polling'; paceMs: number; poisons?: number }

/** Lets customers write until `until` settles and all poison notifications are posted. */
export async function write(messenger: Messenger, until: Promise<void>, pace: Pace): Promise<CustomerMessages> {
  const customerMessages: CustomerMessages = new Map()
  let isOver = false
  let poisons = pace.faults.includes('poison') && pace.delivery === 'webhook' ? (pace.poisons ?? 0) : 0
  const end = until
    .catch((error: unknown) => {
      poisons = 0
      throw error
    })
    .finally(() => {
      isOver = true
    })
  end.catch(() => undefined) // awaited when the last customer has written
  const refusals = pace.faults.includes('refusals') ? refuse(messenger, () => isOver) : null
  const counters = Array.from({ length: CHATS }, () => 0)
  messenger.spoil(true)
  while (!isOver || poisons > 0) {
    const chat = Math.floor(Math.random() * CHATS)
    if (poisons > 0 && Math.random() < POISON_SHARE) {
      messenger.poison(chat)
      poisons--
    }
    const text = `c${chat}n${counters[chat]}`
    counters[chat] = (counters[chat] ?? 0) + 1
    const message = messenger.say(chat, text)
    customerMessages.set(text, message)
    if (pace.delivery === 'webhook' && Math.random() < REPEAT_SHARE) void repeatOnceTaken(messenger, message)
    await sleep(pace.paceMs)
    while (countOpen(messenger, customerMessages) > OPEN_MAX) await sleep(pace.paceMs)
  }
  await end
  await refusals
  messenger.spoil(false)
  return customerMessages
}

/** Unacknowledged messages among the newest. */
function countOpen(messenger: Messenger, customerMessages: CustomerMessages): number {
  return [...customerMessages.values()].slice(-2 * OPEN_MAX).filter((message) => !messenger.isTaken(message)).length
}

/** Whether everything is acknowledged is judged afterwards: when the power is cut, the last messages never are. */
async function repeatOnceTaken(messenger: Messenger, message: object): Promise<void> {
  const isTaken = await messenger
    .waitFor(() => messenger.isTaken(message), 'a notification to be taken', TAKEN_LIMIT_MS)
    .then(
      () => true,
      () => false,
    )
  if (isTaken) await messenger.repeat(message)
}

async function refuse(messenger: Messenger, isOver: () => boolean): Promise<void> {
  await messenger.waitFor(() => messenger.sent().length >= SENT_BEFORE_REFUSALS, 'the first answers', TAKEN_LIMIT_MS)
  while (!isOver()) {
    await messenger.refuseConnections(REFUSED_MS)
    for (const until = Date.now() + REFUSED_EVERY_MS; Date.now() < until && !isOver(); ) await sleep(100)
  }
}
