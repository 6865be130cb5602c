// Replies and notes that are under way, kept in the browser until the server has answered: a page that is closed or reloaded meanwhile leaves
// them behind, and the next one looks what became of them.

import type { Id } from '#shared/ids.ts'
import type { Conversation, Message } from '#shared/messaging/conversations.ts'
import type { Note } from '#shared/messaging/operator-tools.ts'
import { api } from '#web/api.ts'
import { lastingDrafts, withReturned } from '#web/lib/browser/draft.ts'
import { fetchOnce } from '#web/lib/server/convex.ts'
import { randomKey } from '#web/lib/server/random-key.ts'

/** What is written in a conversation. */
export type WritingKind = 'reply' | 'note'
type UserId = Id<'users'>
export type Sending = {
  kind: WritingKind
  conversationId: Id<'conversations'>
  customerName: string | null
  text: string
  /** When the last message was that was known then, by the clock of the server. */
  after: number
  at: number
}

/** So many of the newest messages are looked through for one that was sent. */
const LOOKED_THROUGH = 100
/** A browser that has no locks does not tell whether another tab is still sending: after this it counts as gone, milliseconds. */
const GONE_AFTER_MS = 60_000

/** Under which what is typed in a conversation is kept. */
export function writingKey(kind: WritingKind, me: UserId, conversationId: Id<'conversations'>): string {
  return `${kind}:${me}:${conversationId}`
}

/** Keeps what is sent until it is settled. @returns the key under which it is kept */
export function keepSending(
  me: UserId,
  { kind, conversation, text }: { kind: WritingKind; conversation: Conversation; text: string },
): string {
  const key = `${beginningOf(me)}${randomKey()}`
  const { _id: conversationId, customer, lastMessage } = conversation
  const sending = { kind, conversationId, customerName: customer?.name ?? null, text, after: lastMessage?.at ?? 0 }
  lastingDrafts.change(key, JSON.stringify({ ...sending, at: Date.now() } satisfies Sending))
  return key
}

/** Other tabs see from the lock that this one is still there. */
export async function whileHeld(key: string, send: () => Promise<unknown>): Promise<void> {
  const sent = send()
  const isOver = sent.then(
    () => undefined,
    () => undefined,
  )
  void navigator.locks?.request(key, () => isOver).catch(() => undefined) // a page on its way out gets none
  await sent
}

/** @returns what was kept; null when it was forgotten, with everything else, as the person signed out */
export function settle(key: string): Sending | null {
  const sending = readSending(key)
  lastingDrafts.change(key, '')
  return sending
}

/**
 * What became of what earlier pages were sending: that of which the server knows nothing becomes the draft of its conversation again.
 *
 * @param onUnsent hears of each of these
 */
export async function settleLeft(me: UserId, onUnsent: (sending: Sending) => void): Promise<void> {
  const settleOne = async (key: string) => {
    const sending = readSending(key)
    if (!sending || (await hasArrived(sending, me))) return lastingDrafts.change(key, '')
    if (!settle(key)) return
    lastingDrafts.change(writingKey(sending.kind, me, sending.conversationId), (now) => withReturned(sending.text, now))
    onUnsent(sending)
  }
  await Promise.all(
    lastingDrafts.keys(beginningOf(me)).map((key) => onceGone(key, () => settleOne(key).catch(() => undefined))), // the next page tries again
  )
}

/** Runs when no tab is sending it any more. */
async function onceGone(key: string, run: () => Promise<void>): Promise<void> {
  if (navigator.locks) return navigator.locks.request(key, run)
  const age = Date.now() - (readSending(key)?.at ?? 0)
  if (age < GONE_AFTER_MS) await new Promise((resolve) => setTimeout(resolve, GONE_AFTER_MS - age))
  await run()
}

async function hasArrived({ kind, conversationId, text, after }: Sending, me: UserId): Promise<boolean> {
  if (kind === 'note') {
    const notes: Note[] = await fetchOnce(api.conversations.notes.list, { conversationId })
    return notes.some((note) => note.author?._id === me && note.text === text && note.createdAt > after)
  }
  const paginationOpts = { numItems: LOOKED_THROUGH, cursor: null }
  const { page }: { page: Message[] } = await fetchOnce(api.conversations.messages, { conversationId, paginationOpts })
  return page.some((message) => message.author === 'operator' && message.text === text && message.createdAt > after)
}

function readSending(key: string): Sending | null {
  const kept = lastingDrafts.read(key)
  return kept ? (JSON.parse(kept) as Sending) : null
}

function beginningOf(me: UserId): string {
  return `sending:${me}:`
}
