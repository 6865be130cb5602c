// Paid slots of a plan: how many WhatsApp numbers an organization may have connected.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { appErrorData } from '#shared/errors.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeGreenApi, startFakeGreenApi } from '#tests/fakes/green-api/green-api.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'

const PARTNER = 'gac.slots'
let greenApi: FakeGreenApi
let telegram: FakeTelegram
let app: TestApp
let person: Person
let agentId: Awaited<ReturnType<typeof makeAgent>>

beforeAll(async () => {
  greenApi = await startFakeGreenApi({ secondMs: 5 })
  greenApi.partnerToken = PARTNER
  telegram = await startFakeTelegram()
  app = await startApp({ greenApi, telegram, config: { greenApiPartner: { url: greenApi.url, token: PARTNER } } })
})
beforeEach(async () => {
  person = await app.signUp()
  agentId = await makeAgent()
})
afterAll(async () => {
  await app.close()
  await greenApi.close()
  await telegram.close()
})

async function makeAgent() {
  return (await person.http.mutation(api.agents.create, { name: 'Helper' }))._id
}

/** Puts the organization on a plan with so many slots. */
async function allow(slots: number | null): Promise<void> {
  const { root } = app.database
  await root.updateTable('plans').set({ channel_slots: slots }).where('slug', '=', 'starter').execute()
  await root.updateTable('organizations').set({ plan: 'starter' }).where('id', '=', person.organization._id).execute()
}

function connect() {
  const { idInstance, apiToken } = greenApi.addInstance()
  return person.http.action(api.channels.whatsapp.provision, { agentId, idInstance, apiToken })
}

async function refusal(call: Promise<unknown>) {
  return call.then(
    () => undefined,
    (error: unknown) => appErrorData(error),
  )
}

const slots = () => person.http.query(api.channelConnections.slots, {})

it('limits nothing where the plan says nothing, or there is none', async () => {
  await connect()
  expect(await slots()).toEqual({ used: 1, allowed: null })
  await allow(null)
  await connect()
  expect(await slots()).toEqual({ used: 2, allowed: null })
})

it('refuses a number beyond the slots, keeps nothing of it, and takes it once another is disconnected', async () => {
  await allow(1)
  const first = await connect()
  expect(await refusal(connect())).toMatchObject({ code: 'channel_slots_used', params: { slots: 1 } })
  expect(await person.http.query(api.channelConnections.list, {})).toMatchObject([{ _id: first._id }])
  await person.http.action(api.channels.whatsapp.disconnect, { connectionId: first._id })
  expect(await slots()).toEqual({ used: 0, allowed: 1 })
  await connect()
})

it('gives the last slot to one of two who ask at the same time', async () => {
  await allow(1)
  const codes = await Promise.all([connect(), connect()].map(refusal))
  expect(codes.map((error) => error?.code).sort()).toEqual(['channel_slots_used', undefined])
  expect(await slots()).toEqual({ used: 1, allowed: 1 })
})

it('leaves numbers alone that are connected when the plan changes', async () => {
  await connect()
  await connect()
  await allow(1)
  expect(await slots()).toEqual({ used: 2, allowed: 1 })
  expect(await person.http.query(api.channelConnections.list, {})).toHaveLength(2)
})

it('takes no slot for channels that are free', async () => {
  await allow(0)
  const { token: botToken } = telegram.addBot()
  const bot = await person.http.action(api.channels.telegram.provision, { agentId, botToken })
  expect(bot).toMatchObject({ channel: 'telegram' })
  expect(await slots()).toEqual({ used: 0, allowed: 0 })
})

it('has no instance made that could not be connected', async () => {
  await allow(0)
  const before = greenApi.instances.size
  const call = person.http.action(api.channels.whatsapp.createInstance, { agentId })
  expect(await refusal(call)).toMatchObject({ code: 'channel_slots_used' })
  expect(greenApi.instances.size).toBe(before)
})
