// Google's calendar and the consent to it, through Google's own libraries: the only place that knows them. They are loaded when they are
// first needed, since few servers do.
import { createHash, randomBytes } from 'node:crypto'
import type { calendar_v3 } from '@googleapis/calendar'
import type { OAuth2Client } from 'google-auth-library'
import type { GoogleCalendarConfig } from '#server/config.ts'
import type { CalendarEntry } from '#shared/integrations/calendar.ts'
import { type CalendarEvents, calendarEvents } from './events.ts'
import { CalendarFailure, failureOf } from './failures.ts'

/**
 * The least that works. `events.owned` writes events into calendars that the account owns, and into no other; `calendarlist.readonly` lists
 * calendars to choose from; `events.freebusy` says when a calendar is busy, also in calendars shared with the account, and not with what.
 */
const CALENDAR_SCOPES = [
  'https://www.googleapis.com/auth/calendar.events.owned',
  'https://www.googleapis.com/auth/calendar.calendarlist.readonly',
  'https://www.googleapis.com/auth/calendar.events.freebusy',
] as const

/** A call waits no longer for Google. */
const TIMEOUT_MS = 15_000
/** Calendars of one page; Google gives no more at once. */
const PAGE = 250
const PAGES_MAX = 4

/** What a person has consented to. */
type CalendarGrant = { refreshToken: string; accessToken: AccessToken }
export type AccessToken = { token: string; expiresAt: number }

export interface GoogleCalendar {
  /** Where a person is sent for their consent. `verifier` is kept here: the code is worth nothing without it (PKCE, S256). */
  authorize(asked: { state: string; callbackUrl: string }): Promise<{ url: string; verifier: string }>
  /** The grant for a code. @throws CalendarFailure; `scope` when the person has left something out */
  redeem(given: { code: string; verifier: string; callbackUrl: string }): Promise<CalendarGrant>
  /** @throws CalendarFailure; `reauthorization` when the consent is gone */
  refresh(refreshToken: string): Promise<AccessToken>
  /** Withdraws the consent. A token that is gone already is none to withdraw. @throws CalendarFailure */
  revoke(refreshToken: string): Promise<void>
  /** The calendars of the account, its own first. @throws CalendarFailure */
  listCalendars(accessToken: string): Promise<CalendarEntry[]>
  /** Events and busy times of the account's calendars. */
  events(accessToken: string): Promise<CalendarEvents>
}

/** Makes the client; nothing is loaded or called until it is used. */
export function createGoogleCalendar(config: GoogleCalendarConfig): GoogleCalendar {
  const clientFor = (callbackUrl?: string) => makeClient(config, callbackUrl)
  return {
    async authorize({ state, callbackUrl }) {
      const verifier = randomBytes(48).toString('base64url')
      const client = await clientFor(callbackUrl)
      const challenge = createHash('sha256').update(verifier).digest('base64url')
      const { CodeChallengeMethod } = await import('google-auth-library')
      const url = client.generateAuthUrl({
        // A refresh token is given only with a consent; and only this consent counts, no earlier one of the same client.
        ...{ access_type: 'offline', prompt: 'consent', include_granted_scopes: false },
        ...{ scope: [...CALENDAR_SCOPES], state },
        ...{ code_challenge: challenge, code_challenge_method: CodeChallengeMethod.S256 },
      })
      return { url, verifier }
    },
    async redeem({ code, verifier, callbackUrl }) {
      const client = await clientFor(callbackUrl)
      const { tokens } = await client.getToken({ code, codeVerifier: verifier }).catch(translate)
      const { refresh_token: refreshToken, scope = '' } = tokens
      const granted = new Set(scope.split(' '))
      const missing = CALENDAR_SCOPES.filter((each) => !granted.has(each))
      if (!refreshToken) throw new CalendarFailure('refused', 'Google gave no refresh token.')
      if (missing.length > 0) {
        await withdraw(client, refreshToken).catch(() => undefined)
        throw new CalendarFailure('scope', `not granted: ${missing.join(' ')}`)
      }
      return { refreshToken, accessToken: accessOf(tokens) }
    },
    async refresh(refreshToken) {
      const client = await clientFor()
      client.setCredentials({ refresh_token: refreshToken })
      const { credentials } = await client.refreshAccessToken().catch(translate)
      return accessOf(credentials)
    },
    async revoke(refreshToken) {
      await withdraw(await clientFor(), refreshToken)
    },
    async listCalendars(accessToken) {
      return readList(await apiFor(config, accessToken))
    },
    async events(accessToken) {
      return calendarEvents(await apiFor(config, accessToken))
    },
  }
}

async function apiFor({ calendarUrl }: GoogleCalendarConfig, accessToken: string): Promise<calendar_v3.Calendar> {
  const { calendar } = await import('@googleapis/calendar')
  const headers = { authorization: `Bearer ${accessToken}` }
  return calendar({ version: 'v3', headers, rootUrl: `${calendarUrl}/`, timeout: TIMEOUT_MS })
}

/** A client of its own for each call: it keeps the credentials of one account. */
async function makeClient(
  { clientId, clientSecret, consentUrl, oauthUrl }: GoogleCalendarConfig,
  callbackUrl?: string,
): Promise<OAuth2Client> {
  const { OAuth2Client } = await import('google-auth-library')
  return new OAuth2Client({
    ...{ clientId, clientSecret, ...(callbackUrl !== undefined && { redirectUri: callbackUrl }) },
    endpoints: {
      oauth2AuthBaseUrl: `${consentUrl}/o/oauth2/v2/auth`,
      oauth2TokenUrl: `${oauthUrl}/token`,
      oauth2RevokeUrl: `${oauthUrl}/revoke`,
    },
    transporterOptions: { timeout: TIMEOUT_MS, retry: false },
  })
}

async function withdraw(client: OAuth2Client, refreshToken: string): Promise<void> {
  await client.revokeToken(refreshToken).catch((error: unknown) => {
    const isGone = (error as { response?: { data?: { error?: string } } }).response?.data?.error === 'invalid_token'
    if (!isGone) translate(error)
  })
}

async function readList(api: calendar_v3.Calendar): Promise<CalendarEntry[]> {
  const entries: calendar_v3.Schema$CalendarListEntry[] = []
  let pageToken: string | undefined
  for (let page = 0; page < PAGES_MAX; page++) {
    const { data } = await api.calendarList
      .list({ maxResults: PAGE, ...(pageToken && { pageToken }) }, { retry: false })
      .catch(translate)
    entries.push(...(data.items ?? []))
    pageToken = data.nextPageToken ?? undefined
    if (!pageToken) break
  }
  const shown = entries.flatMap(toEntry)
  return shown.sort((a, b) => Number(b.isPrimary) - Number(a.isPrimary) || a.name.localeCompare(b.name))
}

function toEntry(entry: calendar_v3.Schema$CalendarListEntry): CalendarEntry[] {
  const { id, summary, summaryOverride, primary, accessRole, timeZone } = entry
  if (!id || entry.deleted) return []
  const name = summaryOverride || summary || id
  return [{ id, name, isPrimary: primary === true, isOwned: accessRole === 'owner', timeZone: timeZone ?? '' }]
}

function accessOf(tokens: { access_token?: string | null; expiry_date?: number | null }): AccessToken {
  const { access_token: token, expiry_date: expiresAt } = tokens
  if (!token) throw new CalendarFailure('refused', 'Google gave no access token.')
  return { token, expiresAt: expiresAt ?? Date.now() }
}

/** @throws always, a CalendarFailure */
function translate(error: unknown): never {
  throw failureOf(error)
}
