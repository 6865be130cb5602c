// Erasing a customer whom another number has answered: the messages there are erased as well, although the customer never wrote there,
// except for messages of a contact on legal hold.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { api, type Person, type TestApp } from '#tests/app.ts'
import { startFakeGreenApi } from '#tests/fakes/green-api/green-api.ts'
import { saysHidden } from '#tests/fakes/green-api/green-api-scenes.ts'
import { connectLine, type Line, look, openOffice } from '#tests/whatsapp-lines.ts'

const greenApi = await startFakeGreenApi({ secondMs: 5 })
let app: TestApp
let person: Person
let agentId: Id<'agents'>
/** The number that fails, and the one that replaces it: new for each test. */
let first: Line
let second: Line
let phone = 77_004_000_000
/** Other ids by which WhatsApp may know the customer. */
const lid = () => String(112_895_000_000_000 + (phone % 1_000_000))

beforeAll(async () => {
  ;({ app, person, agentId } = await openOffice(greenApi))
})
afterAll(async () => {
  await app.close()
  await greenApi.close()
})
beforeEach(async () => {
  phone++
  first = await addLine()
  second = await addLine()
})

it('matches every id of theirs that the other number knows', async () => {
  await isAnsweredByOther()
  const { idInstance } = second.instance
  greenApi.phoneSays(idInstance, String(phone), 'This is the owner')
  greenApi.phoneSays(idInstance, String(phone + 1_000_000), 'To somebody else')
  const call = { typeWebhook: 'incomingCall', from: `${lid()}@lid` }
  greenApi.notify(idInstance, { ...saysHidden(greenApi, idInstance, { lid: lid() }, ''), ...call })
  await taken()
  expect(await namedAt(second, String(phone))).toBeGreaterThan(0)
  expect(await namedAt(second, lid())).toBeGreaterThan(0)
  await erase(phone)
  for (const line of [first, second]) {
    expect([await namedAt(line, String(phone)), await namedAt(line, lid())]).toEqual([0, 0])
  }
  expect(await namedAt(second, String(phone + 1_000_000))).toBeGreaterThan(0)
})

it('keeps messages of a contact on legal hold there, even if they name the customer', async () => {
  await isAnsweredByOther()
  const held = phone + 2_000_000
  const words = `Call me, or ${phone}@c.us`
  greenApi.customerSays(second.instance.idInstance, String(held), words)
  await taken()
  const customerId = await customerOf(held)
  await person.http.mutation(api.conversations.contacts.setLegalHold, { customerId, reason: 'Court' })
  await erase(phone)
  expect(await namedAt(second, words)).toBe(1)
  await person.http.mutation(api.conversations.contacts.liftLegalHold, { customerId })
  await erase(held)
  expect(await namedAt(second, words)).toBe(0)
})

const addLine = () => connectLine(greenApi, person, agentId)

async function taken(): Promise<void> {
  const isTaken = () => [first, second].every(({ instance }) => instance.queue.length === 0)
  await greenApi.waitFor(isTaken, 'the notifications')
  await app.settle()
}

/** The customer writes to the first number, which may not send. */
async function isAnsweredByOther(): Promise<void> {
  const settings = { standInId: second.id, afterMinutes: 15 as const, notice: 'This is us, from another number.' }
  await person.http.mutation(api.channels.standIns.save, { connectionId: first.id, settings })
  greenApi.setState(first.instance.idInstance, 'yellowCard')
  await taken()
  await person.http.action(api.channels.whatsapp.refresh, { connectionId: first.id })
  const from = { lid: lid(), phone: String(phone), name: 'Anna' }
  greenApi.notify(first.instance.idInstance, saysHidden(greenApi, first.instance.idInstance, from, 'Are you there?'))
  await taken()
  await sql`update channel_connections set frozen_since = now() - interval '1 hour' where id = ${first.id}`.execute(
    app.database.root,
  )
  await look(app)
  const instances = greenApi.sentTo(String(phone)).map(({ idInstance }) => idInstance)
  expect(instances).toEqual([second.instance.idInstance, second.instance.idInstance])
}

async function namedAt({ id }: Line, value: string): Promise<number> {
  const { rows } = await sql`
    select from inbound_events where connection_id = ${id} and payload::text like ${`%${value}%`}`.execute(
    app.database.root,
  )
  return rows.length
}

async function customerOf(number: number): Promise<Id<'customers'>> {
  const { rows } = await sql<{ id: Id<'customers'> }>`select customer_id as id from conversations
    where connection_id in (${first.id}, ${second.id}) and external_chat_id = ${`${number}@c.us`}`.execute(
    app.database.root,
  )
  if (!rows[0]) throw new Error('There is no conversation')
  return rows[0].id
}

async function erase(number: number): Promise<void> {
  await person.http.mutation(api.conversations.contacts.erase, { customerId: await customerOf(number) })
}
