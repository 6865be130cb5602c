// Which endpoints of the sign-in library exist here.

/** Paths under /api/auth that exist, with their methods. Everything else in better-auth is not mounted. */
const PATHS: Partial<Record<string, string>> = {
  '/sign-up/email': 'POST',
  '/sign-in/email': 'POST',
  '/sign-in/social': 'POST',
  '/callback/google': 'GET, POST',
  '/error': 'GET',
  '/sign-out': 'POST',
  '/get-session': 'GET',
  '/list-sessions': 'GET',
  '/revoke-session': 'POST',
  '/revoke-sessions': 'POST',
  '/revoke-other-sessions': 'POST',
  '/change-password': 'POST',
  '/request-password-reset': 'POST',
  '/reset-password': 'POST',
  '/update-user': 'POST',
  '/delete-user': 'POST',
  '/verify-email': 'GET',
  '/send-verification-email': 'POST',
  '/token': 'GET',
  '/jwks': 'GET',
  '/prove': 'POST',
  '/two-factor/status': 'GET',
  '/two-factor/enable': 'POST',
  '/two-factor/confirm': 'POST',
  '/two-factor/disable': 'POST',
  '/two-factor/recovery-codes': 'POST',
  '/two-factor/verify': 'POST',
  '/passkey/generate-register-options': 'GET',
  '/passkey/verify-registration': 'POST',
  '/passkey/generate-authenticate-options': 'GET',
  '/passkey/verify-authentication': 'POST',
  '/passkey/list-user-passkeys': 'GET',
  '/passkey/update-passkey': 'POST',
  '/passkey/delete-passkey': 'POST',
  '/cross-domain/one-time-token/verify': 'POST',
}
/** Mounted only for a site on another origin. */
const CROSS_DOMAIN = '/cross-domain/'

/** A page on our own origin has a cookie that its scripts cannot read, so after sign-in no header repeats its value. */
export function isForPrograms({ url, headers }: Request): boolean {
  const isSigningIn = /\/(sign-up|sign-in|cross-domain)\//.test(new URL(url).pathname)
  return isSigningIn || headers.has('authorization') || headers.has('better-auth-cookie')
}

/** The answer to a request that no endpoint takes; undefined for every other. */
export function refuseUnmounted(
  { url, method }: Request,
  { allowedOrigins }: { allowedOrigins: string[] },
): Response | undefined {
  const path = new URL(url).pathname.slice('/api/auth'.length)
  const methods = PATHS[path]
  if (methods === undefined) return Response.json({ code: 'NOT_FOUND' }, { status: 404 })
  if (path.startsWith(CROSS_DOMAIN) && allowedOrigins.length === 0) {
    const message = 'Sites on other origins are not served: ALLOWED_ORIGINS names none. See docs/sign-in.md.'
    return Response.json({ code: 'CROSS_DOMAIN_OFF', message }, { status: 404 })
  }
  if (methods.split(', ').includes(method === 'HEAD' ? 'GET' : method)) return undefined
  return Response.json({ code: 'METHOD_NOT_ALLOWED' }, { status: 405, headers: { allow: methods } })
}

/** Whether a request asks for a token of the realtime connection. */
export function isTokenRequest({ url }: Request): boolean {
  return new URL(url).pathname === '/api/auth/token'
}
