// Sign-in for a site on another origin than the server: cookies travel in headers of their own, social sign-in returns by a one-time token.
// Mounted only when such a site is configured; on the same origin HttpOnly cookies serve.
import { createHash, randomBytes } from 'node:crypto'
import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthEndpoint, createAuthMiddleware, getOAuthState } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { z } from 'zod'

const COOKIE_HEADER = 'better-auth-cookie'
const ONE_TIME_TOKEN_MS = 60_000

const stored = z.tuple([z.string(), z.string().nullable()])
const socialBody = z.looseObject({
  callbackURL: z.string().optional(),
  newUserCallbackURL: z.string().optional(),
  errorCallbackURL: z.string().optional(),
  additionalData: z.looseObject({ ottChallenge: z.string().min(40).max(100).optional() }).optional(),
})

/**
 * The plugin for sites at these origins; one that does not say where it is counts as the first. Social sign-in may bring
 * `additionalData.ottChallenge`, the SHA-256 (base64url) of a verifier that the starting tab keeps: a third party that sees the one-time token
 * in a URL cannot use it then.
 */
export function crossDomain(siteUrls: string[]) {
  return {
    id: 'cross-domain',
    // The state cookie cannot cross origins; the verifier takes its place.
    init: () => ({ context: { oauthConfig: { storeStateStrategy: 'database', skipStateCookieCheck: true } } }),
    hooks: {
      before: [
        { matcher: (ctx) => carriesCookies(ctx) && !ctx.headers?.has('authorization'), handler: readCookieHeader },
        { matcher: (ctx) => ctx.path === '/sign-in/social', handler: keepChallenge(siteUrls) },
      ],
      after: [
        { matcher: (ctx) => ctx.path?.startsWith('/callback') ?? false, handler: returnOneTimeToken },
        { matcher: carriesCookies, handler: writeCookieHeader },
      ],
    },
    endpoints: { verifyOneTimeToken },
  } satisfies BetterAuthPlugin
}

function carriesCookies(ctx: { headers?: Headers | undefined }): boolean {
  return ctx.headers?.has(COOKIE_HEADER) ?? false
}

const readCookieHeader = createAuthMiddleware(async (ctx) => {
  const headers = new Headers(ctx.headers)
  const cookies = headers.get(COOKIE_HEADER)
  if (cookies) headers.set('cookie', cookies)
  return { context: { headers } }
})

const writeCookieHeader = createAuthMiddleware(async (ctx) => {
  const cookies = ctx.context.responseHeaders?.get('set-cookie')
  if (!cookies) return
  ctx.context.responseHeaders?.delete('set-cookie')
  ctx.setHeader('Set-Better-Auth-Cookie', cookies)
})

function keepChallenge(siteUrls: string[]) {
  return createAuthMiddleware(async (ctx) => {
    const body = socialBody.safeParse(ctx.body)
    if (!body.success)
      throw new APIError('BAD_REQUEST', { code: 'INVALID_CHALLENGE', message: 'ottChallenge is no SHA-256' })
    const origin = ctx.headers?.get('origin') ?? ''
    const siteUrl = siteUrls.includes(origin) ? origin : siteUrls[0]
    const absolute = (url: string | undefined) => (url?.startsWith('/') ? new URL(url, siteUrl).toString() : url)
    const { callbackURL, newUserCallbackURL, errorCallbackURL, ...rest } = body.data
    const further = {
      ...(newUserCallbackURL && { newUserCallbackURL: absolute(newUserCallbackURL) }),
      ...(errorCallbackURL && { errorCallbackURL: absolute(errorCallbackURL) }),
    }
    return { context: { body: { ...rest, ...further, callbackURL: absolute(callbackURL) ?? siteUrl } } }
  })
}

const returnOneTimeToken = createAuthMiddleware(async (ctx) => {
  const session = ctx.context.newSession
  const target = ctx.context.responseHeaders?.get('location')
  if (!session || !target) return
  const state: unknown = await getOAuthState()
  const challenge = socialBody.shape.additionalData.safeParse(state).data?.ottChallenge ?? null
  const token = randomBytes(32).toString('base64url')
  await ctx.context.internalAdapter.createVerificationValue({
    identifier: identifierOf(token),
    // Opened by the one-time token alone, which is stored nowhere.
    value: await symmetricEncrypt({ key: token, data: JSON.stringify([session.session.token, challenge]) }),
    expiresAt: new Date(Date.now() + ONE_TIME_TOKEN_MS),
  })
  const url = new URL(target)
  url.searchParams.set('ott', token)
  ctx.setHeader('referrer-policy', 'no-referrer')
  throw ctx.redirect(url.toString())
})

/** POST { token } answers session and user, once; with `verifier` where sign-in began with a challenge. A wrong one burns the token. */
const verifyOneTimeToken = createAuthEndpoint(
  '/cross-domain/one-time-token/verify',
  { method: 'POST', body: z.object({ token: z.string().max(200), verifier: z.string().max(200).optional() }) },
  async (ctx) => {
    const refused = new APIError('BAD_REQUEST', { code: 'INVALID_TOKEN', message: 'Invalid token' })
    const row = await ctx.context.internalAdapter.consumeVerificationValue(identifierOf(ctx.body.token))
    if (!row || row.expiresAt < new Date()) throw refused
    const [sessionToken, challenge] = stored.parse(
      JSON.parse(await symmetricDecrypt({ key: ctx.body.token, data: row.value })),
    )
    if (challenge !== null && sha256(ctx.body.verifier ?? '') !== challenge) throw refused
    const found = await ctx.context.internalAdapter.findSession(sessionToken)
    if (!found || found.session.expiresAt < new Date()) throw refused
    await setSessionCookie(ctx, found)
    return ctx.json(found)
  },
)

function identifierOf(token: string): string {
  return `ott:${sha256(token)}`
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
