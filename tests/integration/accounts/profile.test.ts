// What people and organizations tell of themselves, and what conversations and connections tell of what has become of them.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noteProblem } from '#server/domain/channels/health/problems.store.ts'
import { createOutbound } from '#server/integrations/http/outbound.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeTelegram, randomToken, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'

const PUBLIC_URL = 'https://parley.example'

let app: TestApp
let person: Person
let telegram: FakeTelegram
let pictures: http.Server
let pictureUrl: string
beforeAll(async () => {
  telegram = await startFakeTelegram()
  const picture = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#2f5d50' } })
    .png()
    .toBuffer()
  pictures = http.createServer((_, answer) => answer.end(picture)).listen(0, '127.0.0.1')
  await new Promise((done) => pictures.once('listening', done))
  pictureUrl = `http://127.0.0.1:${(pictures.address() as AddressInfo).port}/logo.png`
  const overrides = { outbound: createOutbound({ isAllowed: () => true }) }
  app = await startApp({ telegram, overrides, config: { publicUrl: PUBLIC_URL, hasPublicUrl: true } })
  person = await app.signUp()
})
afterAll(async () => {
  await app.close()
  await telegram.close()
  pictures.close()
})

const HOSTED = /^\/files\/avatars\/[0-9a-v]{32}\.webp$/

describe('a picture on the web', () => {
  it('becomes the logo of the organization, served from here', async () => {
    const update = (logoUrl: string) => person.http.mutation(api.organizations.update, { patch: { logoUrl } })
    expect((await update(pictureUrl)).logoUrl).toBe(pictureUrl)
    await app.settle()
    const logo = (await person.http.query(api.users.current, {})).organization?.logoUrl ?? ''
    expect(logo).toMatch(HOSTED)
    expect((await fetch(app.url + logo)).headers.get('content-type')).toBe('image/webp')
    expect((await update('')).logoUrl).toBeNull()
    await app.settle()
    expect((await fetch(app.url + logo)).status).toBe(404)
  })

  it('that is none stays an address, and what is no address is refused', async () => {
    const update = (logoUrl: string) => person.http.mutation(api.organizations.update, { patch: { logoUrl } })
    await update('http://127.0.0.1:9/none.png')
    await app.settle()
    expect((await person.http.query(api.users.current, {})).organization?.logoUrl).toBe('http://127.0.0.1:9/none.png')
    await expect(update('javascript:alert(1)')).rejects.toThrow()
  })
})

describe('a profile', () => {
  it('has job title, bio, language, time zone and a picture', async () => {
    const patch = { name: 'Айгуль', jobTitle: 'Менеджер', bio: 'О себе', timeZone: 'Asia/Almaty' }
    await person.http.mutation(api.users.updateProfile, { patch: { ...patch, language: 'ru', avatarUrl: pictureUrl } })
    await app.settle()
    const shown = await person.http.query(api.users.current, {})
    expect(shown).toMatchObject({ ...patch, language: 'ru' })
    expect(shown.avatar).toMatch(HOSTED)
    expect(await person.http.mutation(api.users.updateProfile, { patch: { bio: '' } })).toMatchObject({
      ...{ ...patch, bio: '' },
    })
  })

  it.each([[{ timeZone: 'Moon/Base' }], [{ language: 'de' as 'en' }], [{ name: '' }]])(
    'does not take %j',
    async (patch) => {
      await expect(person.http.mutation(api.users.updateProfile, { patch })).rejects.toThrow()
    },
  )
})

describe('a Telegram connection', () => {
  it('shows its past errors when they have passed, and the whole webhook address to the owner alone', async () => {
    const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Helper' })
    const botToken = randomToken()
    telegram.addBot(botToken)
    const { _id: connectionId } = await person.http.action(api.channels.telegram.provision, { agentId, botToken })
    const note = (problem: string | null) =>
      app.database.organization(person.organization._id, (db) =>
        noteProblem({ db, organizationId: person.organization._id }, connectionId, problem),
      )
    for (const problem of ['first trouble', 'second trouble', null]) await note(problem)
    const [connection] = await person.http.query(api.channelConnections.list, { agentId })
    expect(connection).toMatchObject({ lastError: null })
    expect(connection?.errors.map(({ text }) => text)).toEqual(['second trouble', 'first trouble'])
    for (let at = 0; at < 30; at++) await note(`trouble ${at}`)
    const [later] = await person.http.query(api.channelConnections.list, { agentId })
    expect(later?.errors.length).toBe(20)

    const whole = await person.http.action(api.channels.telegram.webhook, { connectionId })
    expect(whole).toEqual({
      url: expect.stringMatching(/^https:\/\/parley\.example\/webhooks\/telegram\/.{20,}$/),
      isWhole: true,
    })
    const colleague = await app.signUp({ organization: null })
    await app.database.root
      .insertInto('members')
      .values({
        user_id: colleague.user._id,
        organization_id: person.organization._id,
        role: 'admin',
        created_at: new Date(),
      })
      .execute()
    expect(await colleague.http.action(api.channels.telegram.webhook, { connectionId })).toEqual({
      url: `${PUBLIC_URL}/webhooks/telegram/••••`,
      isWhole: false,
    })
  })
})
