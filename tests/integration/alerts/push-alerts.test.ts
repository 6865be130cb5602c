// Alerts by web push: which browsers receive them, what the push service sees, and when a subscription is deleted.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createOutbound } from '#server/integrations/http/outbound.ts'
import { PUSH_DEVICES_MAX } from '#shared/limits.ts'
import { defaultAlerts } from '#shared/organizations/alerts.ts'
import { api, PASSWORD, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakePushService, startFakePushService } from '#tests/fakes/push-service.ts'

let service: FakePushService
let app: TestApp
let olga: Person

beforeAll(async () => {
  service = await startFakePushService()
  app = await startApp({ overrides: { outbound: service.reach(createOutbound({ isAllowed: () => true })) } })
  olga = await app.signUp({ name: 'Olga' })
})
afterAll(async () => {
  await app.close()
  await service.close()
})
beforeEach(async () => {
  for (const table of ['alerts', 'alert_settings', 'push_devices'] as const)
    await app.database.root.deleteFrom(table).execute()
})

const devicesOf = (person: Person) => person.http.query(api.alerts.pushDevices, {})
const settingsOf = (person: Person) => person.http.query(api.alerts.settings, {})
const outcomes = () => app.database.root.selectFrom('alert_sends').select(['way', 'status']).execute()

/** @returns its endpoint */
async function turnOn(person: Person, name = 'Chrome · Linux'): Promise<string> {
  const { pushKey } = await person.http.action(api.alerts.reach, {})
  const subscription = service.subscribe(pushKey)
  await person.http.mutation(api.alerts.addPushDevice, { ...subscription, name })
  return subscription.endpoint
}

/** Raises an alert for the member, who is alerted in the browser by default. */
async function callFor(person: Person): Promise<void> {
  await app.database.root
    .insertInto('alerts')
    .values({
      ...{ organization_id: person.organization._id, user_id: person.user._id, kind: 'mention' },
      ...{ subject: `${Math.random()}`, conversation_id: null, connection_id: null, planned_at: null, seen_at: null },
    })
    .execute()
  await app.settle()
}

describe('a browser in which push is on', () => {
  it('is alerted, encrypted for it alone, with a link to the subject', async () => {
    const endpoint = await turnOn(olga)
    await callFor(olga)
    const [alert] = await app.database.root.selectFrom('alerts').select('id').execute()
    expect(service.received(endpoint)).toEqual([
      {
        title: 'Вас упомянули в заметке: Клиент',
        body: '',
        url: `${app.url}/settings/organization`,
        tag: alert?.id,
      },
    ])
    expect(service.topics(endpoint)).toEqual([alert?.id])
    expect(await outcomes()).toEqual([{ way: 'push', status: 'sent' }])
  })

  it('is one of several that the member has', async () => {
    const endpoints = [await turnOn(olga), await turnOn(olga, 'Safari · iOS')]
    await callFor(olga)
    for (const endpoint of endpoints) expect(service.received(endpoint)).toHaveLength(1)
    const names = (await devicesOf(olga)).map(({ name }) => name)
    expect(names.toSorted()).toEqual(['Chrome · Linux', 'Safari · iOS'])
  })

  it('belongs to the member: no other member is alerted there, or can remove it', async () => {
    const other = await app.signUp({ name: 'Other' })
    const endpoint = await turnOn(olga)
    await other.http.mutation(api.alerts.removePushDevice, { endpoint })
    await expect(other.http.action(api.alerts.testPush, { endpoint })).rejects.toMatchObject({
      data: { code: 'push_device_missing' },
    })
    expect(await devicesOf(other)).toEqual([])
    await callFor(other)
    expect(service.received(endpoint)).toEqual([])
    expect(await devicesOf(olga)).toMatchObject([{ endpoint }])
  })

  it('can be tested on demand', async () => {
    const endpoint = await turnOn(olga)
    await olga.http.action(api.alerts.testPush, { endpoint })
    expect(service.received(endpoint)).toMatchObject([{ title: 'Так выглядит оповещение' }])
    service.answer(endpoint, 500)
    await expect(olga.http.action(api.alerts.testPush, { endpoint })).rejects.toMatchObject({
      data: { code: 'push_not_taken' },
    })
    expect(await devicesOf(olga)).toHaveLength(1)
  })
})

describe('what is pushed', () => {
  it('defaults to the alerts that are shown in the browser', async () => {
    await turnOn(olga)
    const { ways } = await settingsOf(olga)
    expect(ways.mention).toEqual(['browser', 'push'])
    expect(ways.delivery).toEqual([])
    // It changes no other choice.
    const kept = await app.database.root.selectFrom('alert_settings').select('settings').execute()
    expect(kept.map(({ settings }) => Object.keys(settings))).toEqual([['ways']])
  })

  it('stays as the member has chosen', async () => {
    const settings = defaultAlerts('owner', { timeZone: 'UTC', language: 'en' })
    const chosen = { ...settings, ways: { ...settings.ways, delivery: ['push' as const] } }
    await olga.http.mutation(api.alerts.save, chosen)
    const endpoint = await turnOn(olga)
    expect(await settingsOf(olga)).toEqual(chosen)
    await callFor(olga)
    expect(service.received(endpoint)).toEqual([])
  })
})

describe('a subscription is deleted', () => {
  it('when the browser has unsubscribed, and the others are kept', async () => {
    const gone = await turnOn(olga)
    const stays = await turnOn(olga)
    service.answer(gone, 410)
    await callFor(olga)
    expect(service.received(stays)).toHaveLength(1)
    expect(await devicesOf(olga)).toMatchObject([{ endpoint: stays }])
  })

  it('when a test push finds it gone', async () => {
    const endpoint = await turnOn(olga)
    service.answer(endpoint, 404)
    await expect(olga.http.action(api.alerts.testPush, { endpoint })).rejects.toMatchObject({
      data: { code: 'push_device_missing' },
    })
    expect(await devicesOf(olga)).toEqual([])
  })

  it('when the member switches it off, and nothing is sent there', async () => {
    const endpoint = await turnOn(olga)
    await olga.http.mutation(api.alerts.removePushDevice, { endpoint })
    await callFor(olga)
    expect(service.received(endpoint)).toEqual([])
    expect(await outcomes()).toEqual([{ way: 'push', status: 'dropped' }])
  })

  it('when there are too many: the oldest one', async () => {
    const first = await turnOn(olga)
    for (let more = 0; more < PUSH_DEVICES_MAX; more++) await turnOn(olga)
    const endpoints = (await devicesOf(olga)).map(({ endpoint }) => endpoint)
    expect(endpoints).toHaveLength(PUSH_DEVICES_MAX)
    expect(endpoints).not.toContain(first)
  })
})

describe('a browser is no longer alerted', () => {
  it('as soon as the member is signed out there, also from another device', async () => {
    const endpoint = await turnOn(olga)
    const elsewhere = await app.auth('/sign-in/email', { body: { email: olga.email, password: PASSWORD } })
    const { token } = (await elsewhere.json()) as { token: string }
    await app.auth('/revoke-other-sessions', { body: {}, token })
    await callFor(olga)
    expect(service.received(endpoint)).toEqual([])
    expect(await outcomes()).toEqual([{ way: 'push', status: 'dropped' }])
    expect(await app.database.root.selectFrom('push_devices').select('endpoint').execute()).toEqual([])
    olga = await app.signUp({ name: 'Olga' })
  })

  it('when the session there has expired', async () => {
    const endpoint = await turnOn(olga)
    await app.database.root
      .updateTable('sessions')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('user_id', '=', olga.user._id)
      .execute()
    await callFor(olga)
    expect(service.received(endpoint)).toEqual([])
    expect(await outcomes()).toEqual([{ way: 'push', status: 'dropped' }])
    olga = await app.signUp({ name: 'Olga' })
  })
})

describe('of several browsers', () => {
  it('a permanent refusal of one does not prevent retries for another', async () => {
    service.answer(await turnOn(olga), 403)
    const busy = await turnOn(olga)
    service.answer(busy, 503)
    service.answer(await turnOn(olga), 403)
    await callFor(olga)
    expect(await outcomes()).toEqual([{ way: 'push', status: 'waiting' }])
  })

  it('one with an invalid key is skipped', async () => {
    const { pushKey } = await olga.http.action(api.alerts.reach, {})
    const wrong = { ...service.subscribe(pushKey), p256dh: 'B'.repeat(87), name: '' }
    await olga.http.mutation(api.alerts.addPushDevice, wrong)
    const right = await turnOn(olga)
    await callFor(olga)
    expect(service.received(right)).toHaveLength(1)
    await app.database.root.deleteFrom('push_devices').where('endpoint', '=', right).execute()
    await expect(olga.http.action(api.alerts.testPush, { endpoint: wrong.endpoint })).rejects.toMatchObject({
      data: { code: 'push_not_taken' },
    })
  })
})

describe('a push service that is busy', () => {
  it('is retried later', async () => {
    const endpoint = await turnOn(olga)
    service.answer(endpoint, 503)
    await callFor(olga)
    expect(await outcomes()).toEqual([{ way: 'push', status: 'waiting' }])
    service.answer(endpoint, 201)
    await app.database.root.updateTable('alert_sends').set({ not_before: new Date() }).execute()
    await app.settle()
    expect(service.received(endpoint)).toHaveLength(1)
    expect(await outcomes()).toEqual([{ way: 'push', status: 'sent' }])
  })

  it('is not retried when it refuses', async () => {
    service.answer(await turnOn(olga), 413)
    await callFor(olga)
    expect(await outcomes()).toEqual([{ way: 'push', status: 'failed' }])
  })
})

it('accepts no address that is not https, and no keys of another shape', async () => {
  const { pushKey } = await olga.http.action(api.alerts.reach, {})
  const device = { ...service.subscribe(pushKey), name: '' }
  for (const wrong of [{ endpoint: 'http://127.0.0.1/send' }, { p256dh: 'short' }, { auth: 'x'.repeat(23) }]) {
    const adding = olga.http.mutation(api.alerts.addPushDevice, { ...device, ...wrong })
    await expect(adding).rejects.toMatchObject({ data: { code: 'invalid_arguments' } })
  }
})
