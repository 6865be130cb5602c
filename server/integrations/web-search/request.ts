// HTTP below the providers: one request within time and size, and what its failure means.
import type { WebSearchFailure } from '#shared/agents/web-search.ts'
import { WebSearchError } from './web-search.ts'

const TIMEOUT_MS = 8000
/** An honest answer has less than a tenth of it. */
const ANSWER_MAX_BYTES = 2 * 1024 * 1024

export type ProviderRequest = {
  url: string
  headers?: Record<string, string>
  /** Sent as JSON; without it the request is a GET. */
  body?: object
  signal: AbortSignal
  /** What a status means to this provider, where it means something else than usual. */
  meanings?: Record<number, WebSearchFailure>
  /** Milliseconds; by default eight seconds. */
  timeoutMs?: number
}

const MEANINGS: Record<number, WebSearchFailure> = {
  401: 'unauthorized',
  402: 'out_of_quota',
  403: 'unauthorized',
  429: 'busy',
}

/** The JSON of a successful answer. @throws WebSearchError, or the signal's reason when aborted */
export async function askProvider(request: ProviderRequest): Promise<unknown> {
  const deadline = AbortSignal.timeout(request.timeoutMs ?? TIMEOUT_MS)
  try {
    const response = await fetch(request.url, {
      method: request.body ? 'POST' : 'GET',
      redirect: 'error', // would carry the key to another host
      headers: { accept: 'application/json', ...request.headers, ...(request.body && JSON_BODY) },
      ...(request.body && { body: JSON.stringify(request.body) }),
      signal: AbortSignal.any([request.signal, deadline]),
    })
    if (response.ok) return parse(await readText(response))
    await response.body?.cancel()
    throw refusal(response.status, request.meanings)
  } catch (error) {
    if (error instanceof WebSearchError) throw error
    request.signal.throwIfAborted()
    if (deadline.aborted) throw new WebSearchError('timeout', 'The provider did not answer in time.')
    throw new WebSearchError('unreachable', `The provider was not reached: ${String(error)}`)
  }
}

const JSON_BODY = { 'content-type': 'application/json' }

function refusal(status: number, meanings: ProviderRequest['meanings'] = {}): WebSearchError {
  const reason = meanings[status] ?? MEANINGS[status] ?? (status >= 500 ? 'unreachable' : 'bad_answer')
  return new WebSearchError(reason, `The provider answered ${status}.`)
}

async function readText(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > ANSWER_MAX_BYTES) throw new WebSearchError('bad_answer', 'The answer is too large.')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new WebSearchError('bad_answer', 'The answer is not JSON.')
  }
}
