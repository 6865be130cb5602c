// A strict stand-in for Google's consent and its calendars on loopback: OAuth 2 with PKCE, tokens that expire and can be withdrawn, and the
// paths of Calendar v3 that a booking needs.
import { listenOnLoopback } from '#tests/loopback.ts'
import { answerCalendar, type FakeCalendar, type FakeEvent, refusalOf } from './calendar-methods.ts'
import { answerConsent } from './consent-methods.ts'
import type { Reading, Snapshot } from './event-list.ts'

/** A consent that was given. */
export type Grant = { refreshToken: string; scopes: string[]; isWithdrawn: boolean }
export type Code = { challenge: string; redirectUri: string; scopes: string[] }

/** Everything that the fake knows, for its methods. */
export type GoogleState = {
  clientId: string
  clientSecret: string
  /** The account that consents. */
  account: string
  calendars: FakeCalendar[]
  events: Map<string, FakeEvent>
  codes: Map<string, Code>
  grants: Grant[]
  /** Access token → its grant. */
  tokens: Map<string, Grant>
  /** How many times tokens were refreshed. */
  refreshes: number
  /** Scopes that the person leaves out. */
  leftOut: string[]
  /** What calls of the calendar are refused with, as `reason` of Google's errors; null: with nothing. */
  refusal: string | null
  /** Sync token → how the events were. Clearing it makes all of them expire. */
  syncs: Map<string, Snapshot>
  /** Lists whose pages are being read. */
  readings: Map<string, Reading>
  /** Events of one page. */
  pageSize: number
  /** Calls of the calendar with this refresh token's access wait for the promise. */
  slow: Map<string, Promise<void>>
  /** What holds the next list of events back. */
  pause: { reach(): void; released: Promise<void> } | null
  /** The page has people decide; otherwise they consent at once. */
  asks: boolean
}

export interface FakeGoogleCalendar {
  url: string
  /** As variables of the environment. */
  env: Record<string, string>
  /** As the configuration has it. */
  config: { clientId: string; clientSecret: string; consentUrl: string; oauthUrl: string; calendarUrl: string }
  state: GoogleState
  /** Withdraws every consent, as a person does in their account at Google: from now on it is `invalid_grant`. */
  withdraw(): void
  /** The next list of events is read, and given only when it is released. */
  pauseNextList(): { reached: Promise<void>; release(): void }
  /** The owner moves an event by so many milliseconds. */
  reschedule(id: string, byMs: number): void
  /** Forgets access tokens, as after their hour. */
  expireAccess(): void
  close(): Promise<void>
}

/** Starts the fake, on any free port unless one is given. */
export async function startFakeGoogleCalendar(port = 0): Promise<FakeGoogleCalendar> {
  const state: GoogleState = {
    ...{ clientId: 'parley.apps.googleusercontent.com', clientSecret: 'a client secret', account: 'salon@example.com' },
    calendars: [
      { id: 'salon@example.com', summary: 'salon@example.com', primary: true, accessRole: 'owner' },
      { id: 'bookings@group.calendar.google.com', summary: 'Bookings', accessRole: 'owner' },
      { id: 'master@example.com', summary: 'Master Aigul', accessRole: 'reader' },
    ],
    ...{ events: new Map(), codes: new Map(), grants: [], tokens: new Map() },
    ...{ refreshes: 0, leftOut: [], refusal: null, asks: false },
    ...{ syncs: new Map(), readings: new Map(), pageSize: 250, slow: new Map(), pause: null },
  }
  const server = await listenOnLoopback(async (request) => {
    const url = new URL(request.url)
    const consent = await answerConsent(state, request, url)
    if (consent) return consent
    if (!url.pathname.startsWith('/calendar/v3/')) return new Response('Not found', { status: 404 })
    await state.slow.get(grantOf(state, request)?.refreshToken ?? '')
    const refused = refusalOf(state, request)
    return refused ?? answerCalendar(state, request, url)
  }, port)
  const addresses = { consentUrl: server.url, oauthUrl: server.url, calendarUrl: server.url }
  return {
    url: server.url,
    env: {
      GOOGLE_CALENDAR_CLIENT_ID: state.clientId,
      GOOGLE_CALENDAR_CLIENT_SECRET: state.clientSecret,
      ...{ GOOGLE_CONSENT_URL: server.url, GOOGLE_OAUTH_URL: server.url, GOOGLE_CALENDAR_URL: server.url },
    },
    config: { clientId: state.clientId, clientSecret: state.clientSecret, ...addresses },
    state,
    withdraw() {
      for (const grant of state.grants) grant.isWithdrawn = true
      state.tokens.clear()
    },
    pauseNextList() {
      const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      state.pause = { reach: reached.resolve, released: released.promise }
      return { reached: reached.promise, release: released.resolve }
    },
    reschedule(id, byMs) {
      const event = state.events.get(id)
      if (!event) throw new Error(`there is no event ${id}`)
      const later = ({ dateTime }: { dateTime: string }) => new Date(Date.parse(dateTime) + byMs).toISOString()
      const { start, end } = event.body
      event.body = { ...event.body, start: { dateTime: later(start) }, end: { dateTime: later(end) } }
    },
    expireAccess: () => state.tokens.clear(),
    close: server.close,
  }
}

function grantOf(state: GoogleState, request: Request): Grant | undefined {
  return state.tokens.get(/^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '')
}
