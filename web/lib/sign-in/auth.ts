// The sign-in service under /api/auth, with the session cookie of the same origin, or its substitute on another.

import { HttpError } from '#web/lib/errors.ts'
import { atServer } from '#web/lib/server/server-address.ts'
import { authFetch, cachedSession, cacheSession, forgetCrossDomain } from './cross-domain.ts'
import { noteEndReason } from './end-reason.ts'

const VERIFIER_KEY = 'parley-ott-verifier'

export type Session = {
  session: { id: string; expiresAt: string }
  user: { id: string; email: string; name: string }
}
/** One active session. */
export type SessionEntry = {
  id: string
  isOwn: boolean
  createdAt: string
  lastUsedAt: string
  expiresAt: string
  ipAddress?: string | null
  userAgent?: string | null
}

/** The session of this browser, or null. */
export async function getSession(): Promise<Session | null> {
  return cachedSession<Session>() ?? fetchSession()
}

async function fetchSession(token?: string): Promise<Session | null> {
  const session = await authRequest<Session | null>('GET', 'get-session', undefined, token)
  cacheSession(session)
  return session
}

/** @throws HttpError with the service's message */
export async function signIn(entry: { email: string; password: string }): Promise<void> {
  demandAnswer(await authRequest('POST', 'sign-in/email', entry))
}

/** Creates the account and signs it in, unless its address has to be confirmed first. The name is sent only when given. */
export async function signUp({
  name,
  email,
  password,
}: {
  name: string
  email: string
  password: string
}): Promise<'signedIn' | 'unconfirmed'> {
  const body = name.trim() ? { name: name.trim(), email, password } : { email, password }
  const answer = await authRequest<{ token?: string | null } | null>('POST', 'sign-up/email', body)
  demandAnswer(answer)
  return answer?.token === null ? 'unconfirmed' : 'signedIn'
}

/** Has a link that resets the password sent to an address, if it has an account. */
export async function requestPasswordReset(email: string): Promise<void> {
  await authRequest('POST', 'request-password-reset', { email })
}

/** Sets a new password by the token of such a link; every session of the account ends. */
export async function resetPassword(entry: { token: string; newPassword: string }): Promise<void> {
  await authRequest('POST', 'reset-password', entry)
}

/** Has a link that confirms an address sent to it. */
export async function sendVerification(email: string): Promise<void> {
  await authRequest('POST', 'send-verification-email', { email })
}

/** Confirms the address of the account for which the token of such a link was made. */
export async function verifyEmail(token: string): Promise<void> {
  await authRequest('GET', `verify-email?${new URLSearchParams({ token })}`)
}

/**
 * Redirects to Google's page, which returns to `returnTo`. When the installation serves its site from another origin, the
 * return carries a one-time token that only this tab can exchange: it alone holds the verifier.
 */
export async function signInWithGoogle(returnTo: string): Promise<void> {
  const ottChallenge = await makeChallenge()
  const answer = await authRequest<{ url?: string }>('POST', 'sign-in/social', {
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
  await authRequest('POST', 'sign-out', {})
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
  const { session } = await authRequest<{ session: { token: string } }>('POST', path, { token, verifier })
  await fetchSession(session.token)
}

/** The server signs out every other session as well. */
export async function changePassword(entry: { currentPassword: string; newPassword: string }): Promise<void> {
  await authRequest('POST', 'change-password', entry)
}

/** Every session of the user, including this one. */
export function listSessions(): Promise<SessionEntry[]> {
  return authRequest<SessionEntry[]>('GET', 'list-sessions')
}

/** Signs out one other session. */
export async function revokeSession(id: string): Promise<void> {
  await authRequest('POST', 'revoke-session', { id })
}

/** Signs out every other session. */
export async function revokeOtherSessions(): Promise<void> {
  await authRequest('POST', 'revoke-other-sessions', {})
}

/** Signs out everywhere, here too. */
export async function revokeAllSessions(): Promise<void> {
  await authRequest('POST', 'revoke-sessions', {})
  forgetCrossDomain()
}

/** Deletes the account. `password`: of an account that has one. */
export async function deleteAccount(password: string | undefined): Promise<void> {
  await authRequest('POST', 'delete-user', password === undefined ? {} : { password })
  forgetCrossDomain()
}

/** Sign-in options of this installation. */
export type SignInConfig = {
  googleSignIn: boolean
  /**
   * `contact`: of the operator, shown while sign-up is closed; null: none. `isFirst`: the installation has no account yet. `makesAdmin`:
   * the next account becomes its administrator. Both are absent on older servers.
   */
  signUp: {
    isOpen: boolean
    rule?: 'open' | 'closed' | 'invited' | 'domains'
    domains?: string[]
    contact: string | null
    isFirst?: boolean
    makesAdmin?: boolean
  }
  /** Absent on older servers. */
  canSendMail?: boolean
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

/** Signing in goes on with a code: the challenge is exchanged for a session together with it. */
export class SecondStepNeeded extends HttpError {
  override name = 'SecondStepNeeded'
  readonly challenge: string
  constructor(challenge: string) {
    super(403, 'A code is needed', 'TWO_FACTOR_REQUIRED')
    this.challenge = challenge
  }
}

/**
 * A request to the sign-in service.
 * @throws SecondStepNeeded, HttpError
 */
export async function authRequest<Answer>(
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  token?: string,
): Promise<Answer> {
  const response = await authFetch(`/api/auth/${path}`, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  noteEndReason(response.headers.get('x-session-ended'))
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok) return answer as Answer
  const { message, code, challenge, reason } = (answer ?? {}) as Refusal
  if (code === 'TWO_FACTOR_REQUIRED' && challenge) throw new SecondStepNeeded(challenge)
  throw new HttpError(response.status, message ?? response.statusText, code ?? null, reason)
}

type Refusal = { message?: string; code?: string; challenge?: string; reason?: string }

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
