// Summarises the beginning of a long conversation, by the agent's own model after an answer was sent. It delays nothing, and when it
// fails the next answer queues it again.
import { keyOpener } from '#server/domain/agents/keys.access.ts'
import { recordUsage, type UsageEvent } from '#server/domain/billing/billing.store.ts'
import type { Services } from '#server/functions/services.ts'
import type { GenerateRequest, ModelCall } from '#server/integrations/llm/llm.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { sanitizePayload } from '#server/platform/lib/text/sanitize-payload.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import { appErrorData } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { saveSummary } from '../../conversations/writes/summaries.store.ts'
import type { PipelineContext } from '../../turns/pipeline-context.ts'
import type { Turn } from '../../turns/turn.ts'
import { lineOf, summaryDue } from './context.rules.ts'
import { findSubject, type SummarySubject } from './summary.store.ts'

type SummaryServices = Pick<Services, 'database' | 'llm' | 'secrets'>
export type SummaryData = {
  organizationId: Id<'organizations'>
  conversationId: Id<'conversations'>
  /** Sequence of the last message to summarise. */
  through: number
  /** Sequence of the message that began a new topic: nothing before it is summarised. Missing when there is none. */
  from?: number
}

const SUMMARY_CHARACTERS = 2000
/** Maximum characters of each message that is summarised. */
const LINE_CHARACTERS = 1000
const TASK = [
  'You keep the memory of a chat agent that talks to a customer. Write in at most 150 words what it must still know:',
  'who the customer is, what they want, facts, numbers, dates, what was agreed or promised, and what is still open.',
  'Use the language of the conversation, the third person and plain text. Leave out greetings and what no longer matters, and write nothing that was not said.',
].join(' ')

/** The job. A failure of the model does not fail it, since an immediate retry would not help. */
export const summaryJob = defineJob<SummaryData, SummaryServices>({
  name: 'pipeline.summary',
  limitSeconds: 120,
  concurrency: 2,
  run: (services, data, signal) =>
    services.database.withLock(`summary of ${data.conversationId}`, () => summarise(services, data, signal)),
})

/** Queues a summary when the conversation has become long. Costs nothing while it is short; never throws. */
export async function summariseLater(ctx: PipelineContext, turn: Turn): Promise<void> {
  const { model, context } = turn.agent.settings
  if (model === EXTRACTIVE_MODEL) return
  const through = summaryDue(turn.history, context, turn.conversation, Date.now())
  if (through === null) return
  const { organizationId, conversationId, sessionFrom } = turn
  const data = { organizationId, conversationId, through, ...(sessionFrom !== undefined && { from: sessionFrom }) }
  try {
    await ctx.organization(organizationId, ({ db }) => ctx.services.jobs.send(db, summaryJob, data))
  } catch (error) {
    ctx.logger.warn({ err: error, conversationId }, 'a summary was not asked for')
  }
}

async function summarise(services: SummaryServices, data: SummaryData, signal: AbortSignal): Promise<void> {
  const { organizationId, conversationId, through, from = 0 } = data
  const inOrganization = <T>(run: (ctx: OrgStoreContext) => Promise<T>) =>
    services.database.organization(organizationId, (db) => run({ db, organizationId }), { isolation: 'read committed' })
  const subject = await inOrganization((ctx) => findSubject(ctx, conversationId, { from, through }))
  if (!subject || subject.summaryThrough >= through || subject.messages.length === 0) return
  const { text, call } = await ask(services, subject, signal)
  await inOrganization(async (ctx) => {
    if (text) await saveSummary(ctx, conversationId, { before: subject.summaryThrough, summary: text, through })
    if (call) await recordUsage(ctx, usageOf(subject, conversationId, call))
  })
}

/** `text` is null when the model failed. */
async function ask(
  services: SummaryServices,
  subject: SummarySubject,
  signal: AbortSignal,
): Promise<{ text: string | null; call: ModelCall | null }> {
  let call: ModelCall | null = null
  const onCall = (made: ModelCall) => {
    call = made
  }
  const keyOf = keyOpener(services.secrets, subject.agentId, subject.keys)
  try {
    const made = await services.llm.generate({ ...requestFor(subject), keyOf, signal, onCall })
    return { text: String(sanitizePayload(made.text)).slice(0, SUMMARY_CHARACTERS), call }
  } catch (error) {
    if (signal.aborted || !appErrorData(error)) throw error
    return { text: null, call }
  }
}

/** All messages are passed as data, so that a customer cannot inject instructions into the agent's memory. */
function requestFor({ model, summary, messages }: SummarySubject): Omit<GenerateRequest, 'signal'> {
  const lines = messages.map((message) => lineOf(message, LINE_CHARACTERS))
  return {
    model,
    purpose: 'task',
    temperature: 0.2,
    system: TASK,
    messages: [{ role: 'user', text: 'Write what the agent must still know.' }],
    data: [
      ...(summary ? [{ title: 'What it knows already', text: summary }] : []),
      { title: 'What was said since', text: lines.join('\n') },
    ],
    passages: [],
    isWeakEvidence: false,
    tools: [],
  }
}

/** A cost without a message. */
function usageOf(
  { agentId, channel }: SummarySubject,
  conversationId: Id<'conversations'>,
  call: ModelCall,
): UsageEvent {
  const category = 'helper_generation'
  const spent = { conversationId, purpose: 'reply' } as const
  return { sourceId: newId(), agentId, category, channel, messages: 0, spent, call, occurredAt: new Date() }
}
