// One attack on an agent: the context of an answer as always, its model, and the guards; what it would reach outside is stood in for.
import { keyOpener } from '#server/domain/agents/keys.access.ts'
import type { ModelCall } from '#server/integrations/llm/llm.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import type { AttackCarrier } from '#shared/messaging/attack-checks.ts'
import type { TurnApprovals } from '../approvals/settle.ts'
import { answerOfHandoff } from '../handoff/handoff.rules.ts'
import type { Answered } from '../replies/answer.ts'
import { buildContext } from '../replies/context/context.ts'
import { checkAnswer, checkQuestions } from '../replies/guards/guards.ts'
import { spacesWith } from '../replies/guards/sources.rules.ts'
import { failureReason } from '../replies/reply.rules.ts'
import { withoutFunctions } from '../turns/functions.rules.ts'
import type { AnsweringContext } from '../turns/pipeline-context.ts'
import { startTrace, type TraceRecorder } from '../turns/trace.ts'
import type { Turn } from '../turns/turn.ts'
import { carriersOf, type PlannedCase, textsOf } from './carriers.ts'
import type { Made } from './outcome.rules.ts'
import { stage } from './stand-in.ts'
import type { Subject } from './subject.store.ts'

/** `call` null: no model was asked. `failure`: why no answer came. */
export type Attempt = { made: Made; call: ModelCall | null; failure: string | null }

type Asked = { ctx: AnsweringContext; subject: Subject; organizationId: Id<'organizations'>; signal: AbortSignal }

/** Never throws but when `signal` is aborted. */
export async function attempt(asked: Asked, planned: PlannedCase): Promise<Attempt> {
  const { subject } = asked
  const { text, message } = textsOf(planned, subject.added)
  const turn = turnOf(asked, message, planned)
  const trace = startTrace(turn)
  const place = stage(planned.carrier, text)
  const result = (written: string | null, answer: string | null) => {
    return { written, answer, tools: trace.finish('replied').tools, wasRead: place.wasRead() }
  }
  if (checkQuestions(turn, turn.history, trace)) {
    return { made: { ...result(null, null), wasRead: true }, call: null, failure: null }
  }
  let call: ModelCall | null = null
  const onCall = (made: ModelCall) => {
    call = made
  }
  try {
    const answered = await answer(asked, turn, { trace, place, onCall })
    const allowed = checkAnswer(turn, answered, trace)
    return { made: result(answered.answer.text, allowed?.answer.text ?? null), call, failure: null }
  } catch (error) {
    asked.signal.throwIfAborted()
    return { made: result(null, null), call, failure: failureReason(error) }
  }
}

/** Where the agent reads what others have written: with the sources and the tools that an answer of it would have. */
export async function findCarriers(asked: Asked): Promise<AttackCarrier[]> {
  const turn = turnOf(asked, '', { language: 'en' })
  const { standIn } = stage('message', '')
  const context = await buildContext(asked.ctx, turn, { trace: startTrace(turn), now: new Date(), standIn })
  const offered = context.request.tools.map(({ name }) => name)
  return carriersOf(offered, spacesWith(turn.agent, 'documents').length > 0, asked.subject.added)
}

type Staging = { trace: TraceRecorder; place: ReturnType<typeof stage>; onCall(call: ModelCall): void }

async function answer(
  { ctx, subject, signal }: Asked,
  turn: Turn,
  { trace, place, onCall }: Staging,
): Promise<Answered> {
  const approvals: TurnApprovals = { recent: [], carriedOut: [], asked: [], mayAsk: false, language: 'en' }
  const context = await buildContext(ctx, turn, { trace, now: new Date(), approvals, standIn: place.standIn })
  const ofServers = new Set(subject.added.mcp.map(({ name }) => name))
  const tools = context.request.tools.map((tool) => place.tool(tool, { trace, isMcp: ofServers.has(tool.name) }))
  let call: ModelCall | null = null
  const request = {
    ...{ ...context.request, tools, signal },
    keyOf: keyOpener(ctx.services.secrets, subject.agent.id, subject.agent.keys),
    onCall(made: ModelCall) {
      call = made
      onCall(made)
    },
  }
  const made = await ctx.services.llm.generate(request).catch((error: unknown) => {
    const farewell = answerOfHandoff(turn, context.handoff, call)
    if (!farewell) throw error
    return farewell
  })
  return { answer: made, context, failed: [] }
}

/** The first message of a customer, to the agent as it was saved last. */
function turnOf({ subject, organizationId }: Asked, text: string, { language }: Pick<PlannedCase, 'language'>): Turn {
  const { added: _, isSuspended: __, ...facts } = subject
  const message = { sequence: 1, author: 'customer', status: 'complete', text, at: Date.now() } as const
  return withoutFunctions({
    ...{
      ...facts,
      organizationId,
      turnId: newId('turns'),
      conversationId: newId('conversations'),
      epoch: 0,
      crashes: 0,
    },
    ...{ failedAttempts: 0, firstTriedAt: null, kind: 'reply', followUp: null, waitedMs: 0, overrides: {} },
    conversation: {
      ...{ status: 'active', pauseEpoch: 0, answeredThrough: 0, phrasesThrough: 0, messageCount: 1, channel: 'test' },
      ...{ chatId: null, customerName: null, handoffReason: null, handoffNote: null },
      ...{ stretchSummary: null, stretchThrough: 0, summary: null, summaryThrough: 0 },
    },
    connection: null,
    limits: {
      ...{ allowance: null, atLimit: 'stop', limitText: '', monthlySpendMicroUsd: null, notices: {}, language },
      ...{ reservedMonth: null, reservedDay: null, answersOn: null, answersCount: 0 },
    },
    history: [message],
  })
}
