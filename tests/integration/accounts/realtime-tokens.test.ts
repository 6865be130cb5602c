// The token of the realtime connection: what it says, and that nothing else passes for it.
import { createHmac } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, importJWK, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRealtimeTokens, type RealtimeTokens } from '#server/platform/auth/realtime-tokens.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { createSecrets } from '#server/platform/lib/secrets.aes.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'

const ISSUER = 'https://parley.example'
const secrets = createSecrets('a secret of at least thirty-two characters')
const userId = newId('users')
const sessionId = newId('sessions')
let test: TestDatabase
let tokens: RealtimeTokens
let privateKey: Awaited<ReturnType<typeof importJWK>>
let kid: string

beforeAll(async () => {
  test = await openTestDatabase()
  tokens = await createRealtimeTokens(test.database, secrets, ISSUER)
  const row = await test.database.root.selectFrom('jwks').selectAll().executeTakeFirstOrThrow()
  kid = row.id
  privateKey = await importJWK(JSON.parse(secrets.decrypt(row.private_key, `jwks|${row.id}|private_key`)), 'EdDSA')
})
afterAll(() => test.close())

const now = () => Math.floor(Date.now() / 1000)
const claims = (): JWTPayload => ({
  sub: userId,
  sid: sessionId,
  typ: 'sync',
  iss: ISSUER,
  aud: 'sync',
  iat: now(),
  exp: now() + 600,
})
const sign = (payload: JWTPayload, header: Record<string, unknown> = {}, key = privateKey) =>
  new SignJWT(payload).setProtectedHeader({ alg: 'EdDSA', kid, typ: 'JWT', ...header }).sign(key)
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const without = (name: string) => Object.fromEntries(Object.entries(claims()).filter(([key]) => key !== name))

describe('a realtime token', () => {
  it('names user and session, lives ten minutes, and is signed with Ed25519', async () => {
    const { token, expiresAt } = await tokens.sign(userId, sessionId, null)
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'EdDSA', kid })
    const payload = decodeJwt(token)
    expect(payload).toMatchObject({ sub: userId, sid: sessionId, typ: 'sync', iss: ISSUER, aud: 'sync' })
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(600)
    expect(expiresAt).toBe((payload.exp ?? 0) * 1000)
    expect(await tokens.verify(token)).toEqual({ userId, sessionId, namedOrganizationId: null, expiresAt })
  })

  it('is accepted when made by hand with the right key: the refusals below are not for another reason', async () => {
    expect(await tokens.verify(await sign(claims()))).toMatchObject({ userId, sessionId })
  })

  it('is accepted by another server of the same installation', async () => {
    const other = await createRealtimeTokens(test.database, secrets, ISSUER)
    expect(await other.verify((await tokens.sign(userId, sessionId, null)).token)).toMatchObject({ userId })
  })

  it('shows public keys only', () => {
    expect(tokens.publicKeys()).toEqual([expect.objectContaining({ kid, kty: 'OKP', use: 'sig' })])
    expect(JSON.stringify(tokens.publicKeys())).not.toContain('"d"')
  })
})

describe('refused is', () => {
  const changed: [string, () => JWTPayload][] = [
    ['a token of another installation', () => ({ ...claims(), iss: 'https://other.example' })],
    ['an issuer with a slash more', () => ({ ...claims(), iss: `${ISSUER}/` })],
    ['no issuer', () => without('iss')],
    ['an issuer list', () => ({ ...claims(), iss: [ISSUER] as unknown as string })],
    ['another audience', () => ({ ...claims(), aud: 'widget' })],
    ['an audience in other letters', () => ({ ...claims(), aud: 'SYNC' })],
    ['an empty audience', () => ({ ...claims(), aud: '' })],
    ['an audience list with ours in it', () => ({ ...claims(), aud: ['widget', 'sync'] })],
    ['no audience', () => without('aud')],
    ['an expired token', () => ({ ...claims(), iat: now() - 700, exp: now() - 100 })],
    ['a token without expiry', () => without('exp')],
    ['an expiry in words', () => ({ ...claims(), exp: 'tomorrow' as unknown as number })],
    ['an expiry of zero', () => ({ ...claims(), exp: 0 })],
    ['a negative expiry', () => ({ ...claims(), exp: -1 })],
    ['a token that is not valid yet', () => ({ ...claims(), nbf: now() + 100 })],
    ['a token from the future', () => ({ ...claims(), iat: now() + 100 })],
    ['an old token with a long expiry', () => ({ ...claims(), iat: now() - 4000, exp: now() + 4000 })],
    ['no time of issue', () => without('iat')],
    ['no session', () => without('sid')],
    ['a session that is no text', () => ({ ...claims(), sid: 7 })],
    ['a session list', () => ({ ...claims(), sid: [sessionId] })],
    ['no user', () => without('sub')],
    ['a user that is no text', () => ({ ...claims(), sub: { id: userId } as unknown as string })],
    ['no type', () => without('typ')],
    ['another type', () => ({ ...claims(), typ: 'refresh' })],
    ['a type list', () => ({ ...claims(), typ: ['sync'] })],
  ]
  it.each(changed)('%s', async (_what, payload) => {
    const token = await signLoosely(payload())
    expect(await tokens.verify(token)).toBeNull()
  })

  const headers: [string, Record<string, unknown>][] = [
    ['an unknown key', { kid: newId() }],
    ['no key', { kid: undefined }],
    ['a path as key', { kid: '../../../../dev/null' }],
    ['a query as key', { kid: "' union select 'x' --" }],
    ['an address as key', { kid: 'https://evil.test/key' }],
    ['another token type', { typ: 'at+jwt' }],
    ['no token type', { typ: undefined }],
    ['an unknown critical extension', { crit: ['x'], x: 1 }],
  ]
  it.each(headers)('%s', async (_what, header) => {
    expect(await tokens.verify(await signLoosely(claims(), header))).toBeNull()
  })

  it.each(['none', 'None', 'NONE', 'nOnE', 'HS256', 'HS512', 'ES256', 'RS256', 'PS256', 'Ed448', '', 'EdDSA '])(
    'the algorithm %j',
    async (alg) => {
      const body = `${encode({ alg, kid, typ: 'JWT' })}.${encode(claims())}`
      const [, , signature] = (await sign(claims())).split('.')
      for (const end of ['', signature]) expect(await tokens.verify(`${body}.${end}`)).toBeNull()
    },
  )

  it('a signature made with the public key as a shared secret', async () => {
    const body = `${encode({ alg: 'HS256', kid, typ: 'JWT' })}.${encode(claims())}`
    for (const secret of [JSON.stringify(tokens.publicKeys()[0]), String(tokens.publicKeys()[0]?.x)]) {
      const signature = createHmac('sha256', secret).update(body).digest('base64url')
      expect(await tokens.verify(`${body}.${signature}`)).toBeNull()
    }
  })

  it('a key that the token brings itself', async () => {
    const { privateKey: own, publicKey } = await generateKeyPair('EdDSA', { extractable: true })
    const jwk = await exportJWK(publicKey)
    const brought = [
      { jwk },
      { jwk, kid: undefined },
      { jku: 'https://evil.test/jwks' },
      { x5u: 'https://evil.test/x' },
      { x5c: ['MIIB'] },
      {},
    ]
    for (const header of brought) expect(await tokens.verify(await sign(claims(), header, own))).toBeNull()
  })

  it('any change of a good token', async () => {
    const good = await sign(claims())
    const [header = '', payload = '', signature = ''] = good.split('.')
    const broken = [
      '',
      '.',
      '..',
      header,
      `${header}.${payload}`,
      `${header}.${payload}.`,
      `${header}..${signature}`,
      `.${payload}.${signature}`,
      `${good}.${signature}`,
      `${header}.${encode({ ...claims(), sub: newId() })}.${signature}`,
      `${header}.${payload}.${signature.slice(0, -8)}`,
      `${header}.${payload}.${'A'.repeat(signature.length)}`,
      `${good.slice(0, -1)}\u0000`,
      good.toUpperCase(),
      encode({ payload: claims() }),
    ]
    for (const token of broken) expect(await tokens.verify(token), token).toBeNull()
  })
})

/** Signs what SignJWT would refuse to make. */
async function signLoosely(payload: JWTPayload, header: Record<string, unknown> = {}): Promise<string> {
  const head = { alg: 'EdDSA', kid, typ: 'JWT', ...header }
  const body = `${encode(head)}.${encode(payload)}`
  const { subtle } = globalThis.crypto
  if (!(privateKey instanceof CryptoKey)) throw new Error('a private key was expected')
  const signature = await subtle.sign('Ed25519', privateKey, Buffer.from(body))
  return `${body}.${Buffer.from(signature).toString('base64url')}`
}
