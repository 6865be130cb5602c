// The sign-in service under /api/auth, as plain requests with the same-origin session cookie.
import { HttpError } from './errors.ts'

export type Session = {
  session: { id: string; token: string; expiresAt: string }
  user: { id: string; email: string; name: string }
}
/** A place where somebody is signed in. */
export type SessionEntry = {
  id: string
  token: string
  createdAt: string
  updatedAt: string
  expiresAt: string
  ipAddress?: string | null
  userAgent?: string | null
}

/** The session of this browser, or null. */
export function getSession(): Promise<Session | null> {
  return request<Session | null>('GET', 'get-session')
}

/** @throws HttpError with the service's message */
export async function signIn(entry: { email: string; password: string }): Promise<void> {
  await request('POST', 'sign-in/email', entry)
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
  await request('POST', 'sign-up/email', name.trim() ? { name: name.trim(), email, password } : { email, password })
}

/** Leaves for the provider's page, which returns to `returnTo`. */
export async function signInWithGoogle(returnTo: string): Promise<void> {
  const answer = await request<{ url?: string }>('POST', 'sign-in/social', {
    provider: 'google',
    callbackURL: returnTo,
    errorCallbackURL: '/signin?error=social',
  })
  if (!answer.url) throw new HttpError(502, 'The sign-in service gave no address')
  window.location.assign(answer.url)
}

/** Ends the session of this browser. */
export async function signOut(): Promise<void> {
  await request('POST', 'sign-out', {})
}

/** Exchanges a one-time token of the page URL for a session. */
export async function verifyOneTimeToken(token: string): Promise<void> {
  await request('POST', 'one-time-token/verify', { token })
}

/** Other sessions are signed out when `revokeOtherSessions` is true. */
export async function changePassword(entry: {
  currentPassword: string
  newPassword: string
  revokeOtherSessions: boolean
}): Promise<void> {
  await request('POST', 'change-password', entry)
}

/** Every place where the user is signed in, this one included. */
export function listSessions(): Promise<SessionEntry[]> {
  return request<SessionEntry[]>('GET', 'list-sessions')
}

/** Signs one other place out. */
export async function revokeSession(token: string): Promise<void> {
  await request('POST', 'revoke-session', { token })
}

/** Signs out everywhere but here. */
export async function revokeOtherSessions(): Promise<void> {
  await request('POST', 'revoke-other-sessions', {})
}

/** What this installation offers on the sign-in page. */
export async function getConfig(): Promise<{ googleSignIn: boolean }> {
  const response = await fetch('/api/config')
  if (!response.ok) throw new HttpError(response.status, response.statusText)
  return (await response.json()) as { googleSignIn: boolean }
}

async function request<Answer>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
  const response = await fetch(`/api/auth/${path}`, {
    method,
    credentials: 'same-origin',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok) return answer as Answer
  const { message, code } = (answer ?? {}) as { message?: string; code?: string }
  throw new HttpError(response.status, message ?? response.statusText, code ?? null)
}
