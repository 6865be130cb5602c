// Breaking a customer's silence: whether and when, and what the model is told about it. When the next one is due is kept with the
// conversation, see follow-up.store.ts.
import { wallClock } from '#server/platform/lib/zoned-time.ts'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import { manifestOf } from '#shared/channels/manifests.ts'
import { isOpenAt } from '../turns/limits/hours.rules.ts'
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
/** Clocks differ by quarters of an hour, and change by no less: hours begin at such moments only. */
const STEP_MS = 15 * 60_000
/** Hours repeat every week: where none has come in a week and a day, none will. */
const LOOK_AHEAD_MS = 8 * DAY_MS

/** Whether the silence is broken now. Nobody is disturbed at night, outside the agent's hours, or more often a day than allowed. */
export function judgeFollowUp(turn: Turn, now: number): FollowUpVerdict {
  const { agent, followUp } = turn
  const step = stepOf(turn)
  if (!step || !followUp) return { kind: 'drop', reason: 'follow_ups_off' }
  if (!isSilence(turn)) return { kind: 'drop', reason: 'nothing_to_follow_up' }
  if (!followUp.isDelivered) return { kind: 'drop', reason: 'follow_up_undelivered' }
  if (isWindowOver(turn, now)) return { kind: 'drop', reason: 'follow_up_out_of_window' }
  // It understands no instructions: it would send a quotation, or say that it does not know.
  if (step.mode === 'generated' && agent.settings.model === EXTRACTIVE_MODEL) {
    return { kind: 'drop', reason: 'follow_up_needs_model' }
  }
  const isEnough = followUp.sentToday >= agent.settings.followUps.maxPerCustomerADay
  const at = nextSuitable(turn, isEnough ? now + DAY_MS : now)
  if (at === null) return { kind: 'drop', reason: 'follow_ups_off' }
  return at === now ? { kind: 'send' } : { kind: 'later', at }
}

/** The step that a turn is about; undefined when it is no follow-up, or the step was removed or switched off since. */
export function stepOf({ kind, agent, followUp }: Turn): FollowUpStep | undefined {
  const { isOn, steps } = agent.settings.followUps
  return kind === 'follow_up' && isOn && followUp ? steps[followUp.step] : undefined
}

/**
 * What stands next after a message of the agent: how many follow-ups were sent in this silence, and in how many minutes the next one
 * is due; null: there is none.
 */
export function planFollowUp({ kind, agent, followUp, conversation }: Turn): { step: number; minutes: number | null } {
  const step = kind === 'follow_up' && followUp ? followUp.step + 1 : 0
  const { isOn, steps } = agent.settings.followUps
  const minutes = isOn && conversation.channel !== 'test' ? (steps[step]?.afterMinutes ?? null) : null
  return { step, minutes }
}

/** The agent has said the last word, and owes no answer. */
function isSilence({ history, conversation }: Turn): boolean {
  const isWaiting = history.some(
    ({ author, sequence }) => author === 'customer' && sequence > conversation.answeredThrough,
  )
  return history.at(-1)?.author === 'agent' && !isWaiting
}

/** The channel lets customers be written to for a time only after they have, and it is over. */
function isWindowOver({ history, conversation }: Turn, now: number): boolean {
  const windowMs = manifestOf(conversation.channel)?.replyWindowMs ?? null
  if (windowMs === null) return false
  const last = history.findLast(({ author }) => author === 'customer')
  return last === undefined || last.at <= now - windowMs
}

/** The first moment from `from` on at which the customer may be disturbed; null when there is none. */
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

/** Stands where the customer's next message would: providers want the last word to be theirs. */
export const SILENCE = '…'

/** What the model is told when it is to break the silence; null for everything else. */
export function followUpInstruction(turn: Turn): string | null {
  const step = stepOf(turn)
  if (step?.mode !== 'generated') return null
  return `The customer has not answered your last message for ${step.afterMinutes} minutes; the last message "${SILENCE}" stands for their silence. Write one short message to them, in the language in which they have written so far, following this instruction: ${step.text}`
}
