// One call of Meta's Graph with a deadline, and what its failures mean. The token travels in a header and is in no text made here.
// @source developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes
import { z } from 'zod'
import { AdapterError, type AdapterErrorKind } from '#server/adapters/channel.ts'
import { createHttpClient, type HttpCall, NotConnectedError, TooLargeError } from '#server/adapters/http-client.ts'
import { readCloudAccess } from './whatsapp-cloud.access.ts'

export type GraphCall = {
  verb?: 'GET' | 'POST' | 'DELETE'
  /** Behind the version, without a slash at its beginning. */
  path: string
  body?: object | FormData
  signal?: AbortSignal
}
/** Runs a call with the token of a connection and checks its answer. @throws AdapterError; when `signal` aborts, its reason */
export type Ask = <T>(token: string, call: GraphCall, schema: z.ZodType<T>) => Promise<T>
/** Gets the bytes behind an address that Graph has named. Throws as `Ask`. */
export type Fetch = (token: string, url: string, maxBytes: number, signal: AbortSignal) => Promise<Uint8Array>

const DETAIL_LENGTH = 200
/** Meta keeps files at hosts of these; the token is shown to nobody else. */
const FILE_HOSTS = /(?:^|\.)(?:fbsbx\.com|facebook\.com|fbcdn\.net|whatsapp\.net)$/

const refusal = z.object({
  error: z.object({
    code: z.number(),
    message: z.string().catch(''),
    error_data: z
      .object({ details: z.string().catch('') })
      .optional()
      .catch(undefined),
  }),
})

/** What refusals mean by their number; what is not here is refused for good. */
const KINDS: Record<number, AdapterErrorKind> = {
  0: 'unauthorized', // the token has expired, was taken back, or belongs to an app that is gone
  3: 'unauthorized',
  10: 'unauthorized', // rights are missing
  190: 'unauthorized',
  4: 'rate_limited',
  80007: 'rate_limited',
  130429: 'rate_limited',
  131048: 'rate_limited', // many have called its messages spam
  131056: 'rate_limited', // too many to one customer
  133016: 'rate_limited',
  131026: 'blocked', // no WhatsApp, terms not accepted, or an old app
  131030: 'blocked', // a test number writes to named people only
  131047: 'out_of_window',
  368: 'suspended',
  131031: 'suspended', // the account is locked
  131042: 'suspended', // it has not paid
  131045: 'suspended', // the number is not registered, or its name not approved
  133010: 'suspended',
}
/**
 * One advertising message is kept from the customer, who can be written to otherwise: they have had enough for now, want none, or are part
 * of an experiment.
 */
const ADVERTISING = new Set([131049, 131050, 130472])
/** How long Meta wants to be left alone, where it says so: one message in six seconds to one customer. */
const WAITS_MS: Record<number, number> = { 131056: 6000 }

/** A caller with connections of its own. */
export function createGraph(options: { graphUrl: string; timeoutMs: number }): { ask: Ask; fetch: Fetch } {
  const send = createHttpClient()

  async function request(token: string, call: Omit<HttpCall, 'signal' | 'headers'>, signal?: AbortSignal) {
    const deadline = AbortSignal.timeout(options.timeoutMs)
    const headers = { authorization: `Bearer ${readCloudAccess(token).accessToken}` }
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
      if (status !== 200) throw refused(status, answer)
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

const PAGE_SIZE = 100
/** A list without an end is left. */
const MAX_PAGES = 10

const page = z.object({
  data: z.array(z.unknown()),
  paging: z
    .object({ cursors: z.object({ after: z.string().optional() }).optional(), next: z.string().optional() })
    .optional()
    .catch(undefined),
})

/** A list that comes in pages, one page after another. @param path with a question mark. Throws as `Ask` */
export async function* pagesOf(ask: Ask, token: string, path: string): AsyncGenerator<unknown[]> {
  let after = ''
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const from = after && `&after=${encodeURIComponent(after)}`
    const { data, paging } = await ask(token, { path: `${path}&limit=${PAGE_SIZE}${from}` }, page)
    yield data
    after = paging?.cursors?.after ?? ''
    if (!paging?.next || after === '') return
  }
}

/** What a number of Meta's errors means: of an answer, or of a message that was taken and did not arrive. */
export function kindOf(code: number): AdapterErrorKind {
  if (code >= 200 && code <= 299) return 'unauthorized'
  return KINDS[code] ?? 'permanent'
}

/** What people are told of an error of Meta's. The word before the number is known to whoever shows it. */
export function wordsOf(code: number, detail: string): string {
  return `${ADVERTISING.has(code) ? 'advertising: ' : ''}${code} ${detail}`.trim()
}

/** An error of the server leaves open what it has done before, whatever number it gives. */
function refused(status: number, answer: unknown): AdapterError {
  const known = refusal.safeParse(answer)
  if (!known.success) return new AdapterError(status === 401 ? 'unauthorized' : unnamed(status), `${status}`)
  const { code, message, error_data: data } = known.data.error
  const text = wordsOf(code, data?.details || message).slice(0, DETAIL_LENGTH)
  const kind = status >= 500 ? 'unknown_outcome' : status === 429 ? 'rate_limited' : kindOf(code)
  return new AdapterError(kind, text, kind === 'rate_limited' ? (WAITS_MS[code] ?? null) : null)
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
