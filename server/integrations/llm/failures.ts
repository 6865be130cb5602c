// Failures of model calls, as the product's error codes.
import { APICallError } from '@ai-sdk/provider'
import type { ModelFailureReason } from '#shared/agents/models.ts'
import { AppError } from '#shared/errors.ts'

export type ModelFailure = {
  reason: ModelFailureReason
  /** As the provider asked; null when it gave none. */
  retryAfterMs: number | null
  /** A retry may succeed soon. */
  isTransient: boolean
}

/** A failure that was detected in the answer rather than thrown by the client. */
export class BadAnswer extends Error {
  readonly reason: ModelFailureReason
  constructor(reason: ModelFailureReason, message: string) {
    super(message)
    this.name = 'BadAnswer'
    this.reason = reason
  }
}

/** An error event inside a stream: an object of the provider, or an error of the parser. */
export class StreamError extends Error {
  readonly event: unknown
  constructor(event: unknown) {
    super(event instanceof Error ? event.message : 'The provider reported an error in the middle of its answer.')
    this.name = 'StreamError'
    this.event = event
  }
}

/** Classifies anything that a call may throw, except aborts. Never throws. */
export function classifyFailure(error: unknown): ModelFailure {
  if (error instanceof BadAnswer) return failure(error.reason, error.reason === 'bad_answer')
  if (error instanceof StreamError) return classifyEvent(error.event)
  if (APICallError.isInstance(error)) return classifyCall(error)
  if (isParseError(error)) return failure('bad_answer', true)
  return failure('unavailable', true)
}

/** Error messages of many gateways for a prompt that exceeds the model's context. */
const TOO_LONG =
  /context[ _-]?(?:length|size|window)|exceed_context|context the overflows|(?<!took )too long|too many tokens|maximum number of tokens|token limit|tokens? (?:exceed|limit)|exceed\w* (?:the )?(?:model'?s? )?(?:maximum|max|available|limit)[^.]{0,40}(?:tokens?|context|input|length)|input (?:length|tokens?)[^.]{0,40}exceed|reduce the (?:length|number)|range of input length|n_ctx|`inputs` (?:tokens|must have)|prompt is too large|max_prompt_tokens|превышен[а-яё]* (?:максимальн[а-яё]* )?(?:длин|количеств|числ|лимит)[^.]{0,30}(?:токен|контекст|запрос)/i

/** Whether an error says that a prompt exceeds the model's context. */
export function isTooLong(text: string): boolean {
  return TOO_LONG.test(text)
}

/** Whether a call was rejected, or never arrived, before any model saw it: it costs nothing. */
export function wasTurnedAway(error: unknown): boolean {
  if (!APICallError.isInstance(error)) return false
  if (error.statusCode !== undefined) return error.statusCode >= 400
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && UNREACHED.has(String(cause.code))) return true
  }
  return false
}

/** Errors of a connection that was never established. */
const UNREACHED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

/** The error of the catalogue for a failure. */
export function modelFailed({ reason, retryAfterMs }: ModelFailure): AppError {
  return new AppError('model_failed', retryAfterMs === null ? { reason } : { reason, retryAfterMs })
}

function failure(reason: ModelFailureReason, isTransient: boolean, retryAfterMs: number | null = null): ModelFailure {
  return { reason, isTransient, retryAfterMs }
}

function classifyCall(error: APICallError): ModelFailure {
  const status = error.statusCode ?? 0
  const body = error.responseBody ?? ''
  if (status === 0) return failure('unavailable', true)
  if (status < 300) return failure('bad_answer', true)
  if (status === 401 || status === 403 || /API_KEY_INVALID|API key not valid/i.test(body))
    return failure('invalid_key', false)
  if (status === 402 || /insufficient_quota|credit balance/i.test(body)) return failure('quota', false)
  if (status === 429) return failure('rate_limited', true, retryAfterMs(error.responseHeaders))
  if (status === 413 || isTooLong(body)) return failure('too_long', false)
  if (status === 408 || status === 409 || status >= 500)
    return failure('unavailable', true, retryAfterMs(error.responseHeaders))
  return failure('refused', false)
}

function classifyEvent(event: unknown): ModelFailure {
  if (isParseError(event)) return failure('bad_answer', true)
  const text = event instanceof Error ? event.message : JSON.stringify(event)
  if (/rate_limit/i.test(text)) return failure('rate_limited', true)
  if (/insufficient_quota/i.test(text)) return failure('quota', false)
  if (isTooLong(text)) return failure('too_long', false)
  if (/content_filter|content_policy/i.test(text)) return failure('filtered', false)
  return failure('unavailable', true)
}

/** The client library names its parse errors; their classes are not exported by every provider. */
function isParseError(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^AI_(JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody|NoContentGenerated)Error$/.test(error.name)
  )
}

/** `Retry-After` in seconds or as a date; `retry-after-ms` where a provider is more exact. */
function retryAfterMs(headers: Record<string, string> | undefined): number | null {
  const exact = Number(headers?.['retry-after-ms'] ?? Number.NaN)
  if (Number.isFinite(exact)) return Math.max(0, exact)
  const header = headers?.['retry-after']
  if (header === undefined) return null
  const seconds = Number(header)
  const milliseconds = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(milliseconds) ? Math.max(0, Math.round(milliseconds)) : null
}
