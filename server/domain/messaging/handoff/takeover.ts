// A person of the organization has written in a conversation, in the inbox or past us on the phone: who speaks from now on?
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { ConversationStatus } from '#shared/messaging/conversations.ts'
import { type Pause, pause, setStatus } from '../conversations/conversations.store.ts'
import { findIntent } from '../conversations/phrases.rules.ts'
import { withholdAgentParts } from '../delivery/outbox.store.ts'
import { listHandoffSettings, listHeldByHand } from './handoffs.store.ts'

/** The conversation as it stands; its row is held by the caller. */
export type TakenConversation = { id: Id<'conversations'>; status: ConversationStatus }

/**
 * Silences the agents of the conversations in which a person writes, and lets one speak again when the words hold one of its operator's
 * resume phrases. Call it before the message is added. `by`: who writes, where known. A pause that was set by hand keeps its time, until
 * that is over; any other begins anew with the agent's own.
 */
export async function takeOver(
  ctx: OrgStoreContext,
  conversations: TakenConversation[],
  words: { text: string; reason: 'operator_reply' | 'operator_elsewhere'; by?: Id<'users'> },
): Promise<void> {
  const settings = await listHandoffSettings(
    ctx,
    conversations.map(({ id }) => id),
  )
  const resumed: Id<'conversations'>[] = []
  const silenced: Pause[] = []
  for (const { id, status } of conversations) {
    const handoff = settings.get(id)
    const intent = handoff && findIntent(words.text, handoff.operator)
    const reason = intent ? 'operator_phrase' : words.reason
    if (intent?.kind !== 'resume') {
      silenced.push({ id, reason, by: words.by ?? null, resumeAfterMs: handoff?.autoResumeMs ?? undefined })
    } else if (status !== 'ended') resumed.push(id) // a call that nobody had answered is answered by these words
  }
  const ids = silenced.map(({ id }) => id)
  const held = await listHeldByHand(ctx, ids)
  await setStatus(ctx, resumed, 'active')
  await pause(
    ctx,
    silenced.filter(({ id }) => !held.has(id)),
  )
  await withholdAgentParts(ctx, ids)
}
