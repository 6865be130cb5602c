// What Google's errors mean: the only error that leaves the client of its calendar.

/**
 * reauthorization   the consent is gone: withdrawn, expired, or the account's password was changed
 * scope             the consent does not cover what is asked for
 * rate_limited      too much at once
 * gone              the calendar was deleted, or is no longer shared with the account
 * exists            an event with this id was made before
 * not_enabled       the Calendar API is switched off in the project of the installation
 * client            Google does not know the client of the installation, or its secret
 * refused           refused for another reason
 * unreachable       no answer, or one that says to come back later
 */
export type CalendarFailureKind =
  | 'reauthorization'
  | 'scope'
  | 'rate_limited'
  | 'gone'
  | 'exists'
  | 'not_enabled'
  | 'client'
  | 'refused'
  | 'unreachable'

/** The message is Google's own and holds no secret. */
export class CalendarFailure extends Error {
  readonly kind: CalendarFailureKind
  constructor(kind: CalendarFailureKind, message: string) {
    super(message)
    this.name = 'CalendarFailure'
    this.kind = kind
  }
}

/** Reasons of Google's JSON errors. */
const REASONS: Readonly<Record<string, CalendarFailureKind>> = {
  authError: 'reauthorization',
  insufficientPermissions: 'scope',
  rateLimitExceeded: 'rate_limited',
  userRateLimitExceeded: 'rate_limited',
  quotaExceeded: 'rate_limited',
  calendarUsageLimitsExceeded: 'rate_limited',
  accessNotConfigured: 'not_enabled',
  notFound: 'gone',
  deleted: 'gone',
}
/** Codes of OAuth's own errors. */
const OAUTH: Readonly<Record<string, CalendarFailureKind>> = {
  invalid_grant: 'reauthorization',
  invalid_client: 'client',
  unauthorized_client: 'client',
  deleted_client: 'client',
}
const STATUSES: Readonly<Record<number, CalendarFailureKind>> = {
  401: 'reauthorization',
  404: 'gone',
  409: 'exists',
  410: 'gone',
  429: 'rate_limited',
}

type GoogleError = { code?: number; message?: string; errors?: { reason?: string }[] }
type Answered = { status?: number; response?: { data?: { error?: string | GoogleError; error_description?: string } } }

/** An error of the libraries as what it means. */
export function failureOf(error: unknown): CalendarFailure {
  if (error instanceof CalendarFailure) return error
  const { status, response } = error as Answered
  const reported = response?.data?.error
  if (typeof reported === 'string') {
    return new CalendarFailure(OAUTH[reported] ?? byStatus(status), response?.data?.error_description ?? reported)
  }
  const reason = reported?.errors?.[0]?.reason
  const kind = (reason !== undefined && REASONS[reason]) || byStatus(status)
  return new CalendarFailure(kind, reported?.message ?? (error instanceof Error ? error.message : 'no answer'))
}

function byStatus(status: number | undefined): CalendarFailureKind {
  if (status === undefined || status >= 500) return 'unreachable'
  return STATUSES[status] ?? 'refused'
}
