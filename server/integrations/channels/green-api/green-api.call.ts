// One call of GREEN-API with a deadline, and what its failures mean. No text made here holds the token: it stands in the URL.
import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import { createHttpClient, type HttpCall, NotConnectedError } from '#server/integrations/http/http-client.ts'
import { type GreenApiAccess, mediaUrlOf, readAccess } from './green-api.access.ts'

export type GreenApiCall = {
  verb?: 'GET' | 'POST' | 'DELETE'
  method: string
  /** What follows the token in the path, with its separator. */
  rest?: string
  /** A form is sent to the host of the instance's files. */
  body?: object | FormData
  limitMs?: number
  signal?: AbortSignal
  /** The method may be called only once a second: a call that came too early is repeated a moment later. */
  isSlow?: boolean
}
/** Runs a call for the instance behind a token; undefined for an empty answer. @throws AdapterError; when `signal` aborts, its reason */
export type Caller = (token: string, call: GreenApiCall) => Promise<unknown>

/** Runs a call and checks its answer. */
export type Ask = <T>(token: string, call: GreenApiCall, schema: z.ZodType<T>) => Promise<T>

const SLOW_TRIES = 3
const DETAIL_LENGTH = 200

/** Creates a caller with its own connections. */
export function createCaller(options: { timeoutMs: number; slowPauseMs: number }): Caller {
  const send = createHttpClient()

  async function once(access: GreenApiAccess, call: GreenApiCall): Promise<unknown> {
    const { verb = 'GET', method, rest = '', body, limitMs = options.timeoutMs, signal } = call
    const deadline = AbortSignal.timeout(limitMs)
    try {
      const host = body instanceof FormData ? mediaUrlOf(access) : access.apiUrl
      const answer = await send({
        method: verb,
        url: `${host}/waInstance${access.idInstance}/${method}/${access.apiToken}${rest}`,
        ...(body === undefined ? {} : { body: await bodyOf(body) }),
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      })
      if (answer.status === 200) return answer.text === '' ? undefined : (JSON.parse(answer.text) as unknown)
      throw refusal(answer.status, answer.text)
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (error instanceof AdapterError) throw error
      if (error instanceof NotConnectedError) throw new AdapterError('temporary', `not connected: ${error.code}`)
      throw new AdapterError('unknown_outcome', 'no answer from GREEN-API')
    }
  }

  return async (token, call) => {
    const access = readAccess(token)
    for (let tries = 1; ; tries++) {
      try {
        return await once(access, call)
      } catch (error) {
        const isEarly = error instanceof AdapterError && error.kind === 'rate_limited'
        if (!call.isSlow || !isEarly || tries === SLOW_TRIES) throw error
        await sleep(options.slowPauseMs)
      }
    }
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

/** The month's quota is used up. */
const QUOTA_USED_UP = 466
/** The HTTP status for what GREEN-API reports with several. */
const PAYMENT_REQUIRED = 402

/** Whether an instance is refused until it is paid for. */
export function isUnpaid({ kind, status }: AdapterError): boolean {
  return kind === 'suspended' && status === PAYMENT_REQUIRED
}

/**
 * What a refused call means.
 * @source green-api.com/en/docs/api/common-errors, /466-error-example-body
 */
function refusal(status: number, body: string): AdapterError {
  const detail = detailOf(body)
  const text = `${status} ${detail}`.trim()
  const isDeleted = status === 400 && /instance is deleted/i.test(detail)
  if (status === 401 || status === 403 || isDeleted) return new AdapterError('unauthorized', text)
  // What cannot be sent now can be sent once more is paid for.
  const isExpired = status === 400 && /instance account is expired/i.test(detail)
  if (status === QUOTA_USED_UP || isExpired) return new AdapterError('suspended', text, null, PAYMENT_REQUIRED)
  if (status === 429) return new AdapterError('rate_limited', text, 1000)
  if (status === 400 && /not authorized|starting process/i.test(detail)) return new AdapterError('suspended', text)
  if (status === 400 && /custom webhook url/i.test(detail)) return new AdapterError('conflict', text)
  if (status >= 500 || status === 499 || status < 300) return new AdapterError('unknown_outcome', text)
  return new AdapterError('permanent', text)
}

/** The provider's own words, cut short. */
function detailOf(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body)
    return (texts(parsed).find((text) => text.includes(' ')) ?? texts(parsed)[0] ?? '').slice(0, DETAIL_LENGTH)
  } catch {
    return ''
  }
}

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : []
}
