// Vectors for some texts, of which an endpoint may refuse one, or as many as these at once.
import { type Embeddings, TextsRefused } from '#server/integrations/llm/embeddings.ts'
import type { ModelCall } from '#server/integrations/llm/llm.ts'

/** One vector a text; null: the model does not take it. */
type Batch = { vectors: (Float32Array | null)[]; calls: ModelCall[] }

/** Every model takes it. */
const PROBE = 'text'

/**
 * Divides what is refused until it is known which text is at fault.
 * @throws Error when the endpoint fails, or refuses any text
 */
export async function embedBatch(embeddings: Embeddings, texts: string[], signal: AbortSignal): Promise<Batch> {
  try {
    const { vectors, call } = await embeddings.embed(texts, { signal })
    return { vectors, calls: [call] }
  } catch (error) {
    if (!(error instanceof TextsRefused)) throw error
  }
  if (texts.length === 1) {
    const { call } = await embeddings.embed([PROBE], { signal })
    return { vectors: [null], calls: [call] }
  }
  const half = Math.ceil(texts.length / 2)
  const first = await embedBatch(embeddings, texts.slice(0, half), signal)
  const second = await embedBatch(embeddings, texts.slice(half), signal)
  return { vectors: [...first.vectors, ...second.vectors], calls: [...first.calls, ...second.calls] }
}
