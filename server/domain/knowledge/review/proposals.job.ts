// Has the model of an agent propose notes from the replies of operators. A person decides about each (proposals.write.ts).

import { keyOpener } from '#server/domain/agents/keys.access.ts'
import { recordUsage } from '#server/domain/billing/billing.store.ts'
import { hasRoom } from '#server/domain/billing/room.ts'
import type { WriteOptions } from '#server/functions/context.ts'
import type { Services } from '#server/functions/services.ts'
import type { ModelCall } from '#server/integrations/llm/llm.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { partyOfOrganization } from '#server/platform/lib/scheduling/fair-scheduler.ts'
import type { ModelFailureReason } from '#shared/agents/models.ts'
import { appErrorData } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { SearchResult } from '#shared/knowledge/knowledge.ts'
import type { AlikeSource } from '#shared/knowledge/proposals.ts'
import { byTurns } from '../spaces/turns.ts'
import { hasNumbersOf, likenessOf, sharedByBoth, sharedBySmaller } from './likeness.rules.ts'
import { dialogueFor, readProposal } from './proposals.rules.ts'
import * as store from './proposals.store.ts'

type LearningServices = Pick<Services, 'database' | 'llm' | 'secrets' | 'retrieval' | 'searches'>
/** `failures`: of the models of its agents, reported once all is done. */
type LearningSpace = {
  organizationId: Id<'organizations'>
  knowledgeSpaceId: Id<'knowledgeSpaces'>
  failures: unknown[]
}
/** Agents whose replies cannot be learnt from in this run. */
type Unable = Set<Id<'agents'>>

/** Replies of one turn at a space. */
const BATCH = 5
const CALL_MS = 30_000
/** Passages that are looked at for whether they say it already. */
const NEAREST = 3
/** Similarity from which two proposals are the same. */
const SAME_PROPOSAL = 0.7
/** Share of an answer, together with all of its numbers, that a passage must contain to cover it. */
const COVERED_SHARE = 0.8
/** Similarity from which a passage is about the same as a proposal. */
const ABOUT_THE_SAME = 0.4
/** Failures caused by the reply itself: a retry would cost the same to no effect. */
const SAYS_NOTHING: ModelFailureReason[] = ['empty', 'filtered', 'too_long', 'bad_answer', 'cut']
const TASK = [
  'You keep the knowledge base of an organization. A colleague has answered a customer in place of the chat agent.',
  'Write what other customers can use of it as one general question and its answer, on two lines that begin with "Q:" and "A:".',
  'Use the language of the conversation and only what the colleague has said. Leave out names, contacts, numbers of orders, greetings, and',
  'everything that concerns this customer alone. Where nothing is left that helps others, write NOTHING.',
].join(' ')

/** Looks every few minutes for replies that were not learned from. */
export const proposeNotesJob = defineJob<object, LearningServices>({
  name: 'knowledge.proposals',
  limitSeconds: 600,
  concurrency: 1,
  schedule: '*/5 * * * *',
  run: (services, _, signal) => proposeNotes(services, signal),
})

/** Safe to repeat and to run on several servers: one at a time works on a space, and each reply is learnt from once. */
export async function proposeNotes(services: LearningServices, signal: AbortSignal): Promise<void> {
  const { database } = services
  const spaces = await database.system('knowledge: spaces that learn', (db) => store.listLearningSpaces({ db }), {
    readOnly: true,
  })
  const unable: Unable = new Set()
  const turn = (space: LearningSpace) =>
    database.withLock(`proposals ${space.organizationId}`, () => learn(services, space, unable, signal))
  await byTurns(
    spaces.map((space) => ({ ...space, failures: [] })),
    turn,
    signal,
  )
}

/**
 * One round of work on a space. An agent without budget, or whose model fails, is skipped from then on: otherwise its replies would come
 * first each time, and block those of the others.
 *
 * @returns whether nothing is left to do there
 * @throws AggregateError when nothing is left to do, and the models of some agents have failed
 */
async function learn(
  services: LearningServices,
  space: LearningSpace,
  unable: Unable,
  signal: AbortSignal,
): Promise<boolean> {
  const inOrganization: InOrganization = (run, options) =>
    services.database.organization(
      space.organizationId,
      (db) => run({ db, organizationId: space.organizationId }),
      options,
    )
  const replies = await inOrganization((ctx) => store.listReplies(ctx, space.knowledgeSpaceId, [...unable], BATCH))
  for (const reply of replies) {
    if (unable.has(reply.agentId)) continue
    const payer = { id: reply.agentId, monthlyLimitUsd: reply.monthlyLimitUsd }
    if (!(await hasRoom({ now: new Date(), read: inOrganization, write: inOrganization }, payer))) {
      unable.add(reply.agentId)
      continue
    }
    let written: string
    try {
      written = await write(services, reply, signal, (call) => inOrganization((ctx) => count(ctx, reply, call)))
    } catch (error) {
      signal.throwIfAborted()
      unable.add(reply.agentId)
      space.failures.push(error)
      continue
    }
    const proposal = readProposal(written, reply.names)
    const judgeAndKeep: Parameters<InOrganization>[0] = async (ctx) => {
      const judged = proposal ? await judge(ctx, services, space.knowledgeSpaceId, proposal) : NOTHING
      const made = { ...(proposal ?? { question: '', answer: '' }), ...judged, reply, spaceId: space.knowledgeSpaceId }
      await store.insertProposal(ctx, { ...made, id: newId('knowledgeProposals') })
    }
    await services.searches.run(partyOfOrganization(space.organizationId), () => inOrganization(judgeAndKeep))
  }
  if (replies.length === BATCH) return false
  if (space.failures.length > 0) throw new AggregateError(space.failures, summaryOf(space.failures))
  return true
}

function summaryOf([first, ...others]: unknown[]): string {
  const reason = first instanceof Error ? first.message : String(first)
  return `the models of ${others.length + 1} agents failed, the first with: ${reason}`
}

type InOrganization = <T>(run: (ctx: OrgStoreContext) => Promise<T>, options?: WriteOptions) => Promise<T>

/** Empty when the model has nothing to propose. @throws when it failed for another reason */
async function write(
  { llm, secrets }: LearningServices,
  reply: store.Reply,
  signal: AbortSignal,
  count: (call: ModelCall) => Promise<boolean>,
): Promise<string> {
  let call: ModelCall | null = null
  try {
    const { text } = await llm.generate({
      model: reply.model,
      purpose: 'task',
      temperature: 0.2,
      system: TASK,
      messages: [{ role: 'user', text: 'Write the question and its answer.' }],
      data: [{ title: 'The conversation', text: dialogueFor(reply.lines, reply.messageId, reply.names) }],
      passages: [],
      isWeakEvidence: false,
      tools: [],
      keyOf: keyOpener(secrets, reply.agentId, reply.keys),
      signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]),
      onCall: (made) => {
        call = made
      },
    })
    return text
  } catch (error) {
    const reason = appErrorData(error)?.params?.reason
    if (SAYS_NOTHING.some((each) => each === reason)) return ''
    throw error
  } finally {
    if (call) await count(call)
  }
}

type Verdict = Pick<store.NewProposal, 'state' | 'sameAs' | 'alike'>
const NOTHING: Verdict = { state: 'nothing', sameAs: null, alike: null }

/** Whether a person should review it: not when the space covers it already, nor when it was proposed before, whatever the decision was. */
async function judge(
  ctx: OrgStoreContext,
  { retrieval }: LearningServices,
  spaceId: Id<'knowledgeSpaces'>,
  { question, answer }: { question: string; answer: string },
): Promise<Verdict> {
  const [whole, answered] = [likenessOf(`${question} ${answer}`), likenessOf(answer)]
  const earlier = (await store.listEarlier(ctx, spaceId)).find((each) => {
    const other = likenessOf(`${each.question} ${each.answer}`)
    return sharedByBoth(whole, other) >= SAME_PROPOSAL && hasNumbersOf(answered, other)
  })
  if (earlier) return { state: 'known', sameAs: earlier.id, alike: null }
  const search = { spaceIds: [spaceId], query: question, limit: NEAREST }
  const { results } = await retrieval.search(ctx, search)
  const near = results.map((result) => ({ result, other: likenessOf(`${result.metadata.source} ${result.content}`) }))
  const isCovered = near.some(
    ({ other }) => sharedBySmaller(answered, other) >= COVERED_SHARE && hasNumbersOf(answered, other),
  )
  if (isCovered) return { state: 'known', sameAs: null, alike: null }
  const alike = near.find(({ result, other }) => {
    return result.metadata.sourceKind !== 'table' && sharedBySmaller(whole, other) >= ABOUT_THE_SAME
  })
  return { state: 'waiting', sameAs: null, alike: alike ? toAlike(alike.result) : null }
}

function toAlike({ id, documentId, content, metadata }: SearchResult): AlikeSource {
  const kind = metadata.sourceKind === 'fragment' ? 'fragment' : 'document'
  return { kind, chunkId: id, documentId, name: metadata.source, content }
}

/** It costs something, and it is no message. */
function count(ctx: OrgStoreContext, { agentId, channel }: store.Reply, call: ModelCall): Promise<boolean> {
  const event = { sourceId: newId(), agentId, category: 'helper_generation', channel } as const
  return recordUsage(ctx, { ...event, messages: 0, call, occurredAt: new Date() })
}
