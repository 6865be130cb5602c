// What the manners of an agent cost: one agent with none of them and with all, under the same load, in turns.
import { call, type Session } from '#tests/seeds/installation.ts'
import { percentile, type ReplyFigures } from './measures.ts'

/** A model with a price, so that ceilings in money have something to add up. */
const MODEL = 'openai/gpt-5-mini'
const ALWAYS = Array.from({ length: 7 }, () => Array.from({ length: 24 }, (_, hour) => hour))
const NO_PHRASES = { stop: [], resume: [] }

/** Answers whatever comes, at once, without a limit. */
const NONE = {
  model: MODEL,
  handoff: { customer: NO_PHRASES, operator: NO_PHRASES, byAgent: false, text: '', autoResumeMs: null },
  availability: { isLimited: false, hours: ALWAYS, outside: 'silent', text: '' },
  spam: { agentDailyLimit: null, customerDailyLimit: null, warningPercent: 80, text: '' },
  machineTalk: { isOn: false },
  spending: { monthlyLimitUsd: null },
  replies: { splitByParagraphs: false, pace: 'instant' },
  fallback: { models: [], last: 'silent', text: '' },
  followUps: { isOn: false, steps: [], quietHours: null, maxPerCustomerADay: 1 },
}

/** Everything that is looked at before and after an answer; of what makes customers wait on purpose, nothing. */
const ALL = {
  ...NONE,
  handoff: {
    customer: { stop: ['operator', 'human', 'stop', 'оператор', 'живой человек'], resume: ['bot', 'бот'] },
    operator: { stop: ['taking over'], resume: ['back to you'] },
    byAgent: true,
    text: 'A colleague will come.',
    autoResumeMs: 3_600_000,
  },
  availability: { isLimited: true, hours: ALWAYS, outside: 'text', text: 'We are closed.' },
  spam: {
    agentDailyLimit: 1_000_000,
    customerDailyLimit: 100_000,
    warningPercent: 80,
    text: 'That is enough for today.',
  },
  spending: { monthlyLimitUsd: 10_000 },
  replies: { splitByParagraphs: true, pace: 'instant' },
  fallback: { models: ['openai/gpt-5-nano'], last: 'handoff', text: 'A colleague will come.' },
  followUps: {
    isOn: true,
    steps: [{ afterMinutes: 1_440, mode: 'text', text: 'Are you still interested?' }],
    quietHours: { from: 22, to: 8 },
    maxPerCustomerADay: 1,
  },
}

/** Lets `talk` run on the agent without and with manners by turns; what else the machine does falls on both. */
export async function measureManners(
  { session, agentId }: { session: Session; agentId: string },
  talk: () => Promise<ReplyFigures>,
  rounds: number,
): Promise<{ none: ReplyFigures; all: ReplyFigures }> {
  const [none, all]: [ReplyFigures[], ReplyFigures[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    await call(session, 'mutation', 'agents:update', { id: agentId, patch: NONE })
    none.push(await talk())
    await call(session, 'mutation', 'agents:update', { id: agentId, patch: ALL })
    all.push(await talk())
  }
  return { none: middle(none), all: middle(all) }
}

/** Each figure for itself: the one in the middle. */
function middle(figures: ReplyFigures[]): ReplyFigures {
  const of = (key: keyof ReplyFigures) =>
    percentile(
      figures.map((each) => each[key]),
      0.5,
    )
  return { perSecond: of('perSecond'), p50: of('p50'), p95: of('p95'), cpuMs: of('cpuMs'), refused: of('refused') }
}
