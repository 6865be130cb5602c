// The session of a page on another origin than its server: cookies travel in headers of their own and are kept in this browser's storage, with
// the session as it was last seen. On the same origin HttpOnly cookies serve, and nothing is kept.
import { atServer, isServerElsewhere } from '#web/lib/server/server-address.ts'

const COOKIES_KEY = 'better-auth_cookie'
const SESSION_KEY = 'better-auth_session_data'

type Cookies = Record<string, { value: string; expires: string | null }>
type KeptSession = { session: { expiresAt: string } }

/** A request to the sign-in service, by its path on the server. */
export async function authFetch(path: string, init: RequestInit = {}): Promise<Response> {
  if (!isServerElsewhere) return fetch(path, { ...init, credentials: 'same-origin' })
  const headers = new Headers(init.headers)
  headers.set('better-auth-cookie', cookieHeader(readCookies(), Date.now()))
  const answer = await fetch(atServer(path), { ...init, headers, credentials: 'omit' })
  const header = answer.headers.get('set-better-auth-cookie')
  if (header) write(COOKIES_KEY, withCookies(readCookies(), header, Date.now()))
  return answer
}

/** The session as it was last seen; null: none is kept, or it is over. Whether it still stands the token of the connection will say. */
export function cachedSession<Session extends KeptSession>(): Session | null {
  const kept = isServerElsewhere ? read<Session>(SESSION_KEY) : null
  return kept && Date.parse(kept.session.expiresAt) > Date.now() ? kept : null
}

/** Keeps the session, or forgets it. */
export function cacheSession(session: KeptSession | null): void {
  if (!isServerElsewhere) return
  if (session) write(SESSION_KEY, session)
  else remove(SESSION_KEY)
}

/** Forgets cookies and session, at sign-out. */
export function forgetCrossDomain(): void {
  remove(COOKIES_KEY)
  remove(SESSION_KEY)
}

/** As a browser would send them: those that are over stay behind. */
export function cookieHeader(cookies: Cookies, now: number): string {
  return Object.entries(cookies)
    .filter(([, { expires }]) => expires === null || Date.parse(expires) > now)
    .map(([name, { value }]) => `${name}=${value}`)
    .join('; ')
}

/** What an answer sets: several cookies are separated by commas, of which dates have some too. One that is over is left out. */
export function withCookies(cookies: Cookies, header: string, now: number): Cookies {
  const next = { ...cookies }
  for (const line of header.split(/,(?=\s*[^;,=\s]+=)/)) {
    const [pair = '', ...attributes] = line.trim().split(/;\s*/)
    const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
    const attribute = (wanted: string) =>
      attributes.find((text) => text.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1)
    const maxAge = attribute('max-age')
    const expires =
      maxAge === undefined ? (attribute('expires') ?? null) : new Date(now + Number(maxAge) * 1000).toISOString()
    if (value === '' || (expires !== null && Date.parse(expires) <= now)) delete next[name]
    else next[name] = { value, expires }
  }
  return next
}

function readCookies(): Cookies {
  return read<Cookies>(COOKIES_KEY) ?? {}
}

function read<Value>(key: string): Value | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as Value | null
  } catch {
    return null
  }
}

/** Where nothing may be kept, the session lasts as long as the page. */
function write(key: string, value: object): void {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Storage is forbidden or full.
  }
}

function remove(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Storage is forbidden: there is nothing.
  }
}
