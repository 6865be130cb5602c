// The one way in which media say why something could not be understood or spoken.
import type { AttachmentFailure } from '#shared/messaging/attachments.ts'

/** An expected failure. Its message holds no secret and nothing of the content. */
export class MediaFailure extends Error {
  readonly reason: AttachmentFailure
  /** Milliseconds after which another try may succeed; null: it would not, or not soon. */
  readonly retryAfterMs: number | null
  constructor(reason: AttachmentFailure, detail = '', retryAfterMs: number | null = null) {
    super(detail ? `${reason}: ${detail}` : reason)
    this.name = 'MediaFailure'
    this.reason = reason
    this.retryAfterMs = retryAfterMs
  }
}

/** What a status other than 2xx means. @param body the beginning of the answer */
export function statusFailure(status: number, body: string, retryAfter: string | null): MediaFailure {
  const detail = `status ${status}`
  if (status === 401 || status === 403) return new MediaFailure('invalid_key', detail)
  if (status === 402 || /insufficient_quota|quota_exceeded|credit balance/i.test(body)) {
    return new MediaFailure('quota', detail)
  }
  if (status === 413) return new MediaFailure('too_large', detail)
  if (status === 429) return new MediaFailure('rate_limited', detail, waitMs(retryAfter) ?? SOON_MS)
  if (status === 408 || status >= 500) return new MediaFailure('unavailable', detail, waitMs(retryAfter) ?? SOON_MS)
  return new MediaFailure('refused', detail)
}

/** Where the provider does not say how long to wait. */
export const SOON_MS = 300

function waitMs(retryAfter: string | null): number | null {
  if (retryAfter === null) return null
  const seconds = Number(retryAfter)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null
}
