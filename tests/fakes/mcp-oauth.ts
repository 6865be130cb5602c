// OAuth as the fake MCP server asks for it: described by the protocol's documents, with registration, PKCE, and refresh tokens that count once.
import { createHash, randomUUID } from 'node:crypto'

const ORIGIN = 'https://mcp.shop.example'

export type FakeOAuth = {
  resource: string
  clients: Map<string, { redirectUris: string[] }>
  /** Consents by their code. */
  codes: Map<string, { clientId: string; challenge: string; resource: string | null; redirectUri: string }>
  access: Set<string>
  refresh: Set<string>
  /** What came to the token endpoint, and to that which withdraws. */
  asked: Record<string, string>[]
  revoked: Record<string, string>[]
  expiresIn: number
  /** Answers of the token endpoint from now on; null: it works. */
  refusal: { status: number; error: string } | null
}

export function newOAuth(resource: string): FakeOAuth {
  return {
    ...{
      resource,
      clients: new Map(),
      codes: new Map(),
      access: new Set(),
      refresh: new Set(),
      asked: [],
      revoked: [],
    },
    ...{ expiresIn: 3600, refusal: null },
  }
}

export function isAccepted({ access }: FakeOAuth, authorization: string | null): boolean {
  return authorization?.startsWith('Bearer ') === true && access.has(authorization.slice('Bearer '.length))
}

/** A person consents: the address they were sent to → the address they come back to. */
export function consent(oauth: FakeOAuth, address: string): URL {
  const asked = new URL(address).searchParams
  const clientId = asked.get('client_id') ?? ''
  const redirectUri = asked.get('redirect_uri') ?? ''
  if (!oauth.clients.get(clientId)?.redirectUris.includes(redirectUri))
    throw new Error('an address that is not registered')
  if (asked.get('code_challenge_method') !== 'S256') throw new Error('no PKCE')
  const code = `code-${randomUUID()}`
  const challenge = asked.get('code_challenge') ?? ''
  oauth.codes.set(code, { clientId, challenge, resource: asked.get('resource'), redirectUri })
  const back = new URL(redirectUri)
  back.search = new URLSearchParams({ code, state: asked.get('state') ?? '', iss: ORIGIN }).toString()
  return back
}

/** Undefined: no path of OAuth. */
export async function answerOAuth(oauth: FakeOAuth, request: Request): Promise<Response | undefined> {
  const { pathname } = new URL(request.url)
  if (pathname === '/described')
    return Response.json({ resource: oauth.resource, authorization_servers: [ORIGIN], scopes_supported: ['tools'] })
  if (pathname === '/.well-known/oauth-authorization-server') return Response.json(METADATA)
  if (pathname === '/register') return register(oauth, await request.json())
  if (pathname === '/revoke') return revoke(oauth, Object.fromEntries(new URLSearchParams(await request.text())))
  return pathname === '/token' ? token(oauth, Object.fromEntries(new URLSearchParams(await request.text()))) : undefined
}

const METADATA = {
  issuer: ORIGIN,
  authorization_endpoint: `${ORIGIN}/consent`,
  token_endpoint: `${ORIGIN}/token`,
  registration_endpoint: `${ORIGIN}/register`,
  revocation_endpoint: `${ORIGIN}/revoke`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
}

function register(oauth: FakeOAuth, given: { redirect_uris: string[] }): Response {
  const id = `client-${randomUUID()}`
  oauth.clients.set(id, { redirectUris: given.redirect_uris })
  return Response.json({ ...given, client_id: id }, { status: 201 })
}

function token(oauth: FakeOAuth, asked: Record<string, string>): Response {
  oauth.asked.push(asked)
  if (oauth.refusal) return refuse(oauth.refusal.error, oauth.refusal.status)
  const isGranted =
    asked.grant_type === 'refresh_token' ? oauth.refresh.delete(asked.refresh_token ?? '') : redeemed(oauth, asked)
  if (!isGranted || asked.resource !== oauth.resource) return refuse('invalid_grant', 400)
  const tokens = { access_token: `access-${randomUUID()}`, refresh_token: `refresh-${randomUUID()}` }
  oauth.access.add(tokens.access_token)
  oauth.refresh.add(tokens.refresh_token)
  return Response.json({ ...tokens, token_type: 'Bearer', expires_in: oauth.expiresIn })
}

/** As RFC 7009 has it: a token that is not known is no error. */
function revoke(oauth: FakeOAuth, asked: Record<string, string>): Response {
  oauth.revoked.push(asked)
  if (oauth.refusal) return refuse(oauth.refusal.error, oauth.refusal.status)
  if (!oauth.clients.has(asked.client_id ?? '')) return refuse('invalid_client', 401)
  if (oauth.refresh.delete(asked.token ?? '')) oauth.access.clear()
  return new Response(null, { status: 200 })
}

function redeemed(oauth: FakeOAuth, asked: Record<string, string>): boolean {
  const code = oauth.codes.get(asked.code ?? '')
  oauth.codes.delete(asked.code ?? '')
  const challenge = createHash('sha256')
    .update(asked.code_verifier ?? '')
    .digest('base64url')
  return code?.challenge === challenge && code.clientId === asked.client_id && code.redirectUri === asked.redirect_uri
}

function refuse(error: string, status: number): Response {
  return Response.json({ error }, { status })
}
