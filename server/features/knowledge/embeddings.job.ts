// Gives chunks their vectors, and new ones when the installation's embedding model changes. Search does not wait: until a space has all
// vectors of the new model it is searched by the old one, and a chunk without a vector is found by its words.
import type { OrgStoreContext } from '#server/db/database.ts'
import { recordUsage } from '#server/features/billing/billing.store.ts'
import type { Services } from '#server/functions/services.ts'
import { defineJob } from '#server/jobs/jobs.ts'
import { newId } from '#server/lib/ids.ts'
import type { Embeddings } from '#server/llm/embeddings.ts'
import { quantise } from '#server/retrieval/vectors/quantised.ts'
import * as store from '#server/retrieval/vectors/vectors.store.ts'
import type { Id } from '#shared/ids.ts'

type EmbeddingServices = Pick<Services, 'database' | 'embeddings'>
type Space = { organizationId: Id<'organizations'>; knowledgeSpaceId: Id<'knowledgeSpaces'> }

/** Texts of one request. */
const BATCH = 64

/** Looks every minute for what lacks a vector; so a failed endpoint is asked again a minute later. */
export const embedChunksJob = defineJob<object, EmbeddingServices>({
  name: 'knowledge.embed',
  limitSeconds: 600,
  concurrency: 1,
  schedule: '* * * * *',
  run: (services, _, signal) => embedChunks(services, signal),
})

/** Safe to repeat and to run on several servers: one at a time works on a space. What was embedded before a failure is kept. */
export async function embedChunks({ database, embeddings }: EmbeddingServices, signal: AbortSignal): Promise<void> {
  if (!embeddings) return
  const { model } = embeddings
  const spaces = await database.system(
    'knowledge: what lacks a vector',
    (db) => store.listSpacesToEmbed({ db }, model),
    { readOnly: true },
  )
  for (const space of spaces) {
    await database.withLock(`embed ${space.knowledgeSpaceId}`, () => embedSpace(database, embeddings, space, signal))
  }
}

async function embedSpace(
  database: Services['database'],
  embeddings: Embeddings,
  { organizationId, knowledgeSpaceId }: Space,
  signal: AbortSignal,
): Promise<void> {
  const { model } = embeddings
  const inOrganization = <T>(run: (ctx: OrgStoreContext) => Promise<T>, readOnly = false) =>
    database.organization(organizationId, (db) => run({ db, organizationId }), { readOnly })
  for (;;) {
    signal.throwIfAborted()
    const pending = await inOrganization((ctx) => store.listPending(ctx, knowledgeSpaceId, model, BATCH), true)
    if (pending.length === 0) break
    const { vectors, call } = await embeddings.embed(pending.map(textOf), { signal })
    const made = pending.flatMap(({ id, contentHash }, at) => {
      const vector = vectors[at]
      return vector ? [{ chunkId: id, contentHash, vector: quantise(vector) }] : []
    })
    await inOrganization(async (ctx) => {
      await store.saveVectors(ctx, knowledgeSpaceId, model, made)
      const event = { sourceId: newId(), agentId: null, category: 'helper_generation', channel: 'test' } as const
      await recordUsage(ctx, { ...event, messages: 0, call, occurredAt: new Date() })
    })
  }
  await inOrganization((ctx) => store.serveModel(ctx, knowledgeSpaceId, model))
}

/** What a chunk is about stands above it: title and headings first, then further wordings, then the text. */
function textOf({ title, headingPath, alsoAskedAs, body }: store.PendingChunk): string {
  return [[title, ...headingPath].filter(Boolean).join(' › '), ...alsoAskedAs, body].filter(Boolean).join('\n')
}
