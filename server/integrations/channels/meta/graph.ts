// One call of Meta's Graph API with a deadline. The token travels in a header and is in no text made here. The meaning of error codes
// differs between its products, and is defined in their folders.
// @source developers.facebook.com/docs/graph-api/guides/error-handling
import { z } from 'zod'
import { AdapterError, type AdapterErrorKind } from '#server/integrations/channels/contract/adapter-error.ts'
import {
  createHttpClient,
  type HttpCall,
  NotConnectedError,
  TooLargeError,
} from '#server/integrations/http/http-client.ts'

export type GraphCall = {
  verb?: 'GET' | 'POST' | 'DELETE'
  /** The path after the version, without a leading slash. */
  path: string
  body?: object | FormData
  signal?: AbortSignal
}
/** Runs a call with the token of a connection and checks its answer. @throws AdapterError; when `signal` aborts, its reason */
export type Ask = <T>(token: string, call: GraphCall, schema: z.ZodType<T>) => Promise<T>
/** Downloads from an address that Graph has returned. Throws as `Ask`. */
export type Fetch = (token: string, url: string, maxBytes: number, signal: AbortSignal) => Promise<Uint8Array>

/** A refusal as Graph words it. */
export type Refusal = { status: number; code: number; subcode: number | null; message: string; details: string }

export type GraphOptions = {
  /** With the version, without a trailing slash. */
  graphUrl: string
  timeoutMs: number
  /** The access token in the token of a connection's credentials. */
  accessTokenOf(token: string): string
  /** What a refusal means that is not a server error. */
  errorOf(refusal: Refusal): AdapterError
}

/** Meta keeps files at hosts under these domains; the token is sent to no others. */
const FILE_HOSTS = /(?:^|\.)(?:fbsbx\.com|facebook\.com|fbcdn\.net|whatsapp\.net)$/

const refusal = z.object({
  error: z.object({
    code: z.number(),
    error_subcode: z.number().optional().catch(undefined),
    message: z.string().catch(''),
    error_data: z
      .object({ details: z.string().catch('') })
      .optional()
      .catch(undefined),
  }),
})

/** Creates a caller with its own connections. */
export function createGraph(options: GraphOptions): { ask: Ask; fetch: Fetch } {
  const send = createHttpClient()

  async function request(token: string, call: Omit<HttpCall, 'signal' | 'headers'>, signal?: AbortSignal) {
    const deadline = AbortSignal.timeout(options.timeoutMs)
    const headers = { authorization: `Bearer ${options.accessTokenOf(token)}` }
    try {
      return await send({ ...call, headers, signal: signal ? AbortSignal.any([signal, deadline]) : deadline })
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (error instanceof NotConnectedError) throw new AdapterError('temporary', `not connected: ${error.code}`)
      if (error instanceof TooLargeError) throw new AdapterError('permanent', 'larger than wanted')
      throw new AdapterError('unknown_outcome', 'no answer from Meta')
    }
  }

  return {
    async ask(token, { verb: method = 'GET', path, body, signal }, schema) {
      const sent = body === undefined ? {} : { body: await bodyOf(body) }
      const { status, text } = await request(token, { method, url: `${options.graphUrl}/${path}`, ...sent }, signal)
      const answer = parsed(text)
      if (status !== 200) throw refused(status, answer, options.errorOf)
      const checked = schema.safeParse(answer)
      if (!checked.success) throw new AdapterError('unknown_outcome', 'Meta answered something else')
      return checked.data
    },

    async fetch(token, url, maxBytes, signal) {
      if (!isMetas(url, options.graphUrl)) throw new AdapterError('permanent', 'the file lies at a foreign address')
      const { status, bytes } = await request(token, { method: 'GET', url, maxBytes }, signal)
      if (status === 200) return bytes
      throw new AdapterError(status >= 500 || status === 429 ? 'temporary' : 'permanent', 'the file is not given out')
    },
  }
}

/** After a server error it is unknown whether the call took effect, whatever its code. */
function refused(status: number, answer: unknown, errorOf: GraphOptions['errorOf']): AdapterError {
  const known = refusal.safeParse(answer)
  if (!known.success) return new AdapterError(status === 401 ? 'unauthorized' : unnamed(status), `${status}`)
  const { code, error_subcode: subcode = null, message, error_data: data } = known.data.error
  const {
    kind,
    message: text,
    retryAfterMs,
  } = errorOf({ status, code, subcode, message, details: data?.details ?? '' })
  if (status >= 500) return new AdapterError('unknown_outcome', text)
  return status === 429
    ? new AdapterError('rate_limited', text, retryAfterMs)
    : new AdapterError(kind, text, retryAfterMs)
}

function unnamed(status: number): AdapterErrorKind {
  if (status === 429) return 'rate_limited'
  return status >= 400 && status < 500 ? 'permanent' : 'unknown_outcome'
}

function isMetas(address: string, graphUrl: string): boolean {
  const url = URL.parse(address)
  if (!url) return false
  return url.origin === new URL(graphUrl).origin || (url.protocol === 'https:' && FILE_HOSTS.test(url.hostname))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function bodyOf(body: object | FormData): Promise<Exclude<HttpCall['body'], undefined>> {
  if (!(body instanceof FormData)) return JSON.stringify(body)
  const form = new Response(body)
  return {
    contentType: form.headers.get('content-type') ?? 'multipart/form-data',
    bytes: new Uint8Array(await form.arrayBuffer()),
  }
}
