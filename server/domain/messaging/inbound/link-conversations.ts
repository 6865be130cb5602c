// Conversations that turn out to be with one customer: they stay several, are shown as one, and are in the same hands.

import { pause } from '#server/domain/messaging/conversations/conversations.store.ts'
import { beginThread } from '#server/domain/messaging/conversations/threads.store.ts'
import { withholdAgentParts } from '#server/domain/messaging/delivery/outbox.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { THREAD_MAX } from '#shared/limits.ts'
import type { HeldChat } from '../delivery/reroute.store.ts'

/**
 * A person who has one of these conversations in hand has the others: no agent speaks beside them, in whichever of them the customer writes
 * next. One that was ended or removed is silenced too, for the next message begins it again. `all`: the chats with whatever is shown as one
 * with any of them, all held by the caller.
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

/** Whoever has removed a conversation has done with it. */
const isInHand = (chat: HeldChat) => chat.status === 'paused' && isShown(chat)
const isShown = ({ place }: HeldChat) => place !== 'deleted'
/** Milliseconds, of a pause. */
const lasts = ({ resumeAfterMs }: HeldChat) => resumeAfterMs ?? Number.MAX_VALUE
