// Settings of agents that simulated customers meet.
import type { AgentSettings } from '#shared/agents/agent-settings.ts'

const MINUTES = 60_000

/** Handoff and resume phrases of both parties, and the text of a handoff. */
export const HANDOFF: AgentSettings['handoff'] = {
  customer: { stop: ['operator', 'human'], resume: ['bot'] },
  operator: { stop: [], resume: ['over to you'] },
  byAgent: true,
  text: 'Somebody will come.',
  autoResumeMs: null,
}
const FOLLOW_UPS: AgentSettings['followUps'] = {
  isOn: true,
  steps: [
    { afterMinutes: 30, mode: 'text', text: 'Any questions left?' },
    { afterMinutes: 60, mode: 'generated', text: 'Offer help.' },
  ],
  quietHours: null,
  maxPerCustomerADay: 10,
}
const NEVER: number[][] = Array.from({ length: 7 }, () => [])
/** Never there, and says so. */
export const CLOSED: AgentSettings['availability'] = {
  isLimited: true,
  hours: NEVER,
  outside: 'text',
  text: 'We are closed.',
}
/** Always there. */
export const OPEN: AgentSettings['availability'] = { ...CLOSED, isLimited: false }
/** Agents of different manners, each on a connection of its own. */
export const MANNERS: Partial<AgentSettings>[] = [
  {},
  { handoff: HANDOFF },
  { handoff: { ...HANDOFF, text: '', autoResumeMs: 10 * MINUTES } },
  { ratings: { isOn: true }, handoff: HANDOFF },
  { buffer: { seconds: 30 }, handoff: HANDOFF },
  { replies: { splitByParagraphs: true, pace: 'human' }, handoff: HANDOFF },
  { replies: { splitByParagraphs: true, pace: 'human' }, handoff: { ...HANDOFF, autoResumeMs: 10 * MINUTES } },
  { followUps: FOLLOW_UPS, handoff: HANDOFF },
  { fallback: { models: ['test/other'], last: 'text', text: 'Please wait.' }, handoff: HANDOFF },
  { fallback: { models: [], last: 'handoff', text: '' }, handoff: HANDOFF },
  { spam: { agentDailyLimit: null, customerDailyLimit: 2, warningPercent: 50, text: 'Enough for today.' } },
  { availability: CLOSED, handoff: HANDOFF },
  { availability: { ...CLOSED, outside: 'handoff' }, handoff: { ...HANDOFF, autoResumeMs: 10 * MINUTES } },
  { availability: { ...CLOSED, outside: 'handoff', text: '' }, handoff: { ...HANDOFF, text: '' } },
]
