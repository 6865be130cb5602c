// One question through all stages. Those that ask a provider go before the search, which is a transaction and may not wait for one;
// when they fail, the search goes on without them.

import type { Relevance } from '#server/domain/knowledge/search/query/reranking.ts'
import type { Retrieval, SearchRequest } from '#server/domain/knowledge/search/retrieval.ts'
import { startStopwatch } from '#server/domain/knowledge/search/stopwatch.ts'
import { listServingModels } from '#server/domain/knowledge/search/vectors/space-models.store.ts'
import type { Embeddings } from '#server/integrations/llm/embeddings.ts'
import type { ModelCall } from '#server/integrations/llm/llm.ts'
import type { Reranker } from '#server/integrations/llm/rerank.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { type FairScheduler, partyOfOrganization } from '#server/platform/lib/scheduling/fair-scheduler.ts'
import type { Id } from '#shared/ids.ts'
import type { SearchResponse, TimedStage } from '#shared/knowledge/knowledge.ts'

/** A transaction of one organization that only reads. */
export type Read = <T>(run: (ctx: OrgStoreContext) => Promise<T>) => Promise<T>
/** What a search is made with. Null: the installation has none. */
export type SearchParts = {
  retrieval: Retrieval
  embeddings: Embeddings | null
  reranker: Reranker | null
  searches: FairScheduler
}
export type FullRequest = Omit<SearchRequest, 'vectors' | 'alternatives' | 'relevance'> & {
  /** Whose search it is: it waits for others of the same organization, where there are many at once. */
  organizationId: Id<'organizations'>
  /** Writes the same question in other words. */
  reword?: () => Promise<string[]>
  signal?: AbortSignal
}
/** `wordings`: in which other words the question was looked for. `calls`: what was spent. `failures`: stages that were done without. */
export type FullAnswer = {
  response: SearchResponse
  wordings: string[]
  calls: ModelCall[]
  failures: { stage: TimedStage; error: unknown }[]
}

/** A customer does not wait longer for a better search; of each provider. */
const PROVIDER_MS = 3_000
/** Chunks that the reranking model judges. */
const JUDGED = 40

/** Fails only when the database does. */
export async function searchFully(read: Read, parts: SearchParts, request: FullRequest): Promise<FullAnswer> {
  const { reword, signal, organizationId, ...search } = request
  const gated: Read = (run) => parts.searches.run(partyOfOrganization(organizationId), () => read(run))
  const watch = startStopwatch()
  const calls: ModelCall[] = []
  const failures: FullAnswer['failures'] = []
  const skipped = (stage: TimedStage) => (error: unknown) => {
    signal?.throwIfAborted()
    failures.push({ stage, error })
    return undefined
  }
  const asked: Asked = { read, parts, calls, signal: () => within(PROVIDER_MS, signal) }
  const isReworded = reword && !search.without?.includes('rewrite')
  const wordings = (isReworded && (await watch.time('rewrite', reword).catch(skipped('rewrite')))) || []
  const queries = [search.query, ...wordings]
  const vectors = await embed(asked, search, queries, watch.time).catch(skipped('embed'))
  const [own, ...alternatives] = queries.map((query, at) => ({ query, vectors: vectors?.[at] ?? new Map() }))
  const worded = { ...search, vectors: own?.vectors ?? new Map(), alternatives }
  const relevance = await judge({ ...asked, read: gated }, worded, watch.time).catch(skipped('rerank'))
  const response = await gated((ctx) => parts.retrieval.search(ctx, { ...worded, ...(relevance && { relevance }) }))
  const stages = [...watch.timings(), ...response.stages]
  return { response: { ...response, stages, elapsedMs: watch.elapsedMs() }, wordings, calls, failures }
}

type Asked = { read: Read; parts: SearchParts; calls: ModelCall[]; signal: () => AbortSignal }
type Time = ReturnType<typeof startStopwatch>['time']

/** The questions as each model has them by which one of the spaces is searched. Undefined: by none. */
async function embed(
  { read, parts: { embeddings }, calls, signal }: Asked,
  { spaceIds, without }: SearchRequest,
  queries: string[],
  time: Time,
): Promise<Map<string, Float32Array>[] | undefined> {
  if (!embeddings || without?.includes('meaning')) return undefined
  const models = await read((ctx) => listServingModels(ctx, spaceIds))
  if (models.length === 0) return undefined
  return time('embed', async () => {
    const made = await Promise.allSettled(
      models.map(async (model) => ({ model, ...(await embeddings.embed(queries, { model, signal: signal() })) })),
    )
    const answered = made.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    calls.push(...answered.map(({ call }) => call))
    const failed = made.find((each) => each.status === 'rejected')
    if (failed && answered.length === 0) throw failed.reason
    return queries.map((_, at) => {
      return new Map(answered.flatMap(({ model, vectors }) => (vectors[at] ? [[model, vectors[at]]] : [])))
    })
  })
}

/** Scores of the best chunks by the reranking model. Undefined: there is none, or nothing to score. */
async function judge(
  { read, parts: { retrieval, reranker }, calls, signal }: Asked,
  { tokenBudget: _, order: __, ...search }: SearchRequest,
  time: Time,
): Promise<Relevance | undefined> {
  if (!reranker || search.without?.includes('rerank')) return undefined
  return time('rerank', async () => {
    const { results } = await read((ctx) => retrieval.search(ctx, { ...search, limit: JUDGED }))
    if (results.length === 0) return undefined
    const texts = results.map(({ metadata, content }) => [...metadata.headingPath, content].join('\n'))
    const { relevance, call } = await reranker.rerank(search.query, texts, signal())
    calls.push(call)
    return new Map(results.map(({ id }, at) => [id, relevance[at] ?? 0]))
  })
}

function within(ms: number, signal: AbortSignal | undefined): AbortSignal {
  const deadline = AbortSignal.timeout(ms)
  return signal ? AbortSignal.any([signal, deadline]) : deadline
}
