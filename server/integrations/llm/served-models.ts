// The models that the operator's OpenAI-compatible server serves. Requested in the background, so that nothing ever waits for the list.
import { z } from 'zod'
import type { ProviderConfig } from '#server/config.ts'
import type { Logger } from '#server/platform/lib/logger.ts'

export interface ServedModels {
  /** Names as the server lists them, without those that generate no text. Null: there is no such server, or it has not listed any. */
  ids(): string[] | null
}

/** How long a list is valid; after a failure it is requested again sooner. */
const FRESH_MS = 5 * 60_000
const RETRY_MS = 15_000
const TIMEOUT_MS = 5000
/** The most models that are offered. */
const MODELS_MAX = 200

const answer = z.object({ data: z.array(z.object({ id: z.string().min(1).max(150) })) })

/** Requests the list on first use and when it has expired; until the answer comes, the previous one is used. */
export function createServedModels({ baseUrl, apiKey }: ProviderConfig, log: Logger): ServedModels {
  if (baseUrl === undefined || isOpenAi(baseUrl)) return { ids: () => null }
  let ids: string[] | null = null
  let askAgainAt = 0
  const ask = async () => {
    try {
      const headers: Record<string, string> = apiKey ? { authorization: `Bearer ${apiKey}` } : {}
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const response = await fetch(`${baseUrl}/models`, { headers, signal, redirect: 'error' })
      if (!response.ok) throw new Error(`GET /models answered ${response.status}`)
      const names = answer.parse(await response.json()).data.map(({ id }) => id)
      ids = [...new Set(names)].filter(writesTexts).slice(0, MODELS_MAX)
    } catch (error) {
      askAgainAt = Date.now() + RETRY_MS
      log.warn({ err: error }, 'the models of OPENAI_BASE_URL are not known')
    }
  }
  return {
    ids() {
      if (Date.now() >= askAgainAt) {
        askAgainAt = Date.now() + FRESH_MS
        void ask()
      }
      return ids
    },
  }
}

/** Whether an address is OpenAI's own. */
export function isOpenAi(baseUrl: string): boolean {
  return new URL(baseUrl).hostname === 'api.openai.com'
}

function writesTexts(id: string): boolean {
  return !/embed|rerank|whisper|(^|[/_-])(tts|bge|e5|gte|minilm)([/_:-]|$)/i.test(id)
}
