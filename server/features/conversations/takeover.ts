// A person of the organization has written in a conversation, in the inbox or past us on the phone: who speaks from now on?
import type { OrgStoreContext } from '#server/db/database.ts'
import type { ConversationStatus } from '#shared/conversations.ts'
import type { Id } from '#shared/ids.ts'
import { pause, setStatus } from './conversations.store.ts'
import { getHandoffSettings, isHeldByHand } from './handoffs.store.ts'
import { withholdAgentParts } from './outbox.store.ts'
import { findIntent } from './phrases.rules.ts'

/** The conversation as it stands; its row is held by the caller. */
export type TakenConversation = { id: Id<'conversations'>; status: ConversationStatus }

/**
 * Silences the agent when a person writes, and lets it speak again when the words hold one of the operator's resume phrases.
 * Call it before the message is added. `by`: who writes, where known. A pause that was set by hand keeps its time, until that is over; any other begins anew with the agent's own.
 */
export async function takeOver(
  ctx: OrgStoreContext,
  conversation: TakenConversation,
  words: { text: string; reason: 'operator_reply' | 'operator_elsewhere'; by?: Id<'users'> },
): Promise<void> {
  const { id, status } = conversation
  const handoff = await getHandoffSettings(ctx, id)
  const intent = findIntent(words.text, handoff.operator)
  if (intent?.kind === 'resume') {
    if (status !== 'ended') await setStatus(ctx, id, 'active') // a call that nobody had answered is answered by these words
    return
  }
  const reason = intent ? 'operator_phrase' : words.reason
  if (!(await isHeldByHand(ctx, id))) {
    await pause(ctx, id, { reason, by: words.by ?? null, resumeAfterMs: handoff.autoResumeMs ?? undefined })
  }
  await withholdAgentParts(ctx, id)
}
