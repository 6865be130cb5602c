// OAuth as MCP servers ask for it: the server names who authorizes, we register there, a person consents in a browser (PKCE with S256), and a
// code becomes tokens for that server alone. Every request goes through the outbound guard, by https.
import {
  discoverOAuthServerInfo,
  exchangeAuthorization,
  extractWWWAuthenticateParams,
  refreshAuthorization,
  registerClient,
  startAuthorization,
} from '@modelcontextprotocol/sdk/client/auth.js'
import {
  InvalidClientError,
  InvalidGrantError,
  InvalidTargetError,
  UnauthorizedClientError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js'
import type {
  AuthorizationServerMetadata,
  OAuthClientInformationMixed,
  OAuthProtectedResourceMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import { checkResourceAllowed, resourceUrlFromServerUrl } from '@modelcontextprotocol/sdk/shared/auth-utils.js'
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js'
import type { Outbound } from '#server/integrations/http/outbound.ts'

type Network = { outbound: Pick<Outbound, 'stream'>; signal: AbortSignal }

/** Who authorizes us for a server, and what we are registered as there. `resource`: what tokens are asked for. */
type McpParty = {
  issuer: string
  metadata?: AuthorizationServerMetadata
  client: OAuthClientInformationMixed
  resource?: string
}
/** A consent under way; `verifier` proves that a code is redeemed by who has asked for it. */
export type McpConsent = McpParty & { verifier: string }
/** What an OAuth server has granted. `expiresAt`: of the access token; null: it does not say. */
export type McpGrant = McpParty & { accessToken: string; refreshToken: string | null; expiresAt: number | null }

/** `refused`: for good, by a server that answers. `unreachable`: for now, or its answers are not understood. */
export class McpOAuthFailure extends Error {
  readonly kind: 'refused' | 'unreachable'
  constructor(kind: McpOAuthFailure['kind'], options?: ErrorOptions) {
    super(kind, options)
    this.name = 'McpOAuthFailure'
    this.kind = kind
  }
}

const REQUEST_MS = 10_000
const ANSWER_MAX_BYTES = 256 * 1024

/** Finds out who authorizes for a server and registers there. @returns where to send the person @throws McpOAuthFailure */
export async function beginConsent(
  network: Network,
  { serverUrl, redirectUrl, state }: { serverUrl: string; redirectUrl: string; state: string },
): Promise<{ url: string; consent: McpConsent }> {
  const fetchFn = guardedFetch(network)
  return translated(async () => {
    const asked = await askWhoAuthorizes(fetchFn, serverUrl)
    const found = await discoverOAuthServerInfo(serverUrl, {
      ...(asked.resourceMetadataUrl && { resourceMetadataUrl: asked.resourceMetadataUrl }),
      fetchFn,
    })
    const { authorizationServerUrl: issuer, authorizationServerMetadata: metadata, resourceMetadata } = found
    const scope = asked.scope ?? resourceMetadata?.scopes_supported?.join(' ')
    const named = { ...(metadata && { metadata }), ...(scope && { scope }) }
    const client = await registerClient(issuer, {
      ...named,
      clientMetadata: registrationOf(redirectUrl, metadata),
      fetchFn,
    })
    const resource = resourceOf(serverUrl, resourceMetadata)
    const party = { issuer, ...(metadata && { metadata }), client, ...(resource !== undefined && { resource }) }
    const begun = await startAuthorization(issuer, {
      ...{ ...named, clientInformation: client, redirectUrl, state },
      ...(resource !== undefined && { resource: resource as never }),
    })
    if (begun.authorizationUrl.protocol !== 'https:') throw new McpOAuthFailure('refused')
    return { url: begun.authorizationUrl.href, consent: { ...party, verifier: begun.codeVerifier } }
  })
}

/** Makes tokens of a code. `issuer`: who says that it has issued the code, if it says so. @throws McpOAuthFailure */
export async function redeemCode(
  network: Network,
  { verifier, ...party }: McpConsent,
  { code, redirectUrl, issuer }: { code: string; redirectUrl: string; issuer: string | undefined },
): Promise<McpGrant> {
  if (issuer !== undefined && party.metadata && issuer !== party.metadata.issuer) throw new McpOAuthFailure('refused')
  const tokens = await translated(() =>
    exchangeAuthorization(party.issuer, {
      ...{ ...askingOf(party), authorizationCode: code, codeVerifier: verifier, redirectUri: redirectUrl },
      fetchFn: guardedFetch(network),
    }),
  )
  return grantOf(party, tokens)
}

/** New tokens for old ones. @throws McpOAuthFailure */
export async function refreshGrant(network: Network, grant: McpGrant): Promise<McpGrant> {
  const { accessToken: _access, refreshToken, expiresAt: _expires, ...party } = grant
  if (refreshToken === null) throw new McpOAuthFailure('refused')
  const fetchFn = guardedFetch(network)
  const tokens = await translated(() =>
    refreshAuthorization(party.issuer, { ...askingOf(party), refreshToken, fetchFn }),
  )
  return grantOf(party, tokens)
}

/** Withdraws a grant (RFC 7009), where its server takes that. @throws McpOAuthFailure `unreachable`: it may work later */
export async function revokeGrant(network: Network, { metadata, client, ...grant }: McpGrant): Promise<void> {
  const endpoint = metadata && 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined
  if (!endpoint) return
  const { refreshToken, accessToken } = grant
  const secret = 'client_secret' in client ? client.client_secret : undefined
  const isBasic = 'token_endpoint_auth_method' in client && client.token_endpoint_auth_method === 'client_secret_basic'
  const body = new URLSearchParams({
    token: refreshToken ?? accessToken,
    token_type_hint: refreshToken === null ? 'access_token' : 'refresh_token',
    client_id: client.client_id,
    ...(secret !== undefined && !isBasic && { client_secret: secret }),
  })
  const basic = Buffer.from(`${encodeURIComponent(client.client_id)}:${encodeURIComponent(secret ?? '')}`)
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    ...(isBasic && { authorization: `Basic ${basic.toString('base64')}` }),
  }
  const answer = await translated(async () => guardedFetch(network)(endpoint, { method: 'POST', headers, body }))
  await answer.body?.cancel()
  if (answer.status >= 500 || answer.status === 429) throw new McpOAuthFailure('unreachable')
}

function askingOf({ metadata, client, resource }: McpParty) {
  return {
    clientInformation: client,
    ...(metadata && { metadata }),
    // As the server has written it: some compare it letter by letter.
    ...(resource !== undefined && { resource: resource as never }),
  }
}

function grantOf(party: McpParty, tokens: OAuthTokens): McpGrant {
  const { access_token: accessToken, refresh_token: refreshToken = null, expires_in: seconds } = tokens
  return {
    ...{ ...party, accessToken, refreshToken },
    expiresAt: seconds === undefined ? null : Date.now() + seconds * 1000,
  }
}

/** A greeting without a token: the refusal may name where the rest is described. */
async function askWhoAuthorizes(fetchFn: FetchLike, serverUrl: string) {
  const clientInfo = { name: 'parley', version: '1.0.0' }
  const params = { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities: {}, clientInfo }
  const response = await fetchFn(serverUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }),
  })
  await response.body?.cancel()
  return response.status === 401 ? extractWWWAuthenticateParams(response) : {}
}

function registrationOf(redirectUrl: string, metadata: AuthorizationServerMetadata | undefined) {
  const methods = metadata?.token_endpoint_auth_methods_supported ?? ['none']
  const known = ['none', 'client_secret_basic', 'client_secret_post'].find((method) => methods.includes(method))
  return {
    client_name: 'Parley',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    ...(known !== undefined && { token_endpoint_auth_method: known }),
  }
}

/** What tokens are asked for; undefined where the server does not describe itself. */
function resourceOf(serverUrl: string, described: OAuthProtectedResourceMetadata | undefined): string | undefined {
  if (!described) return undefined
  const requestedResource = resourceUrlFromServerUrl(serverUrl)
  const isOwn = checkResourceAllowed({ requestedResource, configuredResource: described.resource })
  if (!isOwn) throw new McpOAuthFailure('refused')
  return described.resource
}

async function translated<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    if (cause instanceof McpOAuthFailure) throw cause
    const isFinal = [InvalidGrantError, InvalidClientError, UnauthorizedClientError, InvalidTargetError].some(
      (kind) => cause instanceof kind,
    )
    throw new McpOAuthFailure(isFinal ? 'refused' : 'unreachable', { cause })
  }
}

function guardedFetch({ outbound, signal }: Network): FetchLike {
  return (address, init = {}) => {
    const url = new URL(address)
    if (url.protocol !== 'https:') throw new McpOAuthFailure('refused')
    const body = init.body instanceof URLSearchParams ? init.body.toString() : init.body
    const method = init.method === 'POST' ? 'POST' : 'GET'
    return outbound.stream(url.href, {
      ...{ method, headers: Object.fromEntries(new Headers(init.headers)), maxBytes: ANSWER_MAX_BYTES },
      ...(typeof body === 'string' && { body }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]),
    })
  }
}
