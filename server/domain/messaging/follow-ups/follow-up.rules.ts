// Follow-ups to a silent customer: whether and when one is sent, and the instruction for the model. When the next one is due stands in a
// row, see follow-up.store.ts.

import { isOpenAt } from '#server/domain/agents/hours.rules.ts'
import { wallClock } from '#server/platform/lib/zoned-time.ts'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import { manifestOf } from '#shared/channels/manifests.ts'
import type { Turn } from '../turns/turn.ts'

type FollowUps = AgentSettings['followUps']
export type FollowUpStep = FollowUps['steps'][number]

/** `later`: not before `at`, milliseconds since the epoch. */
export type FollowUpVerdict =
  | { kind: 'send' }
  | { kind: 'later'; at: number }
  | {
      kind: 'drop'
      reason:
        | 'follow_ups_off'
        | 'nothing_to_follow_up'
        | 'follow_up_undelivered'
        | 'follow_up_needs_model'
        | 'follow_up_out_of_window'
    }

const DAY_MS = 24 * 3_600_000
/** Time zone offsets and their changes are multiples of 15 minutes, so hours begin only on quarter hours. */
const STEP_MS = 15 * 60_000
/** Hours repeat weekly: if no suitable moment is found in eight days, there is none. */
const LOOK_AHEAD_MS = 8 * DAY_MS

/** Whether to send a follow-up now. Never during quiet hours, outside the agent's hours, or beyond the daily limit per customer. */
export function judgeFollowUp(turn: Turn, now: number): FollowUpVerdict {
  const { agent, followUp } = turn
  const step = stepOf(turn)
  if (!step || !followUp) return { kind: 'drop', reason: 'follow_ups_off' }
  if (!isSilence(turn)) return { kind: 'drop', reason: 'nothing_to_follow_up' }
  if (!followUp.isDelivered) return { kind: 'drop', reason: 'follow_up_undelivered' }
  if (isWindowOver(turn, now)) return { kind: 'drop', reason: 'follow_up_out_of_window' }
  // The extractive model ignores instructions: it would send a quotation, or say that it does not know.
  if (step.mode === 'generated' && agent.settings.model === EXTRACTIVE_MODEL) {
    return { kind: 'drop', reason: 'follow_up_needs_model' }
  }
  const isEnough = followUp.sentToday >= agent.settings.followUps.maxPerCustomerADay
  const at = nextSuitable(turn, isEnough ? now + DAY_MS : now)
  if (at === null) return { kind: 'drop', reason: 'follow_ups_off' }
  return at === now ? { kind: 'send' } : { kind: 'later', at }
}

/** The step of a follow-up turn; undefined for other turns, and when the step was removed or switched off since. */
export function stepOf({ kind, agent, followUp }: Turn): FollowUpStep | undefined {
  const { isOn, steps } = agent.settings.followUps
  return kind === 'follow_up' && isOn && followUp ? steps[followUp.step] : undefined
}

/** The agent wrote last, and no customer message is unanswered. */
function isSilence({ history, conversation }: Turn): boolean {
  const isWaiting = history.some(
    ({ author, sequence }) => author === 'customer' && sequence > conversation.answeredThrough,
  )
  return history.at(-1)?.author === 'agent' && !isWaiting
}

/** Whether the channel's reply window, which begins with the customer's last message, is over. */
function isWindowOver({ history, conversation }: Turn, now: number): boolean {
  const windowMs = manifestOf(conversation.channel)?.replyWindowMs ?? null
  if (windowMs === null) return false
  const last = history.findLast(({ author }) => author === 'customer')
  return last === undefined || last.at <= now - windowMs
}

/** The first moment from `from` on at which a follow-up may be sent; null when there is none. */
function nextSuitable({ agent, timeZone }: Turn, from: number): number | null {
  const { availability, followUps } = agent.settings
  const isSuitable = (at: number) => !isQuiet(followUps, timeZone, at) && isOpenAt(availability, timeZone, at)
  if (isSuitable(from)) return from
  for (let at = Math.ceil((from + 1) / STEP_MS) * STEP_MS; at <= from + LOOK_AHEAD_MS; at += STEP_MS) {
    if (isSuitable(at)) return at
  }
  return null
}

function isQuiet({ quietHours }: FollowUps, timeZone: string, at: number): boolean {
  if (!quietHours) return false
  const { from, to } = quietHours
  const { hour } = wallClock(at, timeZone)
  return from <= to ? hour >= from && hour < to : hour >= from || hour < to
}

/** Stands in for the customer's next message: providers require the last message to be from the user. */
export const SILENCE = '…'

/** The instruction for the model on a generated follow-up; null for all other turns. */
export function followUpInstruction(turn: Turn): string | null {
  const step = stepOf(turn)
  if (step?.mode !== 'generated') return null
  return `The customer has not answered your last message for ${step.afterMinutes} minutes; the last message "${SILENCE}" stands for their silence. Write one short message to them, in the language in which they have written so far, following this instruction: ${step.text}`
}
