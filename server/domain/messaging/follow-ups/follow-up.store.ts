// SQL of follow-ups. When the next one is due stands with the conversation; when that moment has come it becomes a turn, once, whichever
// server looks first. Whether it is sent is decided when the turn is worked on.
//
//   answer sent ─► follow_up_at ─► turn ─► sent: the next step
//                       ▲            ├───► night, or enough for today: later
//                       └────────────┘
//   a customer's message, a pause or the end of the conversation clears follow_up_at
import type { StoreContext } from '#server/platform/db/database.ts'
import { failpoint } from '#server/platform/lib/failpoints.ts'
import { takeDueFollowUps } from '../conversations/writes/silence.store.ts'
import { requestFollowUps } from '../turns/turn-requests.store.ts'

/** Begun in one transaction; the next look takes the rest. */
const BATCH = 100

/** Makes turns of the follow-ups that are due. Nothing is due where the agent is silent or at work. @returns how many */
export async function beginFollowUps(ctx: StoreContext): Promise<number> {
  const due = await takeDueFollowUps(ctx, BATCH)
  const begun = due.filter(({ isActive }) => isActive)
  if (begun.length === 0) return 0
  const made = await requestFollowUps(ctx, begun)
  failpoint('follow-ups-beginning')
  return made
}
