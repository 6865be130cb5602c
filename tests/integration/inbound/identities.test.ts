// One person whom WhatsApp identifies in several ways: by a number, by an id that hides it, or by both at once. They are one contact
// with one conversation, answered once for each message and where they wrote last.
import { strFromU8, unzipSync } from 'fflate'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import type { Conversation, Message } from '#shared/messaging/conversations.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import {
  type FakeGreenApi,
  type FakeInstance,
  postNotification,
  startFakeGreenApi,
} from '#tests/fakes/green-api/green-api.ts'
import { saysHidden } from '#tests/fakes/green-api/green-api-scenes.ts'
import { type FakeNumber, startFakeWhatsappCloud } from '#tests/fakes/whatsapp-cloud/whatsapp-cloud.ts'
import { someoneWaits } from '#tests/locks.ts'

const PAGE = { paginationOpts: { numItems: 50, cursor: null } }
const greenApi: FakeGreenApi = await startFakeGreenApi({ secondMs: 5 })
const cloud = await startFakeWhatsappCloud()
let app: TestApp
let person: Person
let instance: FakeInstance
let other: { person: Person; instance: FakeInstance }
let number: FakeNumber
let count = 0
const phone = () => String(77_001_000_000 + count)
const lid = () => String(112_893_567_000_000 + count)
const name = () => `Anna ${count}`
const [hidden, open] = [() => `${lid()}@lid`, () => `${phone()}@c.us`]

beforeAll(async () => {
  const config = { publicUrl: 'https://parley.example', hasPublicUrl: true }
  app = await startApp({ greenApi, whatsappCloud: cloud, config })
  greenApi.webhookOrigin = () => app.url
  cloud.webhookOrigin = () => app.url
  person = await app.signUp()
  instance = await connect(person)
  const stranger = await app.signUp()
  other = { person: stranger, instance: await connect(stranger) }
  number = await connectNumber()
})
afterEach(() => {
  count++
})
afterAll(async () => {
  await app.close()
  await Promise.all([greenApi.close(), cloud.close()])
})

describe('a customer who is first known by a hidden id', () => {
  it('stays the same when their number becomes known, and is answered at it from then on', async () => {
    says({ lid: lid() }, 'Hello')
    await answered(hidden())
    says({ lid: lid(), phone: phone() }, 'It is me')
    await answered(open())
    expect(sentTo(hidden())).toHaveLength(1)
    expect(await conversations()).toMatchObject([{ messageCount: 4, customer: { name: name() } }])
    expect((await messages()).map(({ author }) => author)).toEqual(['agent', 'customer', 'agent', 'customer'])
    expect(await contacts()).toEqual([{ external_id: open(), is_merged: false }])
    // By the number alone, and by the hidden id alone again.
    greenApi.customerSays(instance.idInstance, { phone: phone(), name: name() }, 'By the number')
    await answered(open(), 2)
    says({ lid: lid() }, 'By the id')
    await answered(hidden(), 2)
    expect(await conversations()).toMatchObject([{ messageCount: 8 }])
    expect(await contacts()).toEqual([{ external_id: open(), is_merged: false }])
  })

  it('has one conversation, and one answer to each message, from either id', async () => {
    const bodies = [
      saysHidden(greenApi, instance.idInstance, { lid: lid(), name: name() }, 'One'),
      saysHidden(greenApi, instance.idInstance, { lid: lid(), phone: phone(), name: name() }, 'Two'),
      saysHidden(greenApi, instance.idInstance, { lid: lid(), phone: phone(), name: name() }, 'Three'),
    ]
    await Promise.all([...bodies, ...bodies].map((body) => post(structuredClone(body))))
    await app.settle()
    expect(await conversations()).toHaveLength(1)
    expect(await contacts()).toHaveLength(1)
    const all = await messages()
    expect(
      all
        .filter(({ author }) => author === 'customer')
        .map(({ text }) => text)
        .sort(),
    ).toEqual(['One', 'Three', 'Two'])
    const answers = all.filter(({ author }) => author === 'agent')
    expect([...sentTo(hidden()), ...sentTo(open())]).toHaveLength(answers.length)
  })

  it('is silenced by a person who answers from the phone in either chat', async () => {
    says({ lid: lid(), phone: phone() }, 'Hello')
    await answered(open())
    greenApi.notify(instance.idInstance, sentFromPhone('This is Boris'))
    await expect
      .poll(conversations, { timeout: 10_000 })
      .toMatchObject([{ status: 'paused', pauseReason: 'operator_elsewhere' }])
  })

  it('may edit a message from another id', async () => {
    const first = saysHidden(greenApi, instance.idInstance, { lid: lid(), name: name() }, 'Two cups')
    greenApi.notify(instance.idInstance, first)
    await answered(hidden())
    says({ lid: lid(), phone: phone() }, 'Please')
    await answered(open())
    const changed = {
      typeMessage: 'editedMessage',
      editedMessageData: { textMessage: 'Three cups', stanzaId: first.idMessage },
    }
    const edit = saysHidden(greenApi, instance.idInstance, { lid: lid(), name: name() }, '')
    greenApi.notify(instance.idInstance, { ...edit, messageData: changed })
    await expect
      .poll(async () => (await messages()).map(({ text }) => text), { timeout: 10_000 })
      .toContain('Three cups')
  })

  it('may edit from one id a message that arrives from another only later', async () => {
    const message = saysHidden(greenApi, instance.idInstance, { lid: lid(), phone: phone(), name: name() }, 'Two cups')
    const idMessage = (message as { idMessage?: string }).idMessage ?? ''
    const changed = {
      typeMessage: 'editedMessage',
      editedMessageData: { textMessage: 'Three cups', stanzaId: idMessage },
    }
    const edit = saysHidden(greenApi, instance.idInstance, { lid: lid(), name: name() }, '')
    await post({ ...edit, messageData: changed })
    await post(message)
    await answered(open())
    expect((await messages()).map(({ text }) => text)).toContain('Three cups')
    expect((await messages()).map(({ text }) => text)).not.toContain('Two cups')
  })

  it('may edit from one id a message that is just arriving from another', async () => {
    const message = saysHidden(greenApi, instance.idInstance, { lid: lid(), phone: phone(), name: name() }, 'Two cups')
    const edit = saysHidden(greenApi, instance.idInstance, { lid: lid(), name: name() }, '')
    const editedMessageData = { textMessage: 'Three cups', stanzaId: message.idMessage }
    const changed = { ...edit, messageData: { typeMessage: 'editedMessage', editedMessageData } }
    await postAtOnce(message, changed)
    await answered(open())
    const fromCustomer = (await messages()).filter(({ author }) => author === 'customer')
    expect(fromCustomer.map(({ text }) => text)).toEqual(['Three cups'])
  })

  it('is silenced from the phone while their first message comes in', async () => {
    const message = saysHidden(greenApi, instance.idInstance, { lid: lid(), phone: phone(), name: name() }, 'Hello')
    await postAtOnce(message, sentFromPhone('This is Boris'))
    expect(await conversations()).toMatchObject([{ status: 'paused', pauseReason: 'operator_elsewhere' }])
  })

  it('has one conversation when they write under two ids at once', async () => {
    says({ lid: lid(), phone: phone() }, 'Hello')
    await answered(open())
    await postAtOnce(
      saysHidden(greenApi, instance.idInstance, { lid: lid(), name: name() }, 'By the id'),
      greenApi.textMessage(instance.idInstance, { phone: phone(), name: name() }, 'By the number'),
    )
    const fromCustomer = (await messages()).filter(({ author }) => author === 'customer')
    expect(fromCustomer).toHaveLength(3)
    expect(await chats()).toHaveLength(1)
  })

  it('may reply to a picture without words, which is quoted by what is known of it', async () => {
    const picture = saysHidden(greenApi, instance.idInstance, { lid: lid(), phone: phone(), name: name() }, '')
    const fileMessageData = {
      downloadUrl: 'http://127.0.0.1:9/a.pdf',
      fileName: 'prices.pdf',
      mimeType: 'application/pdf',
    }
    greenApi.notify(instance.idInstance, {
      ...picture,
      messageData: { typeMessage: 'documentMessage', fileMessageData },
    })
    await answered(open())
    const reply = saysHidden(greenApi, instance.idInstance, { lid: lid(), phone: phone(), name: name() }, 'This one')
    const quotedMessage = { stanzaId: picture.idMessage, typeMessage: 'documentMessage' }
    greenApi.notify(instance.idInstance, { ...reply, messageData: { ...(reply.messageData as object), quotedMessage } })
    await answered(open(), 2)
    expect((await messages())[1]).toMatchObject({ text: 'This one', quoted: '📎 prices.pdf' })
  })

  it('may reply to a message sent to another id, whose echo does not count as a takeover', async () => {
    says({ lid: lid() }, 'Hello')
    await answered(hidden())
    const [answer] = sentTo(hidden())
    says({ lid: lid(), phone: phone() }, 'Please')
    await answered(open())
    const reply = saysHidden(greenApi, instance.idInstance, { lid: lid(), phone: phone(), name: name() }, 'This one')
    const quotedMessage = { stanzaId: answer?.idMessage, typeMessage: 'imageMessage' }
    greenApi.notify(instance.idInstance, { ...reply, messageData: { ...(reply.messageData as object), quotedMessage } })
    await answered(open(), 2)
    expect((await messages())[1]).toMatchObject({ text: 'This one', quoted: answer?.text })
    const echo = greenApi.textMessage(instance.idInstance, phone(), answer?.text ?? '')
    const typeWebhook = 'outgoingMessageReceived'
    greenApi.notify(instance.idInstance, { ...echo, typeWebhook, idMessage: answer?.idMessage })
    await greenApi.waitFor(() => instance.queue.length === 0, 'the echo')
    await app.settle()
    expect((await conversations())[0]?.status).toBe('active')
  })

  it('is exported with all ids, and erased with them', async () => {
    says({ lid: lid() }, 'Hello')
    await answered(hidden())
    says({ lid: lid(), phone: phone() }, 'It is me')
    await answered(open())
    greenApi.notify(instance.idInstance, {
      ...saysHidden(greenApi, instance.idInstance, { lid: lid() }, ''),
      typeWebhook: 'incomingCall',
      from: hidden(),
    })
    const named = async () => {
      const { rows } = await app.database.system('test: what names them', (db) =>
        sql`select from inbound_events where payload::text like ${`%${lid()}%`} or payload::text like ${`%${phone()}%`}`.execute(
          db,
        ),
      )
      return rows.length
    }
    await greenApi.waitFor(() => instance.queue.length === 0, 'the notifications')
    await app.settle()
    expect(await named()).toBeGreaterThanOrEqual(3)
    const [{ id: customerId } = { id: '' as never }] = await customers()
    const headers = { authorization: `Bearer ${await person.token()}` }
    const given = await fetch(`${app.url}/api/files/customers/${customerId}`, { headers })
    const archive = unzipSync(new Uint8Array(await given.arrayBuffer()))
    const known = JSON.parse(strFromU8(archive['customer.json'] ?? new Uint8Array()))
    expect(known).toMatchObject({ identifiers: [{ externalId: open() }], otherIds: [hidden()] })
    await person.http.mutation(api.conversations.contacts.erase, { customerId })
    expect(await named()).toBe(0)
  })

  it('is not matched with contacts of another organization', async () => {
    says({ lid: lid(), phone: phone() }, 'Hello')
    await answered(open())
    const { idInstance } = other.instance
    greenApi.notify(idInstance, saysHidden(greenApi, idInstance, { lid: lid(), name: name() }, 'Hello there'))
    await answered(hidden())
    const { page } = await other.person.http.query(api.conversations.list, PAGE)
    expect(page.filter(({ customer }) => customer?.name === name())).toMatchObject([{ messageCount: 2 }])
    expect(await conversations()).toMatchObject([{ messageCount: 2 }])
  })
})

describe('two contacts that WhatsApp reports to be one', () => {
  it('are one person, whose messages all continue in one conversation', async () => {
    says({ lid: lid() }, 'Hidden')
    await answered(hidden())
    greenApi.customerSays(instance.idInstance, { phone: phone(), name: name() }, 'Open')
    await answered(open())
    expect(await contacts()).toEqual([
      { external_id: hidden(), is_merged: false },
      { external_id: open(), is_merged: false },
    ])
    says({ lid: lid(), phone: phone() }, 'Both')
    await answered(open(), 2)
    expect(await contacts()).toEqual([
      { external_id: hidden(), is_merged: false },
      { external_id: open(), is_merged: true },
    ])
    says({ lid: lid() }, 'Hidden again')
    await answered(open(), 3)
    expect((await conversations()).map(({ messageCount }) => messageCount).sort()).toEqual([2, 6])
  })

  it('are assigned to the operator who had one of them', async () => {
    says({ lid: lid() }, 'Hidden')
    await answered(hidden())
    const [{ _id: conversationId } = { _id: '' as never }] = await conversations()
    await person.http.mutation(api.conversations.reply, { conversationId, text: 'This is Boris' })
    greenApi.customerSays(instance.idInstance, { phone: phone(), name: name() }, 'Open')
    await answered(open())
    says({ lid: lid(), phone: phone() }, 'Both')
    says({ lid: lid() }, 'Hidden again')
    await taken()
    expect(sentTo(open())).toHaveLength(1)
    expect(sentTo(hidden()).map(({ text }) => text)).toContain('This is Boris')
    expect(sentTo(hidden())).toHaveLength(2)
    const [one, other] = await chats()
    expect([one, other]).toMatchObject([{ status: 'paused' }, { status: 'paused' }])
    expect(one?.thread_id).not.toBeNull()
    expect(one?.thread_id).toBe(other?.thread_id)
  })

  it('keep the legal hold of the one when the other is erased, once they are separated', async () => {
    const [older, younger] = await separated()
    const { contacts: functions } = api.conversations
    await person.http.mutation(functions.setLegalHold, { customerId: older, reason: 'Court' })
    await person.http.mutation(functions.erase, { customerId: younger })
    expect(await keptOf(older)).toEqual([{ text: 'Hidden', is_kept: true }])
  })

  it('keep it also when all later messages name the other', async () => {
    const [older, younger] = await separated()
    const first = saysHidden(greenApi, instance.idInstance, { lid: lid(), name: name() }, 'Two cups')
    await post(first)
    await answered(open(), 3)
    await post(changed(first.idMessage, 'Three cups'))
    const { contacts: functions } = api.conversations
    await person.http.mutation(functions.setLegalHold, { customerId: younger, reason: 'Court' })
    await person.http.mutation(functions.erase, { customerId: older })
    expect(await keptOf(younger)).toEqual([
      { text: 'Open', is_kept: true },
      { text: 'Both', is_kept: true },
      { text: 'Three cups', is_kept: true },
    ])
    expect(await keptChanges(first.idMessage)).toEqual([{ is_kept: true }])
    await person.http.mutation(functions.liftLegalHold, { customerId: younger })
    await person.http.mutation(functions.erase, { customerId: younger })
    expect(await keptChanges(first.idMessage)).toEqual([])
  })

  it('stay separate when an operator has separated them', async () => {
    says({ lid: lid() }, 'Hidden')
    await answered(hidden())
    greenApi.customerSays(instance.idInstance, { phone: phone(), name: name() }, 'Open')
    await answered(open())
    says({ lid: lid(), phone: phone() }, 'Both')
    await answered(open(), 2)
    const rows = await customers()
    expect(rows.map(({ is_merged }) => is_merged)).toEqual([false, true])
    await person.http.mutation(api.conversations.contacts.separate, { customerId: rows[1]?.id ?? ('' as never) })
    says({ lid: lid(), phone: phone() }, 'Both again')
    await answered(open(), 3)
    expect((await contacts()).map(({ is_merged }) => is_merged)).toEqual([false, false])
  })
})

describe('through the Cloud API', () => {
  const userId = () => `KZ.anna${count}`
  const anna = (hidesPhone: boolean) => ({ phone: phone(), name: name(), userId: userId(), hidesPhone })

  it('a customer without a number stays the same when it becomes known, and is answered where they wrote', async () => {
    cloud.customerSays(number.phoneNumberId, anna(true), 'Hello')
    await cloud.waitFor(() => cloud.sentTo(userId()).length === 1, 'the first answer')
    await app.settle()
    cloud.customerSays(number.phoneNumberId, anna(false), 'It is me')
    await cloud.waitFor(() => cloud.sentTo(phone()).length === 1, 'the second answer')
    await app.settle()
    cloud.customerSays(number.phoneNumberId, anna(true), 'And again')
    await cloud.waitFor(() => cloud.sentTo(userId()).length === 2, 'the third answer')
    await app.settle()
    expect(await conversations()).toMatchObject([{ messageCount: 6 }])
    expect(await contacts()).toEqual([{ external_id: phone(), is_merged: false }])
  })
})

/** Two contacts that WhatsApp reported to be one, the older one first. */
async function separated(): Promise<[Id<'customers'>, Id<'customers'>]> {
  says({ lid: lid() }, 'Hidden')
  await answered(hidden())
  greenApi.customerSays(instance.idInstance, { phone: phone(), name: name() }, 'Open')
  await answered(open())
  says({ lid: lid(), phone: phone() }, 'Both')
  await answered(open(), 2)
  const [older, younger] = (await customers()).map(({ id }) => id)
  if (!older || !younger) throw new Error('There are not two contacts')
  await person.http.mutation(api.conversations.contacts.separate, { customerId: younger })
  return [older, younger]
}
/** Messages of a customer, and whether their notifications are still stored. */
async function keptOf(customerId: Id<'customers'>) {
  const { rows } = await app.database.system('test: what is kept', (db) =>
    sql`select m.text, i.payload <> '{}' as is_kept from inbound_events i join messages m on m.id = i.message_id
      join conversations c on c.id = m.conversation_id where c.customer_id = ${customerId} order by m.sequence`.execute(
      db,
    ),
  )
  return rows
}
async function keptChanges(idMessage: unknown) {
  const { rows } = await app.database.system('test: changes', (db) =>
    sql`select payload <> '{}' as is_kept from inbound_events where edit_of = ${String(idMessage)}`.execute(db),
  )
  return rows
}
/** An edit from the hidden id of one of its messages. */
function changed(idMessage: unknown, textMessage: string) {
  const edit = saysHidden(greenApi, instance.idInstance, { lid: lid(), name: name() }, '')
  const editedMessageData = { textMessage, stanzaId: idMessage }
  return { ...edit, messageData: { typeMessage: 'editedMessage', editedMessageData } }
}
async function connect(by: Person): Promise<FakeInstance> {
  const made = greenApi.addInstance()
  const { idInstance, apiToken } = made
  const { _id: agentId } = await by.http.mutation(api.agents.create, { name: 'Helper', model: EXTRACTIVE_MODEL })
  await by.http.action(api.channels.whatsapp.provision, { agentId, idInstance, apiToken })
  await greenApi.waitFor(() => made.state === 'authorized', 'the instance')
  await app.settle()
  return made
}
async function connectNumber(): Promise<FakeNumber> {
  const made = cloud.addNumber({})
  const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Helper', model: EXTRACTIVE_MODEL })
  const functions = api.channels.whatsappCloud
  const { phoneNumberId, accountId, accessToken, appSecret } = made
  const entered = { agentId, phoneNumberId, accountId, accessToken, appSecret }
  const { _id: connectionId }: ChannelConnection = await person.http.action(functions.provision, entered)
  const { callbackUrl: url, verifyToken } = await person.http.action(functions.webhook, { connectionId })
  await cloud.enterWebhook(phoneNumberId, { url, verifyToken })
  await person.http.action(functions.check, { connectionId })
  return made
}
async function post(body: unknown): Promise<void> {
  const { webhookUrl, webhookUrlToken } = instance.settings
  const url = app.url + new URL(webhookUrl).pathname
  expect(await postNotification({ url, token: webhookUrlToken }, body)).toBe(true)
}
/** Posts the second while the first is written and not yet committed. */
async function postAtOnce(first: unknown, second: unknown): Promise<void> {
  const running: Promise<void>[] = []
  await app.database.root.transaction().execute(async (db) => {
    await sql`select id from channel_connections where external_account_id = ${instance.idInstance} for update`.execute(
      db,
    )
    for (const body of [first, second]) {
      running.push(post(body))
      await someoneWaits(db, running.length)
    }
  })
  await Promise.all(running)
  await app.settle()
}
async function taken(): Promise<void> {
  await greenApi.waitFor(() => instance.queue.length === 0, 'the notifications')
  await app.settle()
}
/** From the team's phone, in the chat whose number is hidden. */
function sentFromPhone(text: string) {
  const message = greenApi.textMessage(instance.idInstance, phone(), text)
  const sender = { sender: `${instance.phone}@c.us`, senderPhoneNumber: Number(instance.phone) }
  const senderData = { ...sender, chatId: hidden(), senderName: 'Owner' }
  return { ...message, typeWebhook: 'outgoingMessageReceived', senderData }
}
function says(who: { lid: string; phone?: string }, text: string): void {
  greenApi.notify(instance.idInstance, saysHidden(greenApi, instance.idInstance, { ...who, name: name() }, text))
}
function sentTo(chatId: string) {
  return greenApi.sent.filter((message) => message.chatId === chatId)
}
async function answered(chatId: string, times = 1): Promise<void> {
  await greenApi.waitFor(() => sentTo(chatId).length >= times, `${times} answers to ${chatId}`)
  await app.settle()
}
async function conversations(): Promise<Conversation[]> {
  const { page } = await person.http.query(api.conversations.list, PAGE)
  return page.filter(({ customer }) => customer?.name === name())
}
/** Conversations as stored, merged ones included. */
async function chats() {
  const ids = (await customers()).map(({ id }) => id)
  return app.database.system('test: chats', (db) =>
    db.selectFrom('conversations').where('customer_id', 'in', ids).select(['id', 'status', 'thread_id']).execute(),
  )
}
async function messages(): Promise<Message[]> {
  const [conversation] = await conversations()
  if (!conversation) return []
  return (await person.http.query(api.conversations.messages, { conversationId: conversation._id, ...PAGE })).page
}
async function customers() {
  const { rows } = await app.database.system('test: contacts', (db) =>
    sql<{ id: Id<'customers'>; external_id: string; is_merged: boolean }>`
      select c.id, c.external_id, c.person_id is not null as is_merged from customers c
      join channel_connections n on n.id = c.connection_id
      where c.name = ${name()} and n.external_account_id <> ${other.instance.idInstance} order by c.created_at`.execute(
      db,
    ),
  )
  return rows
}
async function contacts() {
  return (await customers()).map(({ external_id, is_merged }) => ({ external_id, is_merged }))
}
