// One call of the Bot API of MAX with a deadline, and what its failures mean. The token travels in a header and is in no text made here.
// @source dev.max.ru/docs-api
import { z } from 'zod'
import { AdapterError, type AdapterErrorKind } from '#server/integrations/channels/contract/adapter-error.ts'
import {
  createHttpClient,
  type HttpAnswer,
  type HttpCall,
  NotConnectedError,
} from '#server/integrations/http/http-client.ts'

export type MaxCall = {
  verb?: 'GET' | 'POST' | 'DELETE'
  /** The path, with a leading slash. */
  path: string
  body?: object
  limitMs?: number
  signal?: AbortSignal
}
/** Runs a call with the token of a bot and checks its answer. @throws AdapterError; when `signal` aborts, its reason */
export type Ask = <T>(token: string, call: MaxCall, schema: z.ZodType<T>) => Promise<T>
/** Posts a file to an address that MAX has named, without the token. Throws as `Ask`. */
export type Upload = (url: string, form: FormData) => Promise<string>

const DETAIL_LENGTH = 200
const UPLOAD_TIMEOUT_MS = 60_000
/** The wait after a rate limit, when MAX does not say how long. */
const WAIT_MS = 1000

const refusal = z.object({ code: z.string(), message: z.string().catch('') })

/** Node trusts the authorities of browsers; the one that signed MAX's certificate may not be among them. */
const FOREIGN_CERTIFICATE =
  /^(?:SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:GET_ISSUER_CERT|VERIFY)\w*|DEPTH_ZERO_SELF_SIGNED_CERT)$/

/** Creates a caller with its own connections. @param options.apiUrl without a trailing slash */
export function createMaxApi(options: { apiUrl: string; timeoutMs: number }): { ask: Ask; upload: Upload } {
  const send = createHttpClient()

  async function request(call: Omit<HttpCall, 'signal'>, limitMs: number, signal?: AbortSignal): Promise<HttpAnswer> {
    const deadline = AbortSignal.timeout(limitMs)
    try {
      return await send({ ...call, signal: signal ? AbortSignal.any([signal, deadline]) : deadline })
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (error instanceof NotConnectedError) throw new AdapterError('temporary', notConnected(error.code))
      throw new AdapterError('unknown_outcome', 'no answer from MAX')
    }
  }

  return {
    async ask(token, { verb: method = 'GET', path, body, limitMs = options.timeoutMs, signal }, schema) {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const call = { method, url: options.apiUrl + path, headers: { authorization: token }, ...sent }
      const { status, text } = await request(call, limitMs, signal)
      const answer = parsed(text)
      if (status !== 200) throw refused(status, answer)
      const checked = schema.safeParse(answer)
      if (!checked.success) throw new AdapterError('unknown_outcome', 'MAX answered something else')
      return checked.data
    },

    // No customer sees an upload: whatever its outcome, no message has been sent.
    async upload(url, form) {
      const given = new Response(form)
      const contentType = given.headers.get('content-type') ?? 'multipart/form-data'
      const body = { contentType, bytes: new Uint8Array(await given.arrayBuffer()) }
      const { status, text } = await request({ method: 'POST', url, body }, UPLOAD_TIMEOUT_MS).catch(unlessUnsent)
      if (status === 200) return text
      throw new AdapterError(
        status >= 500 || status === 429 ? 'temporary' : 'permanent',
        `the file was refused: ${status}`,
      )
    },
  }
}

/** When a step before the message has an unknown outcome, the message was definitely not sent. @throws always */
export function unlessUnsent(error: unknown): never {
  if (error instanceof AdapterError && error.kind === 'unknown_outcome') {
    throw new AdapterError('temporary', error.message)
  }
  throw error
}

/** After a server error it is unknown whether the call took effect. */
function refused(status: number, answer: unknown): AdapterError {
  const { code = '', message = '' } = refusal.safeParse(answer).data ?? {}
  const text = [status, code, message].filter(Boolean).join(' ').slice(0, DETAIL_LENGTH)
  const kind = kindOf(status, code)
  return new AdapterError(kind, text, kind === 'rate_limited' ? WAIT_MS : null)
}

function kindOf(status: number, code: string): AdapterErrorKind {
  if (status >= 500) return 'unknown_outcome'
  if (status === 401 || code === 'verify.token') return 'unauthorized'
  if (status === 429) return 'rate_limited'
  // The customer has stopped the bot, or the chat is gone.
  if (status === 403 || (status === 404 && /^(?:chat|dialog)\./.test(code))) return 'blocked'
  if (status === 405) return 'conflict'
  return 'permanent'
}

/** The error of a connection that was not established. @param code Node's error code */
export function notConnected(code: string): string {
  return FOREIGN_CERTIFICATE.test(code)
    ? `the certificate of MAX is not trusted here (${code}), see docs/max.md`
    : `not connected: ${code}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
