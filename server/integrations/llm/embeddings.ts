// Texts → vectors with an OpenAI-compatible endpoint. Retrieval decides how the vectors are used.
import { z } from 'zod'
import type { EmbeddingsConfig } from '#server/config.ts'
import type { ModelCall } from './llm.ts'

/** The endpoint works, but does not accept one of these texts, or not this many. */
export class TextsRefused extends Error {}

export type Embedded = { vectors: Float32Array[]; call: ModelCall }

export interface Embeddings {
  /** The model by which new texts are embedded. */
  readonly model: string
  /**
   * One vector per text, in order.
   *
   * @param options.model another than the configured one: that of vectors that were made before it was changed
   * @throws TextsRefused
   * @throws Error when the endpoint fails, answers nonsense or not in time
   */
  embed(texts: string[], options: { signal: AbortSignal; model?: string }): Promise<Embedded>
}

const answer = z.object({
  data: z.array(z.object({ index: z.number().int(), embedding: z.array(z.number()).min(1) })),
  usage: z.object({ prompt_tokens: z.number().int() }).optional(),
})
/** Status codes of endpoints that find a text too long, or a request too large. */
const TEXTS_REFUSED = [400, 413, 422]
/** Price version of costs that follow from the installation's own setting. */
const OWN_PRICE = 'own'

/** Nothing is called until `embed`. */
export function createEmbeddings(config: EmbeddingsConfig): Embeddings {
  return {
    model: config.model,
    async embed(texts, { signal, model = config.model }) {
      const startedAt = performance.now()
      const { data, usage } = answer.parse(await post(config, { model, input: texts }, signal))
      const vectors = inOrder(data, texts.length)
      const inputTokens = usage?.prompt_tokens ?? null
      const price = model === config.model ? config.usdPerMillion : undefined
      const isPriced = price !== undefined && inputTokens !== null
      return {
        vectors,
        call: {
          provider: 'embeddings',
          model,
          inputTokens,
          outputTokens: 0,
          costMicroUsd: isPriced ? Math.ceil(price * inputTokens) : null,
          priceVersion: isPriced ? OWN_PRICE : null,
          latencyMs: Math.round(performance.now() - startedAt),
          firstTokenMs: null,
        },
      }
    },
  }
}

async function post({ baseUrl, apiKey }: EmbeddingsConfig, body: object, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(`${baseUrl}/embeddings`, {
    method: 'POST',
    redirect: 'error', // would carry the key to another host
    headers: { 'content-type': 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
    body: JSON.stringify({ ...body, encoding_format: 'float' }),
    signal,
  })
  if (response.ok) return response.json()
  await response.body?.cancel()
  const message = `The embeddings endpoint answered ${response.status}.`
  throw TEXTS_REFUSED.includes(response.status) ? new TextsRefused(message) : new Error(message)
}

function inOrder(data: z.infer<typeof answer>['data'], count: number): Float32Array[] {
  const vectors = data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => Float32Array.from(embedding))
  const isWhole = data.length === count && new Set(data.map(({ index }) => index)).size === count
  if (!isWhole || new Set(vectors.map((vector) => vector.length)).size > 1) {
    throw new Error('The embeddings endpoint did not answer with one vector of one length for each text.')
  }
  return vectors
}
