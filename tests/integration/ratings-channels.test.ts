// The question for a rating in channels without buttons, through the whole server: it is asked and answered by number.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createOutbound } from '#server/adapters/outbound.ts'
import type { Conversation } from '#shared/conversations.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeGreenApi, startFakeGreenApi } from '#tests/fakes/green-api.ts'
import { type FakeHttpProgram, headersFor, startFakeHttpProgram } from '#tests/fakes/http-channel.ts'

const QUESTION = 'How would you rate our help, from 1 (bad) to 5 (excellent)? Answer with one number.'
const THANKS = 'Thank you! You may add a few words about it if you like.'
const PAGE = { paginationOpts: { numItems: 20, cursor: null } }
const PHONE = '77001234567'

/** One customer of a channel. */
type Customer = { says(text: string): Promise<void>; heard(): string[] }

let greenApi: FakeGreenApi
let program: FakeHttpProgram
let app: TestApp
let person: Person

beforeAll(async () => {
  greenApi = await startFakeGreenApi({ secondMs: 5 })
  program = await startFakeHttpProgram()
  app = await startApp({ greenApi, overrides: { outbound: createOutbound({ isAllowed: () => true }) } })
  person = await app.signUp()
})
afterAll(async () => {
  await app.close()
  await program.close()
  await greenApi.close()
})

async function addAgent() {
  const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Helper' })
  await person.http.mutation(api.agents.update, { id: agentId, patch: { ratings: { isOn: true } } })
  return agentId
}

async function customerOfProgram(): Promise<Customer> {
  const target = { agentId: await addAgent(), name: 'Shop app', url: program.url }
  const { connection, secrets } = await person.http.action(api.channels.http.provision, target)
  program.outboundSecret = secrets.outbound
  return {
    async says(text) {
      const body = JSON.stringify({ type: 'message', chatId: 'anna', sender: { name: 'Anna' }, text })
      const url = `${app.url}/api/channels/http/${connection._id}/messages`
      const answer = await fetch(url, { method: 'POST', headers: headersFor(secrets.inbound, body), body })
      expect(answer.ok).toBe(true)
    },
    heard: () => program.textsTo('anna'),
  }
}

async function customerOfWhatsapp(): Promise<Customer> {
  const { idInstance, apiToken } = greenApi.addInstance()
  await person.http.action(api.channels.whatsapp.provision, { agentId: await addAgent(), idInstance, apiToken })
  return {
    says: async (text) => void greenApi.customerSays(idInstance, { phone: PHONE, name: 'Anna' }, text),
    heard: () => greenApi.sentTo(PHONE).map(({ text }) => text),
  }
}

it.each([
  ['http', customerOfProgram],
  ['whatsapp', customerOfWhatsapp],
] as const)('is asked and answered by number: %s', async (channel, open) => {
  const customer = await open()
  const find = async (): Promise<Conversation | undefined> =>
    (await person.http.query(api.conversations.list, { ...PAGE, channel })).page[0]
  const heard = (count: number) => expect.poll(() => customer.heard().length, { timeout: 10_000 }).toBe(count)
  await customer.says('What is your price for delivery?')
  await heard(1)
  await app.settle()
  const conversationId = (await find())?._id
  if (!conversationId) throw new Error('there is no conversation')
  await person.http.mutation(api.conversations.end, { conversationId })
  await sql`update conversations set rating_ask_at = now() where rating_ask_at is not null`.execute(app.database.root)
  await heard(2)
  await customer.says('5')
  await heard(3)
  await app.settle()
  expect(customer.heard().slice(1)).toEqual([QUESTION, THANKS])
  expect(await find()).toMatchObject({ status: 'ended', rating: { score: 5, comment: null } })
  await customer.says('5')
  await heard(4)
  await app.settle()
  expect(await find()).toMatchObject({ status: 'active' })
})
