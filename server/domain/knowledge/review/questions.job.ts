// Has the model of an agent generate the questions that each passage of a space answers, where the space wants it. They are searched like
// the wordings that people add to a note, and are not shown. The agent pays; until they exist the passages are found without them.

import { keyOpener } from '#server/domain/agents/keys.access.ts'
import { recordUsage } from '#server/domain/billing/billing.store.ts'
import { hasRoom } from '#server/domain/billing/room.ts'
import { reindexChunks } from '#server/domain/knowledge/search/add-chunks.ts'
import type { Services } from '#server/functions/services.ts'
import type { ModelCall } from '#server/integrations/llm/llm.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { listedLines } from '#server/platform/lib/text/listed-lines.ts'
import type { ModelFailureReason } from '#shared/agents/models.ts'
import { appErrorData } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { byTurns } from '../spaces/turns.ts'
import * as store from './questions.store.ts'

type QuestionServices = Pick<Services, 'database' | 'llm' | 'secrets' | 'jobs' | 'retrieval'>
type Space = { organizationId: Id<'organizations'>; knowledgeSpaceId: Id<'knowledgeSpaces'> }

/** Passages whose questions are kept, and indexed, together; then it is the next space's turn. */
const BATCH = 10
const CALL_MS = 30_000
const QUESTIONS_MAX = 3
/** Failures caused by the passage itself: a retry would cost the same to no effect. */
const SAYS_NOTHING: ModelFailureReason[] = ['empty', 'filtered', 'too_long', 'bad_answer', 'cut']
const TASK = [
  'You prepare the search of a knowledge base. From the passage write three questions that a customer would ask and that it answers,',
  'each on a line of its own and in other words than those of the passage, and nothing else.',
  'Use the language of the passage. When it answers no question, write nothing.',
].join(' ')

/** Looks every few minutes for passages without questions, which also retries a failed model. */
export const askQuestionsJob = defineJob<object, QuestionServices>({
  name: 'knowledge.questions',
  limitSeconds: 600,
  concurrency: 1,
  schedule: '*/5 * * * *',
  run: (services, _, signal) => askQuestions(services, signal),
})

/**
 * Safe to repeat and to run on several servers: one at a time works on a space. Questions written before a failure are kept, and other
 * spaces are not affected.
 */
export async function askQuestions(services: QuestionServices, signal: AbortSignal): Promise<void> {
  const { database } = services
  const spaces = await database.system('knowledge: passages without questions', (db) => store.listSpacesToAsk({ db }), {
    readOnly: true,
  })
  const turn = (space: Space) =>
    database.withLock(`questions ${space.knowledgeSpaceId}`, () => askSpace(services, space, signal))
  await byTurns(spaces, turn, signal)
}

/** One round of work on a space. @returns whether nothing is left to do there, or no model can do it */
async function askSpace(services: QuestionServices, space: Space, signal: AbortSignal): Promise<boolean> {
  const { organizationId, knowledgeSpaceId } = space
  const inOrganization = <T>(run: (ctx: OrgStoreContext) => Promise<T>) =>
    services.database.organization(organizationId, (db) => run({ db, organizationId }))
  const author = await inOrganization((ctx) => store.findAuthor(ctx, knowledgeSpaceId))
  const unasked = author ? await inOrganization((ctx) => store.listUnasked(ctx, knowledgeSpaceId, BATCH)) : []
  if (!author || unasked.length === 0) return true
  const payer = { id: author.agentId, monthlyLimitUsd: author.monthlyLimitUsd }
  // Without room the passages wait for the next month, or for a higher ceiling.
  if (!(await hasRoom({ now: new Date(), read: inOrganization, write: inOrganization }, payer))) return true
  const { written, failure } = await writeAll(services, author, unasked, { signal, inOrganization })
  await inOrganization(async (ctx) => {
    await store.saveQuestions(ctx, knowledgeSpaceId, written)
    const ids = written.flatMap(({ id, questions }) => (questions.length > 0 ? [id] : []))
    if (ids.length > 0) await reindexChunks({ ...ctx, jobs: services.jobs }, knowledgeSpaceId, ids)
  })
  if (failure) throw failure
  return false
}

type Written = { id: Id<'chunks'>; questions: string[] }
type Work = { signal: AbortSignal; inOrganization: <T>(run: (ctx: OrgStoreContext) => Promise<T>) => Promise<T> }

/** Stops at the first failure that is not the passage's own: questions already paid for are kept. */
async function writeAll(
  services: QuestionServices,
  author: store.Author,
  unasked: store.Unasked[],
  { signal, inOrganization }: Work,
): Promise<{ written: Written[]; failure: Error | null }> {
  const written: Written[] = []
  for (const chunk of unasked) {
    const { questions, call, failure } = await write(services, author, chunk, signal)
    if (call) await inOrganization((ctx) => count(ctx, author, call))
    if (failure) return { written, failure }
    written.push({ id: chunk.id, questions })
  }
  return { written, failure: null }
}

/** A passage for which the model returns nothing has no questions. */
async function write(
  { llm, secrets }: QuestionServices,
  { agentId, model, keys }: store.Author,
  { title, headingPath, body }: store.Unasked,
  signal: AbortSignal,
): Promise<{ questions: string[]; call: ModelCall | null; failure: Error | null }> {
  let call: ModelCall | null = null
  try {
    const { text } = await llm.generate({
      model,
      purpose: 'task',
      temperature: 0.2,
      system: TASK,
      messages: [{ role: 'user', text: 'Write the questions.' }],
      data: [{ title: 'The passage', text: `${[title, ...headingPath].join(' › ')}\n${body}` }],
      passages: [],
      isWeakEvidence: false,
      tools: [],
      keyOf: keyOpener(secrets, agentId, keys),
      signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]),
      onCall: (made) => {
        call = made
      },
    })
    return { questions: listedLines(text, QUESTIONS_MAX), call, failure: null }
  } catch (error) {
    const reason = appErrorData(error)?.params?.reason
    if (SAYS_NOTHING.some((each) => each === reason)) return { questions: [], call, failure: null }
    return { questions: [], call, failure: error instanceof Error ? error : new Error(String(error)) }
  }
}

/** It costs something, and it is no message. */
function count(ctx: OrgStoreContext, { agentId }: store.Author, call: ModelCall): Promise<boolean> {
  const event = { sourceId: newId(), agentId, category: 'helper_generation', channel: 'test' } as const
  return recordUsage(ctx, { ...event, messages: 0, call, occurredAt: new Date() })
}
