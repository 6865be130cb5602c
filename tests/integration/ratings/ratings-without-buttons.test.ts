// The question for a rating in channels without buttons, through the whole server: only a number that cannot mean anything else is
// a rating. Everything else is a message like any other, and answered.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createOutbound } from '#server/integrations/http/outbound.ts'
import type { Id } from '#shared/ids.ts'
import type { Message, OpenConversation } from '#shared/messaging/conversations.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { makeQuestionsDue } from '#tests/conversation-parts.ts'
import { type FakeGreenApi, startFakeGreenApi } from '#tests/fakes/green-api/green-api.ts'
import { edits, repliesTo } from '#tests/fakes/green-api/green-api-scenes.ts'
import { type FakeHttpProgram, headersFor, startFakeHttpProgram } from '#tests/fakes/http/http-channel.ts'
import { echo, scriptedLlm } from '#tests/pipeline-world.ts'

const QUESTION = 'How would you rate our help, from 1 (bad) to 5 (excellent)? Reply with one number.'
const thanks = (score: number) =>
  `Thank you for rating us ${score} out of 5! To add a few words, reply to this message.`
const PAGE = { paginationOpts: { numItems: 20, cursor: null } }

/** One customer of a channel. `replies`: to the last message of this text that they received. */
type Customer = {
  agentId: Id<'agents'>
  says(text: string): Promise<void>
  replies(text: string, to: string): Promise<void>
  heard(): string[]
}

let greenApi: FakeGreenApi
let program: FakeHttpProgram
let app: TestApp
let person: Person
let phone = 77001234567
/** The model answers after it. */
let isThought: Promise<void> = Promise.resolve()

beforeAll(async () => {
  greenApi = await startFakeGreenApi({ secondMs: 5 })
  program = await startFakeHttpProgram()
  const llm = scriptedLlm((request) => isThought.then(() => echo(request)))
  app = await startApp({
    greenApi,
    overrides: { outbound: createOutbound({ isAllowed: () => true }), llm, waitShare: 0.05 },
  })
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
  const agentId = await addAgent()
  const chatId = `chat ${agentId}`
  const target = { agentId, name: 'Shop app', url: program.url }
  const { connection, secrets } = await person.http.action(api.channels.http.provision, target)
  program.outboundSecret = secrets.outbound
  async function post(message: object): Promise<void> {
    const body = JSON.stringify({ type: 'message', chatId, sender: { name: 'Anna' }, ...message })
    const url = `${app.url}/api/channels/http/${connection._id}/messages`
    const answer = await fetch(url, { method: 'POST', headers: headersFor(secrets.inbound, body), body })
    expect(answer.ok).toBe(true)
  }
  return {
    agentId,
    says: (text) => post({ text }),
    replies: (text, to) =>
      post({ text, replyTo: program.shown.findLast((event) => event.chatId === chatId && event.text === to)?.id }),
    heard: () => program.textsTo(chatId),
  }
}

/** `changes`: edits one of their messages. `saysLate`: the edit arrives before the message. */
type Changing = Customer & {
  changes(before: string, text: string): void
  saysLate(text: string, changed: string): void
}

async function customerOfWhatsapp(): Promise<Changing> {
  const { idInstance, apiToken } = greenApi.addInstance()
  const agentId = await addAgent()
  const from = { phone: String(phone++), name: 'Anna' }
  await person.http.action(api.channels.whatsapp.provision, { agentId, idInstance, apiToken })
  const messageIds = new Map<string, string>()
  return {
    agentId,
    says: async (text) => void messageIds.set(text, greenApi.customerSays(idInstance, from, text)),
    changes: (before, text) =>
      greenApi.notify(idInstance, edits(greenApi, idInstance, from, messageIds.get(before) ?? '', text)),
    saysLate(text, changed) {
      const message = greenApi.textMessage(idInstance, from, text)
      greenApi.notify(idInstance, edits(greenApi, idInstance, from, String(message.idMessage), changed))
      greenApi.notify(idInstance, message)
    },
    async replies(text, to) {
      const sent = greenApi.sentTo(from.phone).findLast((message) => message.text === to)
      if (!sent) throw new Error(`the customer did not receive "${to}"`)
      greenApi.notify(idInstance, repliesTo(greenApi, idInstance, from, text, sent))
    },
    heard: () => greenApi.sentTo(from.phone).map(({ text }) => text),
  }
}

async function conversationOf({ agentId }: Customer): Promise<OpenConversation> {
  const [found] = (await person.http.query(api.conversations.list, { ...PAGE, agentId })).page
  if (!found) throw new Error('there is no conversation')
  return person.http.query(api.conversations.get, { conversationId: found._id })
}

async function messagesOf(customer: Customer): Promise<Message[]> {
  const { _id: conversationId } = await conversationOf(customer)
  return (await person.http.query(api.conversations.messages, { ...PAGE, conversationId })).page.toReversed()
}

async function hears(customer: Customer, count: number): Promise<void> {
  await expect.poll(() => customer.heard().length, { timeout: 20_000 }).toBe(count)
  await app.settle()
}

async function end(customer: Customer): Promise<void> {
  const { _id: conversationId } = await conversationOf(customer)
  await person.http.mutation(api.conversations.end, { conversationId })
  await app.database.system('test: the time to ask has come', (db) => makeQuestionsDue.execute(db))
}

/** A customer is answered, and asked for a rating when the conversation is ended. `first`: their first message. */
async function asked<Who extends Customer>(open: () => Promise<Who>, first = 'What do you charge?'): Promise<Who> {
  const customer = await open()
  await customer.says(first)
  await hears(customer, 1)
  await end(customer)
  await hears(customer, 2)
  expect(customer.heard()[1]).toBe(QUESTION)
  return customer
}

async function change(customer: Customer, columns: string, table = 'conversations', key = 'id'): Promise<void> {
  const { _id: id } = await conversationOf(customer)
  await sql`update ${sql.table(table)} set ${sql.raw(columns)} where ${sql.ref(key)} = ${id}`.execute(app.database.root)
}

describe.each([
  ['http', customerOfProgram],
  ['whatsapp', customerOfWhatsapp],
] as const)('by %s', (_, open) => {
  it('a number that comes next is the rating; a second one is a message', async () => {
    const customer = await asked(open)
    await customer.says('5')
    await hears(customer, 3)
    expect(customer.heard()[2]).toBe(thanks(5))
    expect(await conversationOf(customer)).toMatchObject({
      status: 'ended',
      rating: { score: 5, comment: null },
      waitingSince: null,
    })
    expect((await messagesOf(customer)).map(({ author, reason }) => [author, reason]).slice(2)).toEqual([
      ['agent', 'rating_question'],
      ['customer', 'rating'],
      ['agent', 'rating_thanks'],
    ])
    await customer.says('4')
    await hears(customer, 4)
    expect(await conversationOf(customer)).toMatchObject({ status: 'active', rating: { score: 5 } })
  })

  it('a number that replies to the question changes the rating; a text that replies to the thanks is a comment on it', async () => {
    const customer = await asked(open)
    await customer.replies('5', QUESTION)
    await hears(customer, 3)
    await customer.replies('2', QUESTION)
    await hears(customer, 4)
    expect(customer.heard().slice(2)).toEqual([thanks(5), thanks(2)])
    await customer.replies('The courier was late.', thanks(2))
    await hears(customer, 5)
    const { status, rating } = await conversationOf(customer)
    expect([status, rating]).toMatchObject(['active', { score: 2, comment: 'The courier was late.' }])
  })

  it.each<[string, (customer: Customer) => Promise<void>]>([
    ['that replies to something else', (customer) => customer.replies('3', customer.heard()[0] ?? '')],
    [
      'that follows another message',
      async (customer) => {
        await customer.says('Wait, where is it?')
        await hears(customer, 3)
        await customer.says('3')
      },
    ],
    [
      'that replies to the question after another message',
      async (customer) => {
        await customer.says('Wait, where is it?')
        await hears(customer, 3)
        await customer.replies('3', QUESTION)
      },
    ],
    [
      'that comes too late',
      async (customer) => {
        await change(customer, `first_tried_at = first_tried_at - interval '25 hours'`, 'outbox', 'conversation_id')
        await customer.says('3')
      },
    ],
    [
      'that comes although the question was not sent',
      async (customer) => {
        const { _id: id } = await conversationOf(customer)
        await sql`update outbox set status = 'unknown' where conversation_id = ${id} and text = ${QUESTION}`.execute(
          app.database.root,
        )
        await customer.says('3')
      },
    ],
    [
      'in a reopened conversation',
      async (customer) => {
        const { _id: conversationId } = await conversationOf(customer)
        await person.http.mutation(api.conversations.resume, { conversationId })
        await customer.says('3')
      },
    ],
    ['with more than itself', (customer) => customer.says('3, thanks')],
    ['that is out of the scale', (customer) => customer.says('6')],
  ])('a number %s is a message like any other', async (_, say) => {
    const customer = await asked(open)
    await say(customer)
    // WhatsApp is polled: the number may come a while after it was sent.
    const authors = async () => (await messagesOf(customer)).slice(-2).map(({ author, text }) => [author, text?.[0]])
    await expect.poll(authors, { timeout: 20_000 }).toEqual([
      ['customer', expect.stringMatching(/\d/)],
      ['agent', expect.anything()],
    ])
    await app.settle()
    const messages = await messagesOf(customer)
    expect(messages.some(({ reason }) => reason === 'rating' || reason === 'rating_thanks')).toBe(false)
    expect(messages.at(-1)?.turnId).not.toBeNull()
    expect((await conversationOf(customer)).rating).toBeNull()
  })

  it('a number after a person’s message is a message, which the agent does not answer', async () => {
    const customer = await asked(open)
    const { _id: conversationId } = await conversationOf(customer)
    await person.http.mutation(api.conversations.reply, {
      conversationId,
      text: 'How many do you want?',
      attachments: [],
    })
    await hears(customer, 3)
    for (const say of [() => customer.says('3'), () => customer.replies('3', QUESTION)]) {
      const { messageCount } = await conversationOf(customer)
      await say()
      await expect.poll(async () => (await conversationOf(customer)).messageCount).toBe(messageCount + 1)
      expect((await messagesOf(customer)).at(-1)).toMatchObject({ author: 'customer', text: '3', reason: null })
    }
    expect((await conversationOf(customer)).rating).toBeNull()
  })

  it.each([
    ['a list by number', ['One of these:\n1. Tea\n2. Coffee']],
    ['a numbered list followed by another message', ['One of these:\n1. Tea\n2. Coffee', 'Which one?']],
  ])('a number after %s is a message, unless it replies to the question', async (_, lines) => {
    const customer = await open()
    await customer.says('What do you have?')
    await hears(customer, 1)
    const { _id: conversationId } = await conversationOf(customer)
    for (const text of lines) {
      await person.http.mutation(api.conversations.reply, { conversationId, text, attachments: [] })
    }
    const heard = 1 + lines.length
    await hears(customer, heard)
    await end(customer)
    await hears(customer, heard + 1)
    await customer.says('2')
    await hears(customer, heard + 2)
    expect(await conversationOf(customer)).toMatchObject({ status: 'active', rating: null })
    await end(customer)
    await hears(customer, heard + 3)
    await customer.replies('2', QUESTION)
    await hears(customer, heard + 4)
    expect(await conversationOf(customer)).toMatchObject({ status: 'ended', rating: { score: 2 } })
  })
})

it('a number sent before the question is a message like any other', async () => {
  const customer = await asked(customerOfWhatsapp)
  await change(customer, `first_tried_at = first_tried_at + interval '1 minute'`, 'outbox', 'conversation_id')
  await customer.says('3')
  await hears(customer, 3)
  expect(await conversationOf(customer)).toMatchObject({ status: 'active', rating: null })
})

it('a rating that is edited while an answer is generated counts in its edited form, and triggers no other turn', async () => {
  const customer = await asked(customerOfWhatsapp)
  await customer.says('4')
  await hears(customer, 3)
  const thought = Promise.withResolvers<void>()
  isThought = thought.promise
  onTestFinished(() => thought.resolve())
  await customer.says('One more thing')
  const score = async () => (await conversationOf(customer)).rating?.score
  await expect.poll(async () => (await conversationOf(customer)).status).toBe('active')
  for (const changed of ['5', '3']) {
    customer.changes('4', changed)
    await expect.poll(score, { timeout: 10_000 }).toBe(Number(changed))
  }
  thought.resolve()
  await hears(customer, 4)
  const messages = await messagesOf(customer)
  expect(messages.slice(-4).map(({ text }) => text)).toEqual(['3', thanks(4), 'One more thing', customer.heard()[3]])
  const { _id: id } = await conversationOf(customer)
  const turns = sql<{ status: string }>`select status from turns where conversation_id = ${id}`
  expect((await turns.execute(app.database.root)).rows).toEqual([{ status: 'done' }, { status: 'done' }])
})

it('a rating that was edited before it arrived counts in its edited form', async () => {
  const customer = await asked(customerOfWhatsapp)
  customer.saysLate('4', '5')
  await hears(customer, 3)
  expect((await conversationOf(customer)).rating?.score).toBe(5)
  expect((await messagesOf(customer)).at(-2)).toMatchObject({ text: '5' })
})
