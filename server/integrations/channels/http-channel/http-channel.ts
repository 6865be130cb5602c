// The HTTP channel: signed events to a program of the organization's own, which shows them wherever it likes. What that program posts
// is read in http-channel.parse.ts; signatures are in standard-webhooks.ts.

import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { ChannelAdapter } from '#server/integrations/channels/contract/channel.ts'
import type { Credentials } from '#server/integrations/channels/contract/credentials.ts'
import { fetchNamedFile } from '#server/integrations/channels/contract/named-file.ts'
import { NotConnectedError } from '#server/integrations/http/http-client.ts'
import { type Outbound, OutboundError, PortError } from '#server/integrations/http/outbound.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { CHANNELS } from '#shared/channels/manifests.ts'
import { HTTP_TEXT_MAX } from '#shared/limits.ts'
import { readHttpAccess } from './http-channel.access.ts'
import { parseDelivery } from './http-channel.parse.ts'
import { signatureProblem, signedHeaders } from './standard-webhooks.ts'

const CALL_TIMEOUT_MS = 15_000
/** The wait for an overloaded receiver that does not say how long to wait. */
const RETRY_AFTER_MS = 5000
/** The longest wait, for a receiver that asks for more. */
const RETRY_AFTER_MAX_MS = 3_600_000

/** Statuses below 500 that may be different at the next attempt. */
const MAY_PASS: ReadonlySet<number> = new Set([408, 425, 429])

/** What is posted. */
type OutgoingEvent =
  | { type: 'message'; chatId: string; text: string }
  | { type: 'typing'; chatId: string }
  | { type: 'test' }

export type HttpChannelOptions = { outbound: Outbound; callTimeoutMs?: number }

/** `test`: posts a test event. */
type HttpChannel = ChannelAdapter & { test(credentials: Credentials): Promise<{ status: number }> }

/** An HTTP channel. The address of each connection stands in its credentials. */
export function createHttpChannel({ outbound, callTimeoutMs = CALL_TIMEOUT_MS }: HttpChannelOptions): HttpChannel {
  async function post(token: string, id: string, event: OutgoingEvent): Promise<{ status: number }> {
    const { url, keys } = readHttpAccess(token)
    const body = JSON.stringify(event)
    const headers = signedHeaders(keys, id, body, Date.now())
    const answer = await outbound
      .post(url, { headers, body, signal: AbortSignal.timeout(callTimeoutMs) })
      .catch((error: unknown) => {
        throw translated(error)
      })
    if (answer.status >= 200 && answer.status < 300) return { status: answer.status }
    throw refusal(answer.status, answer.retryAfter)
  }
  const test = ({ token }: Pick<Credentials, 'token'>) => post(token, newId(), { type: 'test' })

  return {
    showing: CHANNELS.http.showing,
    traits: { dropsRepeatsForMs: Infinity, logsAttempts: true, tellsReceipts: true },
    test,
    parse: parseDelivery,
    media: { download: (_, fileId, maxBytes, signal) => fetchNamedFile(outbound, fileId, maxBytes, signal) },

    async identify(token) {
      await test({ token })
      const { id, url } = readHttpAccess(token)
      return { externalAccountId: id, identifier: new URL(url).host, state: null }
    },

    // There is nothing to unsubscribe: the program knows where to post, and simply stops.
    connect: async () => undefined,
    disconnect: async () => undefined,

    verify: ({ webhookSecret }, headers, body) => signatureProblem(webhookSecret, headers, body, Date.now()) === null,

    async send({ token }, chatId, text, partId) {
      if (text.length > HTTP_TEXT_MAX) throw new AdapterError('permanent', 'the text is too long')
      const { status } = await post(token, partId, { type: 'message', chatId, text })
      return { externalMessageId: partId, status }
    },

    async showTyping({ token }, chatId) {
      await post(token, newId(), { type: 'typing', chatId }).catch(() => undefined)
    },
  }
}

function translated(error: unknown): AdapterError {
  if (error instanceof PortError) return new AdapterError('permanent', 'only the ports 80 and 443 are reached')
  if (error instanceof OutboundError) return new AdapterError('permanent', 'the address is not public')
  if (error instanceof NotConnectedError) return new AdapterError('temporary', `not connected: ${error.code}`)
  return new AdapterError('unknown_outcome', 'no answer')
}

/** What an answer outside 200–299 means. A redirect is a refusal: the signature is for this address only. */
function refusal(status: number, retryAfter: string | null): AdapterError {
  const text = `answered ${status}`
  if (status === 401 || status === 403) return new AdapterError('unauthorized', text, null, status)
  if (status === 429) return new AdapterError('rate_limited', text, waitMs(retryAfter), status)
  if (MAY_PASS.has(status) || status >= 500) return new AdapterError('temporary', text, null, status)
  return new AdapterError('permanent', text, null, status)
}

/** Seconds or a date. @source RFC 9110, Retry-After */
function waitMs(retryAfter: string | null): number {
  if (retryAfter === null) return RETRY_AFTER_MS
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now()
  return Number.isNaN(ms) ? RETRY_AFTER_MS : Math.min(Math.max(ms, 1000), RETRY_AFTER_MAX_MS)
}
