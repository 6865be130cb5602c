// Conversations that turn out to be with one customer: they stay separate, are shown as one thread, and share a pause.

import { beginThread } from '#server/domain/messaging/conversations/threads.store.ts'
import { withholdAgentParts } from '#server/domain/messaging/outbox/outbox.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { THREAD_MAX } from '#shared/limits.ts'
import { pause } from '../conversations/conversation-state.store.ts'
import type { HeldChat } from '../outbox/reroute.store.ts'

/**
 * Joins the chats in one thread. If one of them is paused, the others are paused too, so that no agent answers next to the operator,
 * whichever chat the customer writes in next. Includes ended and removed chats, since the next message reopens them. `all`: the chats and
 * the rest of their threads, all locked by the caller.
 */
export async function linkConversations(
  store: OrgStoreContext,
  { chats, all }: { chats: HeldChat[]; all: HeldChat[] },
): Promise<void> {
  await showAsOne(store, chats.filter(isShown), all.filter(isShown))
  const [silent] = chats.filter(isInHand).sort((one, other) => lasts(other) - lasts(one))
  const speaking = chats.flatMap(({ id, status }) => (status === 'paused' ? [] : [id]))
  if (!silent || silent.pauseReason === null || speaking.length === 0) return
  const { pauseReason: reason, pausedBy: by, resumeAfterMs } = silent
  await pause(
    store,
    speaking.map((id) => ({ id, reason, by, resumeAfterMs: resumeAfterMs ?? undefined })),
  )
  await withholdAgentParts(store, speaking)
}

async function showAsOne(store: OrgStoreContext, chats: HeldChat[], all: HeldChat[]): Promise<void> {
  const [first, ...others] = chats
  if (!first || others.length === 0 || all.length > THREAD_MAX) return
  if (first.threadId !== null && others.every(({ threadId }) => threadId === first.threadId)) return
  await beginThread(
    store,
    all.map(({ id }) => id),
  )
}

/** A removed conversation counts as finished by its operator. */
const isInHand = (chat: HeldChat) => chat.status === 'paused' && isShown(chat)
const isShown = ({ folder }: HeldChat) => folder !== 'deleted'
/** Duration of a pause, in milliseconds. */
const lasts = ({ resumeAfterMs }: HeldChat) => resumeAfterMs ?? Number.MAX_VALUE
