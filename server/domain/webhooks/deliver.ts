// One attempt of a delivery: signed again, posted to a public address, and never followed elsewhere.
import type { Services } from '#server/functions/services.ts'
import { NotConnectedError } from '#server/integrations/http/http-client.ts'
import { OutboundError } from '#server/integrations/http/outbound.ts'
import { WEBHOOK_TIMEOUT_SECONDS } from '#shared/webhooks/webhook-limits.ts'
import type { AttemptError, WebhookType } from '#shared/webhooks/webhooks.ts'
import type { Leased, Outgoing } from './queues.store.ts'
import { signedHeaders } from './secrets.rules.ts'
import { type Attempt, isTaken } from './webhooks.rules.ts'

/** Bytes of an answer that are read, and characters of it that are kept. */
const ANSWER_MAX_BYTES = 64 * 1024
const ANSWER_KEPT = 1000

/** Posts an event. Never throws: every failure is an outcome. */
export async function attemptDelivery(
  { outbound, secrets }: Pick<Services, 'outbound' | 'secrets'>,
  leased: Leased,
  delivery: Outgoing,
): Promise<Attempt> {
  const begunAt = performance.now()
  const end = (rest: Omit<Attempt, 'latencyMs'>): Attempt => {
    return { ...rest, latencyMs: Math.round(performance.now() - begunAt) }
  }
  const failed = (error: AttemptError) => end({ status: null, error, answer: '', retryAfter: null })
  const body = bodyOf(delivery)
  let headers: Record<string, string>
  try {
    headers = signedHeaders(secrets, leased.endpointId, leased, { id: delivery.eventId, at: new Date(), body })
  } catch {
    return failed('secret')
  }
  const signal = AbortSignal.timeout(WEBHOOK_TIMEOUT_SECONDS * 1000)
  try {
    const answered = await outbound.post(leased.url, { headers, body, signal, answerBytes: ANSWER_MAX_BYTES })
    const { status, retryAfter } = answered
    return end({ status, error: isTaken(status) ? null : 'status', answer: textOf(answered.answer), retryAfter })
  } catch (error) {
    return failed(errorOf(error, signal))
  }
}

/** What is posted: the same bytes in every attempt. */
export function bodyOf(event: { type: WebhookType; data: Record<string, unknown>; happenedAt: number }): string {
  return JSON.stringify({ type: event.type, timestamp: new Date(event.happenedAt).toISOString(), data: event.data })
}

/** The beginning of an answer, as a database can keep it. */
function textOf(answer: Uint8Array): string {
  return Buffer.from(answer).toString('utf8').replaceAll('\0', '').slice(0, ANSWER_KEPT)
}

function errorOf(error: unknown, signal: AbortSignal): AttemptError {
  if (error instanceof OutboundError) return 'address_refused'
  if (signal.aborted) return 'timeout'
  return error instanceof NotConnectedError ? 'not_connected' : 'cut_off'
}
