// The end of a pause, and of a conversation, with what either means for answers that were withheld.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { writeStatus } from '../conversations/conversation-state.store.ts'
import { speakAgain, takeBackWithheld } from './withheld.store.ts'

/**
 * Leaves pauses, or ends conversations. Either cancels the timer, settles calls for a person made so far, and reopens questions that were
 * answered only by withheld messages.
 */
export async function setStatus(
  ctx: OrgStoreContext,
  ids: Id<'conversations'>[],
  status: 'active' | 'ended',
): Promise<void> {
  if (ids.length === 0) return
  await (status === 'active' ? speakAgain(ctx, ids) : takeBackWithheld(ctx, ids))
  await writeStatus(ctx, ids, status)
}
