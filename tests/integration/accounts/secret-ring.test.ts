// A changed application secret: what the former one has encrypted and signed, and how it is retired.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { credentialsOf } from '#server/domain/channels/connections/access.ts'
import { checkApplicationSecret } from '#server/platform/auth/application-secret.ts'
import { reencrypt } from '#server/platform/auth/reencrypt.ts'
import { createSecrets } from '#server/platform/lib/secrets.aes.ts'
import { api, type Person, startApp } from '#tests/app.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'

const [FORMER, CURRENT] = ['the former secret of the installation', 'the secret that takes its place now']
const former = { appSecret: FORMER, previousAppSecrets: [] }
const both = { appSecret: CURRENT, previousAppSecrets: [FORMER] }
const ring = { current: CURRENT, previous: [FORMER] }
const secrets = createSecrets(CURRENT, [FORMER])

let database: TestDatabase
let person: Person
let cookie: string

beforeAll(async () => {
  database = await openTestDatabase()
  const app = await startApp({ database, config: former })
  person = await app.signUp()
  const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Helper' })
  const texts = { greeting: '', offline: '' }
  const widget = {
    title: 'Shop',
    color: '#2f5d50',
    position: 'right' as const,
    domains: [],
    hasAvatar: false,
    takesFiles: false,
    texts: { ru: texts, en: texts },
  }
  await person.http.action(api.channels.webchat.provision, { agentId, widget })
  const signedUp = await app.auth('/sign-up/email', {
    body: { email: 'cookie@example.test', password: 'a password to keep' },
  })
  cookie = signedUp.headers.get('set-cookie')?.split(';')[0] ?? ''
  await app.close()
})
afterAll(() => database.close())

const keysInUse = async () => {
  const { root } = database.database
  const rows = [
    ...(await root.selectFrom('channel_connections').select('token as text').execute()),
    ...(await root.selectFrom('channel_connections').select('webhook_secret as text').execute()),
    ...(await root.selectFrom('jwks').select('private_key as text').execute()),
    ...(await root.selectFrom('installation_secrets').select('value as text').execute()),
  ]
  return new Set(rows.filter(({ text }) => text.startsWith('v1.')).map(({ text }) => text.split('.')[1]))
}

describe('a changed application secret', () => {
  it('without the former one reports what cannot be decrypted and what to do, and changes nothing', async () => {
    const before = await keysInUse()
    const refusal = startApp({ database, config: { appSecret: CURRENT, previousAppSecrets: [] } })
    await expect(refusal).rejects.toThrow(
      /tokens of channels: 1, .*signing keys: 1.*APP_SECRET_PREVIOUS.*secrets:reencrypt/,
    )
    expect(await keysInUse()).toEqual(before)
  })

  it('with the former one keeps sessions valid, by bearer token or cookie', async () => {
    const app = await startApp({ database, config: both })
    expect((await app.auth('/token', { token: person.sessionToken })).status).toBe(200)
    expect(await (await app.auth('/get-session', { headers: { cookie } })).json()).toMatchObject({
      user: { email: 'cookie@example.test' },
    })
    const forged = cookie.replace(/%3D$|.$/, 'x')
    expect(await (await app.auth('/get-session', { headers: { cookie: forged } })).json()).toBeNull()
    await app.close()
  })

  it('re-encrypts nothing without the former one, and says where to put it', async () => {
    const before = await keysInUse()
    const alone = { secrets: createSecrets(CURRENT), ring: { current: CURRENT, previous: [] } }
    const refusal = reencrypt({ database: database.database, ...alone, onProgress: () => {} })
    await expect(refusal).rejects.toThrow(/cannot be opened .*APP_SECRET_PREVIOUS/)
    expect(await keysInUse()).toEqual(before)
  })

  it('re-encrypts everything stored, page by page, and resumes after an interruption', async () => {
    const done: string[] = []
    const onProgress = (what: string, count: number) => done.push(`${what}: ${count}`)
    expect(await reencrypt({ database: database.database, secrets, ring, onProgress })).toBeGreaterThanOrEqual(5)
    expect(done).toContain('tokens of channels: 1')
    expect(await keysInUse()).toEqual(new Set([secrets.keyId]))
    expect(await reencrypt({ database: database.database, secrets, ring, onProgress })).toBe(0)
  })

  it('no longer needs the former one from then on', async () => {
    const alone = createSecrets(CURRENT)
    await checkApplicationSecret(database.database, alone)
    const row = await database.database.root.selectFrom('channel_connections').selectAll().executeTakeFirstOrThrow()
    const sealed = { id: row.id, encryptedToken: row.token, encryptedSecret: row.webhook_secret }
    expect(credentialsOf(alone, sealed).webhookSecret.length).toBeGreaterThan(20)
    const app = await startApp({ database, config: { appSecret: CURRENT, previousAppSecrets: [] } })
    expect((await app.auth('/token', { token: person.sessionToken })).status).toBe(200)
    await app.close()
  })
})
