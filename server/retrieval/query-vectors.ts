// The vectors of a question. They are made before the search, which is a transaction and may not wait for a provider.
import type { OrgStoreContext } from '#server/db/database.ts'
import type { Embeddings } from '#server/llm/embeddings.ts'
import type { ModelCall } from '#server/llm/llm.ts'
import type { Id } from '#shared/ids.ts'
import type { QueryVectors } from './retrieval.ts'
import { listServingModels } from './vectors/vectors.store.ts'

/** A customer does not wait longer for a better search. */
const QUERY_MS = 3_000

type Read = <T>(run: (ctx: OrgStoreContext) => Promise<T>) => Promise<T>

/**
 * The question as each model has it by which one of the spaces is searched; empty when there is none.
 *
 * @throws Error when the endpoint fails: the search then goes by words alone
 */
export async function embedQuery(
  read: Read,
  embeddings: Embeddings,
  request: { spaceIds: Id<'knowledgeSpaces'>[]; query: string; signal?: AbortSignal },
): Promise<{ vectors: QueryVectors; calls: ModelCall[] }> {
  const models = await read((ctx) => listServingModels(ctx, request.spaceIds))
  const deadline = AbortSignal.timeout(QUERY_MS)
  const signal = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline
  const vectors: QueryVectors = new Map()
  const calls: ModelCall[] = []
  for (const model of models) {
    const made = await embeddings.embed([request.query], { model, signal })
    calls.push(made.call)
    for (const vector of made.vectors) vectors.set(model, vector)
  }
  return { vectors, calls }
}
