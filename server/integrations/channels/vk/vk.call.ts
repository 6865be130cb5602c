// One call of VK's API with a deadline, and what its failures mean. VK answers 200 to nearly everything: the error is in the body.
// The key travels in a header and is in no text made here. @source dev.vk.com/ru/api/api-requests, dev.vk.com/ru/reference/errors
import { z } from 'zod'
import { AdapterError, type AdapterErrorKind } from '#server/integrations/channels/contract/adapter-error.ts'
import { createHttpClient, type HttpCall, NotConnectedError } from '#server/integrations/http/http-client.ts'

export const VK_API_VERSION = '5.199'

export type VkParams = Record<string, string | number>
export type AskOptions = { signal?: AbortSignal; limitMs?: number }
/** Calls a method with the key of a community and checks its answer. @throws AdapterError; when `signal` aborts, its reason */
export type Ask = <T>(
  key: string,
  method: string,
  params: VkParams,
  schema: z.ZodType<T>,
  options?: AskOptions,
) => Promise<T>
/** Any request without a key: uploads, and polls. Throws as `Ask`. @returns the body, parsed */
export type Request = (call: Omit<HttpCall, 'signal' | 'headers'>, options?: AskOptions) => Promise<unknown>

/** A refusal with VK's error code. */
export class VkRefusal extends AdapterError {
  readonly code: number
  constructor(code: number, message: string) {
    const kind = kindOf(code, message)
    super(kind, `${code} ${message}`.slice(0, DETAIL_LENGTH), kind === 'rate_limited' ? (WAITS_MS[code] ?? null) : null)
    this.code = code
  }
}

const DETAIL_LENGTH = 200
const refusal = z.object({ error: z.object({ error_code: z.number(), error_msg: z.string().catch('') }) })
const answered = z.object({ response: z.unknown() })

/**
 * What refusals mean by their code; any other is refused for good. After those of unknown outcome the call may have taken effect.
 */
const KINDS: Record<number, AdapterErrorKind> = {
  1: 'unknown_outcome',
  10: 'unknown_outcome',
  13: 'unknown_outcome',
  36: 'unknown_outcome', // it took too long
  43: 'unknown_outcome',
  2: 'unauthorized', // the application is disabled
  4: 'unauthorized',
  5: 'unauthorized',
  7: 'unauthorized', // a right is missing
  17: 'unauthorized',
  27: 'unauthorized',
  28: 'unauthorized',
  38: 'unauthorized',
  42: 'unauthorized', // the key may not be used from this address
  1117: 'unauthorized', // the key has expired
  6: 'rate_limited',
  9: 'rate_limited', // too much of the same
  29: 'rate_limited',
  944: 'rate_limited',
  14: 'suspended', // a person has to pass a captcha
  37: 'suspended',
  18: 'blocked', // the customer's page is deleted or banned
  900: 'blocked', // the community has blacklisted them
  901: 'blocked', // they have not allowed messages, or do not want them any more
  902: 'blocked', // their privacy settings forbid it
  917: 'blocked',
  922: 'blocked',
  927: 'blocked',
  932: 'blocked',
  936: 'blocked',
  945: 'blocked',
  983: 'blocked',
  985: 'blocked',
  1012: 'blocked',
  3610: 'blocked',
  950: 'out_of_window',
}
/** The wait after a rate limit, where VK does not name one: all of its limits but the first span more than a second. */
const WAITS_MS: Record<number, number> = { 6: 1000, 9: 30_000, 29: 600_000, 944: 600_000 }
/** "Access denied" is returned both for a key without a right and for a customer who cannot be reached. */
const OF_THE_KEY = /scope|call this method|group messages|method is unavailable/i

/** Creates a caller with its own connections. `apiUrl`: without a trailing slash. */
export function createCaller(options: { apiUrl: string; timeoutMs: number }): { ask: Ask; request: Request } {
  const send = createHttpClient()

  async function post(call: Omit<HttpCall, 'signal'>, { signal, limitMs = options.timeoutMs }: AskOptions = {}) {
    const deadline = AbortSignal.timeout(limitMs)
    try {
      return await send({ ...call, signal: signal ? AbortSignal.any([signal, deadline]) : deadline })
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (error instanceof NotConnectedError) throw new AdapterError('temporary', `not connected: ${error.code}`)
      throw new AdapterError('unknown_outcome', 'no answer from VK')
    }
  }

  async function read(call: Omit<HttpCall, 'signal'>, given?: AskOptions): Promise<unknown> {
    const { status, text } = await post(call, given)
    if (status === 200) return parsed(text)
    if (status === 429) throw new AdapterError('rate_limited', '429', 1000)
    throw new AdapterError(status >= 400 && status < 500 ? 'permanent' : 'unknown_outcome', `VK answered ${status}`)
  }

  return {
    request: read,
    async ask(key, method, params, schema, given) {
      const url = `${options.apiUrl}/method/${method}`
      const headers = { authorization: `Bearer ${key}` }
      const answer = await read({ method: 'POST', url, headers, body: formOf({ ...params, v: VK_API_VERSION }) }, given)
      const refused = refusal.safeParse(answer)
      if (refused.success) throw new VkRefusal(refused.data.error.error_code, refused.data.error.error_msg)
      const checked = schema.safeParse(answered.safeParse(answer).data?.response)
      if (!checked.success) throw new AdapterError('unknown_outcome', 'VK answered something else')
      return checked.data
    },
  }
}

/** For calls before the message itself: whatever their outcome, no message was sent. @throws always */
export function unlessUnsent(error: unknown): never {
  if (!(error instanceof AdapterError) || error.kind !== 'unknown_outcome') throw error
  throw new AdapterError('temporary', error.message)
}

function kindOf(code: number, message: string): AdapterErrorKind {
  if (code === 15) return OF_THE_KEY.test(message) ? 'unauthorized' : 'permanent'
  return KINDS[code] ?? 'permanent'
}

function formOf(params: VkParams): { bytes: Uint8Array; contentType: string } {
  const form = new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)]))
  return { bytes: Buffer.from(form.toString()), contentType: 'application/x-www-form-urlencoded' }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
