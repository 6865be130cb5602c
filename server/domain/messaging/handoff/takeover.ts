// Pauses or resumes the agent when a person of the organization writes to a customer, in the inbox or outside Parley, such as on the
// phone.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { ConversationStatus } from '#shared/messaging/conversations.ts'
import { type Pause, pause } from '../conversations/conversation-state.store.ts'
import { findIntent } from '../conversations/phrases.rules.ts'
import { withholdAgentParts } from '../outbox/outbox.store.ts'
import { setStatus } from './conversation-status.ts'
import { listHandoffSettings, listHeldByHand } from './handoffs.store.ts'

/** The conversation's current state; its row is locked by the caller. */
export type TakenConversation = { id: Id<'conversations'>; status: ConversationStatus }

/**
 * Pauses the agents of the conversations in which a person writes, and resumes an agent when the text holds one of its operator resume
 * phrases. Call it before the message is added. `by`: the writer, where known. A pause set by hand keeps its duration until it is over;
 * any other restarts with the agent's own duration.
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
    } else if (status !== 'ended') resumed.push(id) // the message also answers a pending call for a person
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
