// A real OpenID provider on loopback (the npm library `oidc-provider`), at which one person is always signed in and always agrees.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

export type OidcPerson = { sub: string; email: string; emailVerified: boolean; name: string }

export interface FakeOidc {
  issuer: string
  clientId: string
  clientSecret: string
  /** Who is signed in at the provider. */
  person: OidcPerson
  close(): void
}

/** Starts the provider with one client that returns to `redirectUri`. */
export async function startFakeOidc(redirectUri: string): Promise<FakeOidc> {
  const server = http.createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const fake: FakeOidc = {
    issuer,
    clientId: 'parley',
    clientSecret: 'a client secret',
    person: { sub: '1', email: 'person@example.test', emailVerified: true, name: 'Person' },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  const provider = new Provider(issuer, {
    clients: [{ client_id: fake.clientId, client_secret: fake.clientSecret, redirect_uris: [redirectUri] }],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['loopback only'] },
    interactions: { url: (_: unknown, interaction: { uid: string }) => `/interaction/${interaction.uid}` },
    findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => claimsOf(fake.person) }),
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return answer(request, response)
    agree(provider, fake, request, response).catch((error) => response.destroy(error))
  })
  return fake
}

async function agree(provider: Provider, fake: FakeOidc, request: http.IncomingMessage, response: http.ServerResponse) {
  const { params } = await provider.interactionDetails(request, response)
  const accountId = fake.person.sub
  const grant = new provider.Grant({ accountId, clientId: params.client_id })
  grant.addOIDCScope('openid email profile')
  await provider.interactionFinished(request, response, {
    login: { accountId, remember: false },
    consent: { grantId: await grant.save() },
  })
}

function claimsOf(person: OidcPerson) {
  const picture = 'https://example.com/picture.png'
  return { sub: person.sub, email: person.email, email_verified: person.emailVerified, name: person.name, picture }
}
