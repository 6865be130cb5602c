// One call of a media provider over HTTP: a deadline, a largest answer, one more try after what may pass at once, no redirects.
import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import type { ProviderConfig } from '#server/config.ts'
import { adaptiveFetch, createParameterMemory } from '#server/integrations/llm/endpoint/adaptive-fetch.ts'
import { MediaFailure, SOON_MS, statusFailure } from './failures.ts'

/** Where a provider is reached, and by what. */
export type Access = { baseUrl: string; apiKey: string | undefined }
export type MediaRequest = { url: string; headers: Record<string, string>; body: string | Uint8Array | FormData }
export type MediaLimits = {
  /** One try, milliseconds. */
  callMs: number
  /** Waits longer than this are not worth another try, milliseconds. */
  mostWaitMs: number
}

export const MEDIA_LIMITS: MediaLimits = { callMs: 20_000, mostWaitMs: 2000 }
const ANSWER_MAX_BYTES = 16 * 1024 * 1024
/** Characters of a refusal that are looked at. */
const REFUSAL_LENGTH = 2000

/** How every provider is asked. */
export type Ask = (request: MediaRequest, signal: AbortSignal) => Promise<Uint8Array>

type AccessRules = { ownKey?: string | undefined; mayLackKey?: boolean }

/** Whether a provider can be asked: there is a key or, where one may be enough, an address. */
export function hasAccess(config: ProviderConfig, { ownKey, mayLackKey = false }: AccessRules): boolean {
  return Boolean(ownKey ?? config.apiKey) || (mayLackKey && config.baseUrl !== undefined)
}

/**
 * @param ownKey goes before the installation's
 * @throws MediaFailure not_configured when there is neither a key nor, where one may be enough, an address
 */
export function accessOf(config: ProviderConfig, defaultUrl: string, rules: AccessRules = {}): Access {
  if (!hasAccess(config, rules)) throw new MediaFailure('not_configured')
  return { apiKey: rules.ownKey ?? config.apiKey, baseUrl: config.baseUrl ?? defaultUrl }
}

/** The header of a key as most providers take it. */
export function bearer({ apiKey }: Access): Record<string, string> {
  return apiKey ? { authorization: `Bearer ${apiKey}` } : {}
}

/** Asks under these limits. @throws MediaFailure, or the signal's reason when aborted */
export function createAsk(limits: MediaLimits): Ask {
  const send = adaptiveFetch((input, init) => fetch(input, init), createParameterMemory())
  const how = { send, callMs: limits.callMs }
  return async (given, signal) => {
    const request = await inBytes(given)
    try {
      return await post(request, signal, how)
    } catch (error) {
      const waitMs = error instanceof MediaFailure ? error.retryAfterMs : null
      if (waitMs === null || waitMs > limits.mostWaitMs) throw error
      await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted())
      return post(request, signal, how)
    }
  }
}

type BytesRequest = { url: string; headers: Record<string, string>; body: BodyInit }

/** Forms are written out before they are sent: a provider that answers before it has read one would break the stream of it. */
async function inBytes({ url, headers, body }: MediaRequest): Promise<BytesRequest> {
  if (!(body instanceof FormData)) return { url, headers, body: typeof body === 'string' ? body : new Uint8Array(body) }
  const written = new Response(body)
  const type = written.headers.get('content-type') ?? ''
  return { url, headers: { ...headers, 'content-type': type }, body: await written.arrayBuffer() }
}

type How = { send: ReturnType<typeof adaptiveFetch>; callMs: number }

async function post(
  { url, headers, body }: BytesRequest,
  signal: AbortSignal,
  { send, callMs }: How,
): Promise<Uint8Array> {
  signal.throwIfAborted()
  const deadline = AbortSignal.timeout(callMs)
  try {
    const request = { method: 'POST', headers, body, redirect: 'error' } as const
    const answer = await send(url, { ...request, signal: AbortSignal.any([signal, deadline]) })
    const bytes = await readBytes(answer)
    if (answer.ok) return bytes
    throw statusFailure(answer.status, textOf(bytes).slice(0, REFUSAL_LENGTH), answer.headers.get('retry-after'))
  } catch (error) {
    if (error instanceof MediaFailure) throw error
    signal.throwIfAborted()
    if (deadline.aborted) throw new MediaFailure('timeout')
    throw new MediaFailure('unavailable', error instanceof Error ? error.name : '', SOON_MS)
  }
}

async function readBytes(answer: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.length
    if (size > ANSWER_MAX_BYTES) throw new MediaFailure('bad_answer', 'too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Reads a JSON answer. @throws MediaFailure bad_answer for anything else */
export function readJson<T>(bytes: Uint8Array, schema: z.ZodType<T>): T {
  let json: unknown
  try {
    json = JSON.parse(textOf(bytes))
  } catch {
    throw new MediaFailure('bad_answer', 'no JSON')
  }
  const parsed = schema.safeParse(json)
  if (!parsed.success) throw new MediaFailure('bad_answer', 'another shape')
  return parsed.data
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8')
}
