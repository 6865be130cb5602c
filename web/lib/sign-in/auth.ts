// The sign-in service under /api/auth, with the session cookie of the same origin, or its substitute on another.

import { HttpError } from '#web/lib/errors.ts'
import { atServer } from '#web/lib/server/server-address.ts'
import { authFetch, cachedSession, cacheSession, forgetCrossDomain } from './cross-domain.ts'

const VERIFIER_KEY = 'parley-ott-verifier'

export type Session = {
  session: { id: string; expiresAt: string }
  user: { id: string; email: string; name: string }
}
/** One active session. */
export type SessionEntry = {
  id: string
  createdAt: string
  updatedAt: string
  expiresAt: string
  ipAddress?: string | null
  userAgent?: string | null
}

/** The session of this browser, or null. */
export async function getSession(): Promise<Session | null> {
  return cachedSession<Session>() ?? fetchSession()
}

async function fetchSession(token?: string): Promise<Session | null> {
  const session = await request<Session | null>('GET', 'get-session', undefined, token)
  cacheSession(session)
  return session
}

/** @throws HttpError with the service's message */
export async function signIn(entry: { email: string; password: string }): Promise<void> {
  demandAnswer(await request('POST', 'sign-in/email', entry))
}

/** Creates the account and signs it in. The name is sent only when given. */
export async function signUp({
  name,
  email,
  password,
}: {
  name: string
  email: string
  password: string
}): Promise<void> {
  const body = name.trim() ? { name: name.trim(), email, password } : { email, password }
  demandAnswer(await request('POST', 'sign-up/email', body))
}

/**
 * Redirects to Google's page, which returns to `returnTo`. When the installation serves its site from another origin, the
 * return carries a one-time token that only this tab can exchange: it alone holds the verifier.
 */
export async function signInWithGoogle(returnTo: string): Promise<void> {
  const ottChallenge = await makeChallenge()
  const answer = await request<{ url?: string }>('POST', 'sign-in/social', {
    provider: 'google',
    callbackURL: returnTo,
    errorCallbackURL: '/signin?error=social',
    ...(ottChallenge && { additionalData: { ottChallenge } }),
  })
  if (!answer.url) throw new HttpError(502, 'The sign-in service gave no address')
  window.location.assign(answer.url)
}

/** Ends the session of this browser. */
export async function signOut(): Promise<void> {
  await request('POST', 'sign-out', {})
  forgetCrossDomain()
}

/**
 * Exchanges the one-time token of a page URL for a session, which consumes the verifier. A token that this tab did not request is ignored:
 * the sender of the link may want the reader signed in to the sender's account.
 */
export async function verifyOneTimeToken(token: string): Promise<void> {
  const verifier = sessionStorage.getItem(VERIFIER_KEY)
  sessionStorage.removeItem(VERIFIER_KEY)
  if (verifier === null) return
  const path = 'cross-domain/one-time-token/verify'
  const { session } = await request<{ session: { token: string } }>('POST', path, { token, verifier })
  await fetchSession(session.token)
}

/** The server signs out every other session as well. */
export async function changePassword(entry: { currentPassword: string; newPassword: string }): Promise<void> {
  await request('POST', 'change-password', entry)
}

/** Every session of the user, including this one. */
export function listSessions(): Promise<SessionEntry[]> {
  return request<SessionEntry[]>('GET', 'list-sessions')
}

/** Signs out one other session. */
export async function revokeSession(id: string): Promise<void> {
  await request('POST', 'revoke-session', { id })
}

/** Signs out every other session. */
export async function revokeOtherSessions(): Promise<void> {
  await request('POST', 'revoke-other-sessions', {})
}

/** Sign-in options of this installation. */
export type SignInConfig = {
  googleSignIn: boolean
  /**
   * `contact`: of the operator, shown while sign-up is closed; null: none. `isFirst`: the installation has no account yet. `makesAdmin`:
   * the next account becomes its administrator. Both are absent on older servers.
   */
  signUp: { isOpen: boolean; contact: string | null; isFirst?: boolean; makesAdmin?: boolean }
}

/** Fetches the sign-in options of this installation. */
export async function getConfig(): Promise<SignInConfig> {
  const response = await fetch(atServer('/api/config'))
  if (!response.ok) throw new HttpError(response.status, response.statusText)
  return (await response.json()) as SignInConfig
}

function demandAnswer(answer: unknown): void {
  if (!answer) throw new HttpError(502, 'Unknown error occurred', 'NO_DATA')
}

async function request<Answer>(method: 'GET' | 'POST', path: string, body?: object, token?: string): Promise<Answer> {
  const response = await authFetch(`/api/auth/${path}`, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok) return answer as Answer
  const { message, code } = (answer ?? {}) as { message?: string; code?: string }
  throw new HttpError(response.status, message ?? response.statusText, code ?? null)
}

/** Stores a new verifier in this tab and returns its SHA-256; undefined where the browser has no digests (plain http). */
async function makeChallenge(): Promise<string | undefined> {
  if (!crypto.subtle) return undefined
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)))
  sessionStorage.setItem(VERIFIER_KEY, verifier)
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
