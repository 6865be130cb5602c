// Gives chunks their vectors, and new ones when the installation's embedding model changes. Search does not wait: until a space has all
// vectors of the new model it is searched by the old one, and a chunk without a vector is found by its words.

import { recordUsage } from '#server/domain/billing/billing.store.ts'
import { quantise } from '#server/domain/knowledge/search/vectors/quantised.ts'
import {
  beginModel,
  findTrust,
  forgetFollowing,
  type SpaceTrust,
  serveModel,
} from '#server/domain/knowledge/search/vectors/space-models.store.ts'
import { TRUST_CHUNKS, trustOf, trustQuestions } from '#server/domain/knowledge/search/vectors/trust.ts'
import * as store from '#server/domain/knowledge/search/vectors/vectors.store.ts'
import type { Services } from '#server/functions/services.ts'
import type { Embeddings } from '#server/integrations/llm/embeddings.ts'
import type { ModelCall } from '#server/integrations/llm/llm.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import { byTurns } from '../../spaces/turns.ts'
import { embedBatch } from './embeddings.batch.ts'

type EmbeddingServices = Pick<Services, 'database' | 'embeddings'>
type Space = { organizationId: Id<'organizations'>; knowledgeSpaceId: Id<'knowledgeSpaces'> }

/** Texts of one request; more than some endpoints take by default. */
const BATCH = 32
/** Requests per space, before the next one has its turn: a large space does not block the others. */
const BATCHES_A_TURN = 20

/** Looks every minute for chunks without a vector, which also retries a failed endpoint. */
export const embedChunksJob = defineJob<object, EmbeddingServices>({
  name: 'knowledge.embed',
  limitSeconds: 600,
  concurrency: 1,
  schedule: '* * * * *',
  run: (services, _, signal) => embedChunks(services, signal),
})

/**
 * Safe to repeat and to run on several servers: one at a time works on a space. What was embedded before a failure is kept, and other
 * spaces do not notice it.
 */
export async function embedChunks({ database, embeddings }: EmbeddingServices, signal: AbortSignal): Promise<void> {
  if (!embeddings) {
    await database.system('knowledge: no model makes vectors', (db) => forgetFollowing({ db }))
    return
  }
  const spaces = await database.system(
    'knowledge: what lacks a vector',
    (db) => store.listSpacesToEmbed({ db }, embeddings.model),
    { readOnly: true },
  )
  const turn = (space: Space) =>
    database.withLock(`embed ${space.knowledgeSpaceId}`, () => embedSpace(database, embeddings, space, signal))
  await byTurns(spaces, turn, signal)
}

/** One turn at a space. @returns whether nothing is left to do there, or wanted */
async function embedSpace(
  database: Services['database'],
  embeddings: Embeddings,
  { organizationId, knowledgeSpaceId }: Space,
  signal: AbortSignal,
): Promise<boolean> {
  const { model } = embeddings
  const inOrganization: InOrganization = (run) =>
    database.organization(organizationId, (db) => run({ db, organizationId }))
  for (let batches = 0; batches < BATCHES_A_TURN; batches++) {
    signal.throwIfAborted()
    const pending = await inOrganization(async (ctx) => {
      const isWanted = await beginModel(ctx, knowledgeSpaceId, model)
      return isWanted ? listTexts(ctx, knowledgeSpaceId, model) : null
    })
    if (!pending) return true
    if (pending.length === 0) {
      await serve({ inOrganization, embeddings, knowledgeSpaceId }, signal)
      return true
    }
    const texts = pending.map(({ text }) => text)
    const { vectors, calls } = await embedBatch(embeddings, texts, signal)
    const made = pending.map(({ key }, at) => ({ ...key, vector: quantise(vectors[at] ?? new Float32Array()) }))
    await inOrganization(async (ctx) => {
      const isStillWanted = await beginModel(ctx, knowledgeSpaceId, model)
      if (isStillWanted) await store.saveVectors(ctx, knowledgeSpaceId, model, made)
      for (const call of calls) await count(ctx, call)
    })
  }
  return false
}

type InOrganization = <T>(run: (ctx: OrgStoreContext) => Promise<T>) => Promise<T>
type Serving = {
  inOrganization: InOrganization
  embeddings: Embeddings
  knowledgeSpaceId: Space['knowledgeSpaceId']
}

/** Switches the space to the model, with its measured trust. Measured again when the space has doubled. */
async function serve({ inOrganization, embeddings, knowledgeSpaceId }: Serving, signal: AbortSignal): Promise<void> {
  const { model } = embeddings
  const { known, sample } = await inOrganization(async (ctx) => {
    const known = await findTrust(ctx, knowledgeSpaceId, model)
    const isLasting = known && known.chunks * 2 > TRUST_CHUNKS
    return { known, sample: isLasting ? [] : await store.listSample(ctx, knowledgeSpaceId, model, TRUST_CHUNKS) }
  })
  const isKnown = known && known.chunks * 2 > sample.length
  const { trust, calls } = isKnown ? { trust: known, calls: [] } : await measureTrust(embeddings, sample, signal)
  await inOrganization(async (ctx) => {
    await serveModel(ctx, knowledgeSpaceId, model, trust)
    for (const call of calls) await count(ctx, call)
  })
}

/** Asks the model with words of some passages. */
async function measureTrust(
  embeddings: Embeddings,
  sample: { body: string; vector: Int8Array }[],
  signal: AbortSignal,
): Promise<{ trust: SpaceTrust; calls: ModelCall[] }> {
  const questions = trustQuestions(sample.map(({ body }) => body))
  const asked: { at: number; vector: Float32Array | null }[] = []
  const calls: ModelCall[] = []
  for (let from = 0; from < questions.length; from += BATCH) {
    const batch = questions.slice(from, from + BATCH)
    const texts = batch.map(({ text }) => text)
    const made = await embedBatch(embeddings, texts, signal)
    asked.push(...batch.map(({ at }, number) => ({ at, vector: made.vectors[number] ?? null })))
    calls.push(...made.calls)
  }
  const vectors = sample.map(({ vector }) => vector)
  return { trust: { trust: trustOf(vectors, asked), chunks: sample.length }, calls }
}

type Text = { key: store.VectorKey; text: string }

/** What lacks a vector: passages first, then the questions that they answer. */
async function listTexts(ctx: OrgStoreContext, spaceId: Space['knowledgeSpaceId'], model: string): Promise<Text[]> {
  const chunks = await store.listPending(ctx, spaceId, model, BATCH)
  if (chunks.length > 0) {
    return chunks.map((chunk) => {
      return { key: { chunkId: chunk.id, number: 0, contentHash: chunk.contentHash }, text: textOf(chunk) }
    })
  }
  const questions = await store.listPendingQuestions(ctx, spaceId, model, BATCH)
  return questions.map(({ question, ...key }) => ({ key, text: question }))
}

/** It costs something, and it is no message. */
function count(ctx: OrgStoreContext, call: ModelCall): Promise<boolean> {
  const event = { sourceId: newId(), agentId: null, category: 'helper_generation', channel: 'test' } as const
  return recordUsage(ctx, { ...event, messages: 0, call, occurredAt: new Date() })
}

/** What a chunk is about stands above it: title and headings first, then further wordings, then the text. */
function textOf({ title, headingPath, alsoAskedAs, body }: store.PendingChunk): string {
  return [[title, ...headingPath].filter(Boolean).join(' › '), ...alsoAskedAs, body].filter(Boolean).join('\n')
}
