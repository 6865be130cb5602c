// Google's consent: the page at which a person agrees, tokens for a code or a refresh token, and their withdrawal.
import { createHash, randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { GoogleState, Grant } from './google-calendar.ts'

const ACCESS_SECONDS = 3599

const asked = z.object({
  client_id: z.string(),
  redirect_uri: z.url(),
  response_type: z.literal('code'),
  scope: z.string().min(1),
  state: z.string().min(20),
  access_type: z.literal('offline'),
  prompt: z.literal('consent'),
  code_challenge: z.string().length(43),
  code_challenge_method: z.literal('S256'),
})

/** Undefined for other paths. */
export async function answerConsent(state: GoogleState, request: Request, url: URL): Promise<Response | undefined> {
  if (url.pathname === '/o/oauth2/v2/auth') return ask(state, url)
  if (url.pathname === '/o/oauth2/v2/auth/decide') return decide(state, url)
  if (request.method !== 'POST') return undefined
  if (url.pathname === '/token') return giveTokens(state, new URLSearchParams(await request.text()))
  if (url.pathname === '/revoke') return revoke(state, await revoked(request, url))
  return undefined
}

/** The page with the scopes, or the way back at once. */
function ask(state: GoogleState, url: URL): Response {
  const parsed = asked.safeParse(Object.fromEntries(url.searchParams))
  if (!parsed.success) return new Response(z.prettifyError(parsed.error), { status: 400 })
  if (parsed.data.client_id !== state.clientId) return new Response('invalid_client', { status: 401 })
  if (!state.asks) return decide(state, url)
  const href = (decision: string) =>
    `/o/oauth2/v2/auth/decide?decision=${decision}&${url.searchParams}`.replaceAll('&', '&amp;')
  const scopes = parsed.data.scope.split(' ').map((scope) => `<li>${scope}</li>`)
  const body = `<!doctype html><html lang="en"><title>Consent</title><h1>Parley wants access to ${state.account}</h1>
    <ul>${scopes.join('')}</ul><p><a href="${href('allow')}">Allow</a> <a href="${href('deny')}">Cancel</a></p></html>`
  return new Response(body, { headers: { 'content-type': 'text/html; charset=utf-8' } })
}

function decide(state: GoogleState, url: URL): Response {
  const { searchParams: given } = url
  const back = new URL(given.get('redirect_uri') ?? '')
  back.searchParams.set('state', given.get('state') ?? '')
  if (given.get('decision') === 'deny') back.searchParams.set('error', 'access_denied')
  else {
    const code = `4/${randomUUID()}`
    const scopes = (given.get('scope') ?? '').split(' ').filter((scope) => !state.leftOut.includes(scope))
    state.codes.set(code, {
      challenge: given.get('code_challenge') ?? '',
      redirectUri: given.get('redirect_uri') ?? '',
      scopes,
    })
    back.searchParams.set('code', code)
    back.searchParams.set('scope', scopes.join(' '))
  }
  return new Response(null, { status: 302, headers: { location: back.href } })
}

function giveTokens(state: GoogleState, given: URLSearchParams): Response {
  const isKnown = given.get('client_id') === state.clientId && given.get('client_secret') === state.clientSecret
  if (!isKnown) return refuse(401, 'invalid_client', 'The OAuth client was not found.')
  if (given.get('grant_type') === 'refresh_token') return refresh(state, given.get('refresh_token'))
  if (given.get('grant_type') !== 'authorization_code') return refuse(400, 'unsupported_grant_type', 'Unknown.')
  const code = given.get('code') ?? ''
  const known = state.codes.get(code)
  state.codes.delete(code) // a code counts once
  const challenge = createHash('sha256')
    .update(given.get('code_verifier') ?? '')
    .digest('base64url')
  if (!known) return refuse(400, 'invalid_grant', 'Malformed auth code.')
  if (known.challenge !== challenge) return refuse(400, 'invalid_grant', 'Invalid code verifier.')
  if (known.redirectUri !== given.get('redirect_uri')) return refuse(400, 'redirect_uri_mismatch', 'Bad Request')
  const grant: Grant = { refreshToken: `1//${randomUUID()}`, scopes: known.scopes, isWithdrawn: false }
  state.grants.push(grant)
  return tokens(state, grant, { refresh_token: grant.refreshToken })
}

function refresh(state: GoogleState, refreshToken: string | null): Response {
  const grant = state.grants.find((each) => each.refreshToken === refreshToken)
  if (!grant || grant.isWithdrawn) return refuse(400, 'invalid_grant', 'Token has been expired or revoked.')
  state.refreshes++
  return tokens(state, grant)
}

function tokens(state: GoogleState, grant: Grant, more: object = {}): Response {
  const token = `ya29.${randomUUID()}`
  state.tokens.set(token, grant)
  const given = { access_token: token, expires_in: ACCESS_SECONDS, token_type: 'Bearer', scope: grant.scopes.join(' ') }
  return Response.json({ ...given, ...more })
}

/** The token of a withdrawal: in the query, as Google's own library sends it, or in the body. */
async function revoked(request: Request, url: URL): Promise<string> {
  return url.searchParams.get('token') ?? new URLSearchParams(await request.text()).get('token') ?? ''
}

/** Withdraws all that the account has consented to. */
function revoke(state: GoogleState, token: string): Response {
  const grant = state.grants.find((each) => each.refreshToken === token) ?? state.tokens.get(token)
  if (!grant || grant.isWithdrawn) return refuse(400, 'invalid_token', 'Token expired or revoked')
  for (const each of state.grants) each.isWithdrawn = true
  state.tokens.clear()
  return Response.json({})
}

function refuse(status: number, error: string, description: string): Response {
  return Response.json({ error, error_description: description }, { status })
}
