// Two contacts that WhatsApp reports to be one, one of which edits an earlier message: the edit applies in the conversation of the message,
// and before it is answered there.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeInstance, postNotification, startFakeGreenApi } from '#tests/fakes/green-api/green-api.ts'
import { edits, saysHidden } from '#tests/fakes/green-api/green-api-scenes.ts'
import { echo, scriptedLlm } from '#tests/pipeline-world.ts'

type Body = ReturnType<typeof saysHidden>

const greenApi = await startFakeGreenApi({ secondMs: 5 })
let app: TestApp
let person: Person
let agentId: Id<'agents'>
let instance: FakeInstance
let count = 0
const phone = () => String(77_005_000_000 + count)
const lid = () => String(112_896_000_000_000 + count)

beforeAll(async () => {
  const config = { publicUrl: 'https://parley.example', hasPublicUrl: true }
  app = await startApp({ greenApi, config, overrides: { llm: scriptedLlm(echo) } })
  greenApi.webhookOrigin = () => app.url
  person = await app.signUp()
  agentId = (await person.http.mutation(api.agents.create, { name: 'Helper' }))._id
  instance = greenApi.addInstance()
  const { idInstance, apiToken } = instance
  await person.http.action(api.channels.whatsapp.provision, { agentId, idInstance, apiToken })
  await greenApi.waitFor(() => instance.state === 'authorized', 'the instance')
  await app.settle()
})
beforeEach(async () => {
  count++
  await waitBeforeAnswers(0)
})
afterAll(async () => {
  await app.close()
  await greenApi.close()
})

it('is applied to the message where it was sent, and not answered again', async () => {
  const message = await becomeOne()
  const before = greenApi.sent.length
  await post(changes(message, 'Three cups'))
  expect(await words()).toEqual(['Both', 'Open', 'Three cups'])
  expect(greenApi.sent).toHaveLength(before)
})

it('is answered there, if the message is not answered yet', async () => {
  await waitBeforeAnswers(60)
  const message = await becomeOne()
  await post(changes(message, 'Three cups'))
  await sql`update turns set not_before = now() where status = 'pending'`.execute(app.database.root)
  await app.settle()
  const answers = greenApi.sent.filter(({ chatId }) => chatId === `${lid()}@lid`)
  expect(answers.map(({ text }) => text)).toEqual(['You said: Three cups'])
})

it('matches its message by the hidden id and by the number, also when the two are separated again', async () => {
  const message = await becomeOne()
  await post(edits(greenApi, instance.idInstance, { phone: phone() }, String(message.idMessage), 'Three cups'))
  expect(await words()).toEqual(['Both', 'Open', 'Three cups'])
  const { rows } = await sql<{ id: Id<'customers'> }>`select id from customers where person_id is not null`.execute(
    app.database.root,
  )
  for (const { id } of rows) await person.http.mutation(api.conversations.contacts.separate, { customerId: id })
  await post(changes(message, 'Four cups'))
  expect(await words()).toEqual(['Both', 'Four cups', 'Open'])
})

it('does not match messages of other customers', async () => {
  const message = await becomeOne()
  const other = { phone: String(Number(phone()) + 1_000_000) }
  await post(greenApi.textMessage(instance.idInstance, other, 'I am somebody else'))
  await post(edits(greenApi, instance.idInstance, other, String(message.idMessage), 'A hundred cups'))
  expect(await words()).toEqual(['Both', 'Open', 'Two cups'])
})

/** A customer writes from an id that hides their number, then from the number, then with both. @returns their first message */
async function becomeOne(): Promise<Body> {
  const { idInstance } = instance
  const message = saysHidden(greenApi, idInstance, { lid: lid() }, 'Two cups')
  await post(message)
  await post(greenApi.textMessage(idInstance, { phone: phone() }, 'Open'))
  await post(saysHidden(greenApi, idInstance, { lid: lid(), phone: phone() }, 'Both'))
  return message
}

/** An edit from the hidden id. */
function changes(message: Body, text: string): Body {
  const edit = saysHidden(greenApi, instance.idInstance, { lid: lid() }, '')
  const editedMessageData = { textMessage: text, stanzaId: message.idMessage }
  return { ...edit, messageData: { typeMessage: 'editedMessage', editedMessageData } }
}

async function post(body: unknown): Promise<void> {
  const { webhookUrl, webhookUrlToken } = instance.settings
  const url = app.url + new URL(webhookUrl).pathname
  expect(await postNotification({ url, token: webhookUrlToken }, body)).toBe(true)
  await app.settle()
}

async function waitBeforeAnswers(seconds: number): Promise<void> {
  await person.http.mutation(api.agents.update, { id: agentId, patch: { buffer: { seconds } } })
}

/** The customer's, from any id. */
async function words(): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select m.text from messages m join conversations c on c.id = m.conversation_id
    where c.external_chat_id in (${`${lid()}@lid`}, ${`${phone()}@c.us`}) and m.author = 'customer' order by m.text`.execute(
    app.database.root,
  )
  return rows.map(({ text }) => text)
}
