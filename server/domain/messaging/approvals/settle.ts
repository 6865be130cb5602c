// What a turn has to do with calls that wait for someone to agree: it hears what the customer says to them, and says what has become of them.
import {
  type Approval,
  type AskedCall,
  decide,
  isLastQuestion,
  listRecent,
} from '#server/domain/tools/approvals.store.ts'
import { type AnswerLanguage, answerLanguageFor } from '#server/integrations/llm/language.ts'
import type { Id } from '#shared/ids.ts'
import type { ApprovalStatus } from '#shared/tools/approvals.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'
import { isTest } from '../turns/rehearsal.rules.ts'
import type { TraceRecorder } from '../turns/trace.ts'
import { unanswered } from '../turns/turn.rules.ts'
import type { Turn } from '../turns/turn.ts'
import { outcomeOf, questionOf } from './approval-words.rules.ts'
import { carryOut } from './carry-out.ts'
import { consentOf } from './consent.rules.ts'

/**
 * `recent`: calls of the conversation as they are now. `carriedOut`: those to which the customer has agreed in this turn. `asked`: those for which the answer that is being made asks. `mayAsk`: a tool is offered
 * that asks.
 */
export type TurnApprovals = {
  recent: Approval[]
  carriedOut: Approval[]
  asked: AskedCall[]
  mayAsk: boolean
  language: AnswerLanguage
}

const CARRIED_OUT: ReadonlySet<ApprovalStatus> = new Set(['running', 'done', 'uncertain'])

/** Hears the customer on what waits for them, and carries it out when they agree. Null: the agent has no tools that ask, or no customer. */
export async function settleApprovals(
  ctx: PipelineContext,
  turn: Turn,
  trace: TraceRecorder,
): Promise<TurnApprovals | null> {
  const { tools, mcpTools } = turn.agent.settings.functions
  if (turn.kind !== 'reply' || isTest(turn) || tools.length + mcpTools.length === 0) return null
  const questions = unanswered(turn)
  const earlier = turn.history.filter(({ author }) => author === 'customer').map(({ text }) => text)
  const language = answerLanguageFor('', { earlier, tag: turn.limits.language })
  const read = () => ctx.read(turn.organizationId, (store) => listRecent(store, turn.conversationId))
  const found = await read()
  const waiting = found.filter(({ by, status }) => by === 'customer' && status === 'waiting')
  for (const approval of waiting) await hear(ctx, approval, { turn, trace, consent: consentOf(questions) })
  const recent = waiting.length > 0 ? await read() : found
  const heard = new Set(waiting.map(({ id }) => id))
  const carriedOut = recent.filter(({ id, status }) => heard.has(id) && CARRIED_OUT.has(status))
  return { recent, carriedOut, asked: [], mayAsk: false, language }
}

type Heard = { turn: Turn; trace: TraceRecorder; consent: ReturnType<typeof consentOf> }

async function hear(ctx: PipelineContext, approval: Approval, { turn, trace, consent }: Heard): Promise<void> {
  const decided = await ctx.organization(turn.organizationId, async (store) => {
    const isAnswer = await isLastQuestion(store, approval)
    const status = !isAnswer || consent === 'other' ? 'withdrawn' : consent === 'yes' ? 'approved' : 'declined'
    return decide(store, { id: approval.id, by: 'customer', status, userId: null })
  })
  if (decided?.status !== 'approved') return
  const carried = await carryOut(ctx.services, decided)
  if (!carried) return
  const { call, failure, result } = carried
  trace.tool({
    ...{ name: approval.tool.name, arguments: approval.arguments, result: result ?? failure ?? '' },
    ...{ hasFailed: carried.status !== 'done', durationMs: call?.outcome.durationMs ?? 0, agreedBy: 'customer' },
    ...(call && {
      http: {
        host: call.host,
        status: call.outcome.status,
        failure: call.outcome.failure,
        bound: call.bound,
      },
    }),
  })
}

/** Whether the team is asked for something: that it will be looked at is then no empty promise. */
export function waitsForTeam(approvals: TurnApprovals | null | undefined): boolean {
  const isWaiting = approvals?.recent.some(({ by, status }) => by === 'operator' && status === 'waiting')
  return isWaiting || approvals?.asked.some(({ by }) => by === 'operator') || false
}

/** Calls of which the customer is to hear with the next answer. */
function owedOf({ recent }: TurnApprovals): Approval[] {
  return recent.filter(({ owesWord }) => owesWord)
}

/** An answer with what the system says of calls: what has become of them above it, and what it asks for below. */
export function withApprovals(text: string, approvals: TurnApprovals | null | undefined): string {
  if (!approvals) return text
  const { asked, language } = approvals
  const outcomes = owedOf(approvals).map((approval) => outcomeOf(approval, language))
  const questions = asked.filter(({ by }) => by === 'customer').map((call) => questionOf(call, language))
  return [outcomes.join('\n'), text, ...questions].filter((part) => part !== '').join('\n\n')
}

/** The ids of the calls that {@link owedOf} lists. */
export function owedIds(approvals: TurnApprovals): Id<'toolApprovals'>[] {
  return owedOf(approvals).map(({ id }) => id)
}
