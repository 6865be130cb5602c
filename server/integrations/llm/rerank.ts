// Which of some texts answer a question best, judged by a reranking model of an outside endpoint. Three protocols: that of Cohere, which
// Jina and vLLM speak as well, that of Voyage, and that of Text Embeddings Inference.
import { z } from 'zod'
import type { RerankConfig } from '#server/config.ts'
import type { ModelCall } from './llm.ts'

export interface Reranker {
  /**
   * How well each text answers, in the order of the texts: the higher the better, on the model's own scale.
   *
   * @throws Error when the endpoint refuses, answers nonsense or not in time
   */
  rerank(query: string, texts: string[], signal: AbortSignal): Promise<{ relevance: number[]; call: ModelCall }>
}

const judged = (score: 'relevance_score' | 'score') =>
  z.array(z.object({ index: z.number().int().min(0), [score]: z.number() }).transform((each) => toPair(each, score)))
const cohereAnswer = z.object({ results: judged('relevance_score') }).transform(({ results }) => results)
const voyageAnswer = z.object({ data: judged('relevance_score') }).transform(({ data }) => data)
const teiAnswer = judged('score')
/** Price version of costs that follow from the installation's own setting. */
const OWN_PRICE = 'own'

/** Nothing is called until `rerank`. */
export function createReranker(config: RerankConfig): Reranker {
  return {
    async rerank(query, texts, signal) {
      const startedAt = performance.now()
      const relevance = inOrder(await ask(config, query, texts, signal), texts.length)
      const isPriced = config.usdPerThousand !== undefined
      const call: ModelCall = {
        provider: 'rerank',
        model: config.model ?? 'rerank',
        inputTokens: null,
        outputTokens: 0,
        costMicroUsd: isPriced ? Math.ceil((config.usdPerThousand ?? 0) * 1000) : null,
        priceVersion: isPriced ? OWN_PRICE : null,
        latencyMs: Math.round(performance.now() - startedAt),
        firstTokenMs: null,
      }
      return { relevance, call }
    },
  }
}

type Pair = { index: number; score: number }

async function ask(config: RerankConfig, query: string, texts: string[], signal: AbortSignal): Promise<Pair[]> {
  if (config.protocol === 'tei') {
    return teiAnswer.parse(await post(config, { query, texts, raw_scores: false, truncate: true }, signal))
  }
  const asked = { ...(config.model && { model: config.model }), query, documents: texts }
  if (config.protocol === 'voyage') {
    return voyageAnswer.parse(await post(config, { ...asked, top_k: texts.length }, signal))
  }
  return cohereAnswer.parse(await post(config, { ...asked, top_n: texts.length }, signal))
}

async function post({ baseUrl, apiKey }: RerankConfig, body: object, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(`${baseUrl}/rerank`, {
    method: 'POST',
    redirect: 'error', // would carry the key to another host
    headers: { 'content-type': 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
    body: JSON.stringify(body),
    signal,
  })
  if (response.ok) return response.json()
  await response.body?.cancel()
  throw new Error(`The rerank endpoint answered ${response.status}.`)
}

function inOrder(pairs: Pair[], count: number): number[] {
  const scores = new Map(pairs.map(({ index, score }) => [index, score]))
  const relevance = Array.from({ length: count }, (_, at) => scores.get(at))
  const isWhole = pairs.length === count && relevance.every((score) => score !== undefined)
  if (!isWhole) throw new Error('The rerank endpoint did not judge each text once.')
  return relevance.map((score) => score ?? 0)
}

function toPair(each: Record<string, number>, score: string): Pair {
  return { index: each.index ?? 0, score: each[score] ?? 0 }
}
