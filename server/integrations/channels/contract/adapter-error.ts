// The only error that leaves an adapter: its kind decides whether a message is sent again.

/**
 * unauthorized      the credentials are refused
 * blocked           this customer cannot be written to
 * rate_limited      too much at once; `retryAfterMs` says how long to wait
 * out_of_window     the customer has been silent for too long to be written to in free words; definitely not sent
 * suspended         the account may not send for the time being; definitely not sent
 * conflict          another consumer receives what is delivered to this account
 * temporary         definitely not sent, and may be tried again
 * permanent         refused for good
 * unknown_outcome   the bytes may have left, and no answer came back
 */
export type AdapterErrorKind =
  | 'unauthorized'
  | 'blocked'
  | 'rate_limited'
  | 'out_of_window'
  | 'suspended'
  | 'conflict'
  | 'temporary'
  | 'permanent'
  | 'unknown_outcome'

/** The only error an adapter throws. Its message holds no secret. */
export class AdapterError extends Error {
  readonly kind: AdapterErrorKind
  readonly retryAfterMs: number | null
  /** The HTTP status of a refusal, where users see it. */
  readonly status: number | null
  constructor(
    kind: AdapterErrorKind,
    message: string,
    retryAfterMs: number | null = null,
    status: number | null = null,
  ) {
    super(message)
    this.name = 'AdapterError'
    this.kind = kind
    this.retryAfterMs = retryAfterMs
    this.status = status
  }
}
