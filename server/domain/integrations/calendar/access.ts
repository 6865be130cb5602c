// Access to the calendar of an agent: tokens that expire within the hour, made from the stored one when they are needed. A refusal for good is
// noted where people see it.
import { raiseCalendarLost } from '#server/domain/alerts/news.store.ts'
import type { Services } from '#server/functions/services.ts'
import { CalendarFailure, type CalendarFailureKind } from '#server/integrations/google-calendar/failures.ts'
import type { AccessToken, GoogleCalendar } from '#server/integrations/google-calendar/google-calendar.ts'
import type { Secrets } from '#server/platform/lib/secrets.ts'
import { AppError, type ErrorCode } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { type SealedConnection, setLost } from './connections.store.ts'

type AccessParts = Pick<Services, 'database' | 'secrets' | 'googleCalendar'>

/** A token is not used in its last minute. */
const MARGIN_MS = 60_000
/** Tokens that are kept in memory; after more the oldest are made again. */
const MAX_KEPT = 1000
/** A consent that a person has to give again. */
const LOST: ReadonlySet<CalendarFailureKind> = new Set(['reauthorization', 'scope'])

type Flight = { token: Promise<AccessToken>; expiresAt: number }
/** By client, then by the connection and its consent: all who ask while a token is being made wait for the same one. */
const flights = new WeakMap<GoogleCalendar, Map<string, Flight>>()

/**
 * Calls Google for a connection. A token that Google refuses early is made again, once.
 *
 * @throws CalendarFailure; one that a new consent alone mends has been noted, with an alert
 */
export async function withCalendar<T>(
  parts: AccessParts,
  connection: SealedConnection,
  call: (google: GoogleCalendar, accessToken: string) => Promise<T>,
): Promise<T> {
  const google = clientOf(parts)
  try {
    const { token } = await tokenFor(google, parts.secrets, connection)
    return await call(google, token).catch(async (error: unknown) => {
      if (!(error instanceof CalendarFailure && error.kind === 'reauthorization')) throw error
      forgetToken(google, connection)
      return call(google, (await tokenFor(google, parts.secrets, connection)).token)
    })
  } catch (error) {
    if (error instanceof CalendarFailure && LOST.has(error.kind)) await noteLost(parts, connection)
    throw error
  }
}

/** Forgets what is kept in memory of a connection. */
export function forgetToken(google: GoogleCalendar, connection: SealedConnection): void {
  flights.get(google)?.delete(keyOf(connection))
}

/** @throws AppError calendar_not_configured */
export function clientOf({ googleCalendar }: Pick<AccessParts, 'googleCalendar'>): GoogleCalendar {
  if (!googleCalendar) throw new AppError('calendar_not_configured')
  return googleCalendar
}

/** What is stored of a refresh token, bound to its row. */
export function sealToken(secrets: Secrets, id: Id<'calendarConnections'>, refreshToken: string): string {
  return secrets.encrypt(refreshToken, placeOf(id))
}

/** The refresh token of a connection. @throws when the stored text was changed or moved */
export function openToken(
  secrets: Secrets,
  { id, refreshToken }: Pick<SealedConnection, 'id' | 'refreshToken'>,
): string {
  return secrets.decrypt(refreshToken, placeOf(id))
}

const CODES: Readonly<Record<CalendarFailureKind, ErrorCode>> = {
  reauthorization: 'calendar_reauthorization_required',
  scope: 'calendar_reauthorization_required',
  rate_limited: 'calendar_rate_limited',
  gone: 'calendar_gone',
  exists: 'calendar_refused',
  not_enabled: 'calendar_not_enabled',
  client: 'calendar_refused',
  refused: 'calendar_refused',
  unreachable: 'calendar_unreachable',
}

/** @throws always: an AppError for a CalendarFailure; other errors as they are */
export function translate(error: unknown): never {
  if (!(error instanceof CalendarFailure)) throw error
  const code = CODES[error.kind]
  throw new AppError(code, code === 'calendar_refused' ? { description: error.message } : {})
}

function tokenFor(google: GoogleCalendar, secrets: Secrets, connection: SealedConnection): Promise<AccessToken> {
  const kept = flights.get(google) ?? new Map<string, Flight>()
  flights.set(google, kept)
  const key = keyOf(connection)
  const known = kept.get(key)
  if (known && known.expiresAt - MARGIN_MS > Date.now()) return known.token
  const flight: Flight = { token: google.refresh(openToken(secrets, connection)), expiresAt: Number.POSITIVE_INFINITY }
  if (kept.size >= MAX_KEPT) kept.clear()
  kept.set(key, flight)
  flight.token.then(
    ({ expiresAt }) => {
      flight.expiresAt = expiresAt
    },
    () => {
      if (kept.get(key) === flight) kept.delete(key)
    },
  )
  return flight.token
}

/** A consent that has been given meanwhile is another one. */
function keyOf({ id, refreshToken }: SealedConnection): string {
  return `${id} ${refreshToken}`
}

function noteLost({ database }: AccessParts, connection: SealedConnection): Promise<void> {
  const { organizationId, agentId } = connection
  return database.organization(organizationId, async (db) => {
    const ctx = { db, organizationId }
    if (await setLost(ctx, connection, new Date())) await raiseCalendarLost(ctx, agentId)
  })
}

function placeOf(id: Id<'calendarConnections'>): string {
  return `calendar_connections|${id}|refresh_token`
}
