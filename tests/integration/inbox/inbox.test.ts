// The inbox through the official client: live lists, an operator's reply, pause and resume.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { GenerateRequest } from '#server/integrations/llm/llm.ts'
import { appErrorData } from '#shared/errors.ts'
import type { Conversation, Message } from '#shared/messaging/conversations.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { echo, scriptedLlm } from '#tests/pipeline-world.ts'

const FIRST_PAGE = { paginationOpts: { numItems: 20, cursor: null } }

let telegram: FakeTelegram
let app: TestApp
let person: Person
let token: string
let model: (request: GenerateRequest) => string | Promise<string> = echo
let chat = 3000

beforeAll(async () => {
  telegram = await startFakeTelegram()
  app = await startApp({ telegram, overrides: { llm: scriptedLlm((request) => model(request)) } })
  person = await app.signUp({ name: 'Olga' })
  const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Helper' })
  token = telegram.addBot().token
  await person.http.action(api.channels.telegram.provision, { agentId, botToken: token })
})
afterAll(async () => {
  await app.close()
  await telegram.close()
})
beforeEach(() => {
  model = echo
  chat++
})

/** A customer writes and is answered; the conversation as the inbox shows it. */
async function conversationWith(name: string): Promise<Conversation> {
  telegram.customerSays(token, { chatId: chat, firstName: name }, 'Hello')
  await telegram.waitForSent(chat)
  await app.settle()
  const { page } = await person.http.query(api.conversations.list, FIRST_PAGE)
  const found = page.find((conversation) => conversation.customer?.name === name)
  if (!found) throw new Error(`no conversation with ${name}`)
  return found
}

async function messagesOf({ _id: conversationId }: Conversation): Promise<Message[]> {
  const { page } = await person.http.query(api.conversations.messages, { conversationId, ...FIRST_PAGE })
  return page
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** The ticket of an uploaded file. */
async function upload(name: string, bytes: Buffer, by: Person = person): Promise<string> {
  const answer = await fetch(`${app.url}/api/files/uploads?name=${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await by.token()}` },
    body: new Uint8Array(bytes),
  })
  return ((await answer.json()) as { ticket: string }).ticket
}

async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  return call.then(
    () => undefined,
    (error: unknown) => appErrorData(error)?.code,
  )
}

describe('a conversation', () => {
  it('opens around one of its messages, and continues live from there', async () => {
    const { _id: conversationId } = await conversationWith('Long')
    const reply = async (text: string) =>
      (await person.http.mutation(api.conversations.reply, { conversationId, text, attachments: [] })).messageId
    const messageId = await reply('First')
    await reply('Second')
    const texts = (page: Message[]) => page.filter(({ author }) => author !== 'system').map(({ text }) => text)
    const around = async (side: 'upTo' | 'after', id = messageId) => {
      const call = { conversationId, around: { messageId: id, side }, ...FIRST_PAGE }
      return texts((await person.http.query(api.conversations.messages, call)).page)
    }
    expect(await around('upTo')).toEqual(['First', 'You said: Hello', 'Hello'])
    expect(await around('after')).toEqual(['Second'])
    const missing = 'missing' as typeof messageId
    expect(await around('upTo', missing)).toEqual(['Second', 'First', 'You said: Hello', 'Hello'])
    expect(await around('after', missing)).toEqual([])
    const newest: (string | undefined)[] = []
    const call = { conversationId, around: { messageId, side: 'after' as const }, ...FIRST_PAGE }
    const stop = person.live().onUpdate(api.conversations.messages, call, ({ page }) => newest.push(texts(page).at(-1)))
    await expect.poll(() => newest.at(-1)).toBe('Second')
    await reply('Third')
    await expect.poll(() => newest.at(-1)).toBe('Third')
    stop()
  })
})

describe('the list', () => {
  it('shows a conversation live, from the first message to the answer', async () => {
    const seen: string[] = []
    const answered = Promise.withResolvers<void>()
    const stop = person.live().onUpdate(api.conversations.list, FIRST_PAGE, ({ page }) => {
      const mine = page.find((conversation) => conversation.customer?.name === 'Vera')
      if (mine?.lastMessage) seen.push(mine.lastMessage.author)
      if (mine?.lastMessage?.author === 'agent' && !mine.isReplying) answered.resolve()
    })
    await conversationWith('Vera')
    await answered.promise
    stop()
    expect(seen.at(-1)).toBe('agent')
  })

  it('has the newest first, and filters by status and agent', async () => {
    const first = await conversationWith('First')
    chat++
    const second = await conversationWith('Second')
    const names = async (filter: object) => {
      const { page } = await person.http.query(api.conversations.list, { ...FIRST_PAGE, ...filter })
      return page.map((conversation) => conversation.customer?.name)
    }
    expect((await names({})).slice(0, 2)).toEqual(['Second', 'First'])
    await person.http.mutation(api.conversations.pause, { conversationId: first._id })
    expect(await names({ status: 'paused' })).toContain('First')
    expect(await names({ status: 'active' })).not.toContain('First')
    expect(await names({ agentId: second.agentId })).toContain('Second')
    const other = await person.http.mutation(api.agents.create, { name: 'Other' })
    expect(await names({ agentId: other._id })).toEqual([])
  })

  it('counts unread messages until a member opens them', async () => {
    const conversation = await conversationWith('Nina')
    expect(conversation.unreadCount).toBe(1)
    await person.http.mutation(api.conversations.markRead, { conversationId: conversation._id })
    const shown = await person.http.query(api.conversations.get, { conversationId: conversation._id })
    expect(shown.unreadCount).toBe(0)
  })
})

describe('an operator', () => {
  it('replies in the same thread, and the agent is silent from then on', async () => {
    const conversation = await conversationWith('Anna')
    const { _id: conversationId } = conversation
    await person.http.mutation(api.conversations.reply, { conversationId, text: 'This is Olga. How can I help?' })
    const [, reply] = await telegram.waitForSent(chat, 2)
    expect(reply?.text).toBe('This is Olga. How can I help?')
    expect(await person.http.query(api.conversations.get, { conversationId })).toMatchObject({ status: 'paused' })
    telegram.customerSays(token, { chatId: chat, firstName: 'Anna' }, 'With my order')
    await telegram.waitFor(() => telegram.isTaken(token), 'the message to be taken')
    await app.settle()
    expect(telegram.sentTo(chat)).toHaveLength(2)
    expect(await messagesOf(conversation)).toMatchObject([
      { author: 'customer', text: 'With my order' },
      { author: 'operator', authorName: 'Olga', deliveries: [{ status: 'sent' }] },
      { author: 'agent', deliveries: [{ status: 'sent' }] },
      { author: 'customer', authorName: 'Anna', text: 'Hello' },
    ])
  })

  it('sends files after a text, or without one, and the agent is silent from then on', async () => {
    const conversation = await conversationWith('Asel')
    const { _id: conversationId } = conversation
    const attachments = [await upload('room.png', PNG), await upload('prices.txt', Buffer.from('Room: 100'))]
    await person.http.mutation(api.conversations.reply, { conversationId, text: 'Look', attachments })
    const sent = await telegram.waitForSent(chat, 4)
    expect(sent.slice(1)).toMatchObject([
      { text: 'Look' },
      { photo: { name: 'room.png' } },
      { document: { name: 'prices.txt', bytes: new Uint8Array(Buffer.from('Room: 100')) } },
    ])
    const shown = await person.http.query(api.conversations.get, { conversationId })
    expect(shown).toMatchObject({ status: 'paused', pauseReason: 'operator_reply', lastMessage: { text: 'Look' } })
    await person.http.mutation(api.conversations.reply, {
      conversationId,
      text: '',
      attachments: [await upload('prices.txt', Buffer.from('Room: 100'))],
    })
    await telegram.waitForSent(chat, 5)
    await app.settle()
    expect((await messagesOf(conversation)).slice(0, 2)).toMatchObject([
      { text: '', attachments: [{ kind: 'document', name: 'prices.txt' }], deliveries: [{ status: 'sent' }] },
      { text: 'Look', attachments: [{ kind: 'image' }, { kind: 'document' }] },
    ])
    await person.http.mutation(api.conversations.resume, { conversationId })
    telegram.customerSays(token, chat, 'Thanks')
    let sentRequest: GenerateRequest | undefined
    model = (request) => {
      sentRequest = request
      return 'Welcome'
    }
    await telegram.waitForSent(chat, 6)
    expect(JSON.stringify(sentRequest?.messages)).toContain('[File: prices.txt]')
  })

  it('cannot send an empty message, or files that another user has uploaded', async () => {
    const { _id: conversationId } = await conversationWith('Dana')
    const stranger = await app.signUp()
    const theirs = await upload('theirs.txt', Buffer.from('x'), stranger)
    const replies = [
      person.http.mutation(api.conversations.reply, { conversationId, text: ' ' }),
      person.http.mutation(api.conversations.reply, { conversationId, text: 'Look', attachments: [theirs] }),
    ]
    expect(await Promise.all(replies.map(codeOf))).toEqual(['message_empty', 'upload_expired'])
    expect(await person.http.query(api.conversations.get, { conversationId })).toMatchObject({ status: 'active' })
  })

  it('sends an upload once', async () => {
    const { _id: conversationId } = await conversationWith('Dina')
    const ticket = await upload('once.txt', Buffer.from('x'), person)
    const reply = (files: string[]) =>
      person.http.mutation(api.conversations.reply, { conversationId, text: 'Look', attachments: files })
    expect(await codeOf(reply([ticket, ticket]))).toBe('upload_expired')
    await reply([ticket])
    expect(await codeOf(reply([ticket]))).toBe('upload_expired')
  })

  it('who resumes the agent lets it answer waiting customers only', async () => {
    const { _id: conversationId } = await conversationWith('Lena')
    await person.http.mutation(api.conversations.reply, { conversationId, text: 'One moment' })
    await telegram.waitForSent(chat, 2)
    await person.http.mutation(api.conversations.resume, { conversationId })
    await app.settle()
    expect(telegram.sentTo(chat)).toHaveLength(2)
    await person.http.mutation(api.conversations.pause, { conversationId })
    telegram.customerSays(token, chat, 'Are you there?')
    await telegram.waitFor(() => telegram.isTaken(token), 'the message to be taken')
    await person.http.mutation(api.conversations.resume, { conversationId })
    const sent = await telegram.waitForSent(chat, 3)
    expect(sent.at(-1)?.text).toBe('You said: Are you there?')
  })

  it('can pause the agent while it is writing', async () => {
    const { _id: conversationId } = await conversationWith('Zoya')
    const asked = Promise.withResolvers<void>()
    model = (request) => {
      asked.resolve()
      return new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)))
    }
    telegram.customerSays(token, chat, 'Tell me a long story')
    await asked.promise
    expect(await person.http.query(api.conversations.get, { conversationId })).toMatchObject({ isReplying: true })
    await person.http.mutation(api.conversations.pause, { conversationId, resumeAfterMs: 3_600_000 })
    await app.settle()
    expect(telegram.sentTo(chat)).toHaveLength(1)
    const shown = await person.http.query(api.conversations.get, { conversationId })
    expect(shown).toMatchObject({ status: 'paused', isReplying: false })
    expect(shown.resumeAt).toBeGreaterThan(Date.now() + 3_500_000)
  })

  it('ends a conversation; the next message of the customer reopens it', async () => {
    const { _id: conversationId } = await conversationWith('Rita')
    await person.http.mutation(api.conversations.end, { conversationId })
    expect(await codeOf(person.http.mutation(api.conversations.pause, { conversationId }))).toBe(
      'conversation_not_pausable',
    )
    telegram.customerSays(token, chat, 'One more thing')
    await telegram.waitForSent(chat, 2)
    expect(await person.http.query(api.conversations.get, { conversationId })).toMatchObject({ status: 'active' })
  })

  it('sees a send of unknown outcome, and may send it again', async () => {
    const conversation = await conversationWith('Yana')
    telegram.dropAnswers(1)
    telegram.customerSays(token, chat, 'Hello again')
    await telegram.waitForSent(chat, 2)
    await app.settle()
    const [part] = (await messagesOf(conversation))[0]?.deliveries ?? []
    expect(part).toMatchObject({ status: 'unknown' })
    if (part) await person.http.mutation(api.conversations.resend, { outboxId: part._id })
    await telegram.waitForSent(chat, 3)
    await app.settle()
    expect((await messagesOf(conversation))[0]?.deliveries).toMatchObject([{ status: 'sent' }])
  })
})

describe('a conversation that needs a person', () => {
  const needsPerson = async () => {
    const { page } = await person.http.query(api.conversations.list, { ...FIRST_PAGE, needsPerson: true })
    return page.map((conversation) => conversation.customer?.name)
  }

  it('is found until a person has come, in any way', async () => {
    const { _id: conversationId } = await conversationWith('Ida')
    expect(await needsPerson()).not.toContain('Ida')
    telegram.customerSays(token, { chatId: chat, firstName: 'Ida' }, 'I want a human')
    await telegram.waitFor(() => telegram.isTaken(token), 'the message to be taken')
    await app.settle()
    expect(await needsPerson()).toContain('Ida')
    expect(await person.http.query(api.conversations.get, { conversationId })).toMatchObject({
      status: 'paused',
      pauseReason: 'customer_request',
      needsPerson: true,
      calledFor: 'customer_request',
    })
    await person.http.mutation(api.conversations.reply, { conversationId, text: 'Here I am' })
    expect(await needsPerson()).not.toContain('Ida')
    expect(await person.http.query(api.conversations.get, { conversationId })).toMatchObject({
      pauseReason: 'operator_reply',
      needsPerson: false,
      calledFor: null,
    })
  })

  it('shows what the agent noted, until the agent resumes', async () => {
    const { _id: conversationId } = await conversationWith('Uma')
    model = async (request) => {
      const call = { reason: 'missing_knowledge', note: 'Asks for a cot' }
      await request.tools.find((tool) => tool.name === 'hand_off')?.run(call, request.signal)
      return 'A colleague will answer.'
    }
    telegram.customerSays(token, chat, 'Is there a cot?')
    await telegram.waitForSent(chat, 2)
    await app.settle()
    expect(await person.http.query(api.conversations.get, { conversationId })).toMatchObject({
      pauseReason: 'missing_knowledge',
      needsPerson: true,
      handoffNote: 'Asks for a cot',
    })
    await person.http.mutation(api.conversations.resume, { conversationId })
    expect(await person.http.query(api.conversations.get, { conversationId })).toMatchObject({
      status: 'active',
      pauseReason: null,
      needsPerson: false,
      handoffNote: null,
    })
  })
})

describe("an operator's phrases", () => {
  it('resume the agent without leaving the conversation', async () => {
    const { agentId } = await conversationWith('Ada')
    const { handoff } = await person.http.query(api.agents.get, { id: agentId })
    const operator = { stop: [], resume: ['передаю боту'] }
    await person.http.mutation(api.agents.update, { id: agentId, patch: { handoff: { ...handoff, operator } } })
    const conversationId = (await person.http.query(api.conversations.list, FIRST_PAGE)).page[0]?._id
    if (!conversationId) throw new Error('no conversation')
    await person.http.mutation(api.conversations.reply, { conversationId, text: 'Минуту' })
    await person.http.mutation(api.conversations.reply, { conversationId, text: 'Готово, передаю боту' })
    await telegram.waitForSent(chat, 3)
    expect(await person.http.query(api.conversations.get, { conversationId })).toMatchObject({ status: 'active' })
    telegram.customerSays(token, chat, 'Thanks')
    const sent = await telegram.waitForSent(chat, 4)
    expect(sent.at(-1)?.text).toBe('You said: Thanks')
  })
})

describe('a stranger', () => {
  it('can neither see nor change it', async () => {
    const { _id: conversationId } = await conversationWith('Eva')
    const stranger = await app.signUp()
    expect((await stranger.http.query(api.conversations.list, FIRST_PAGE)).page).toEqual([])
    const calls = [
      stranger.http.query(api.conversations.get, { conversationId }),
      stranger.http.query(api.conversations.messages, { conversationId, ...FIRST_PAGE }),
      stranger.http.mutation(api.conversations.reply, { conversationId, text: 'hello' }),
      stranger.http.mutation(api.conversations.pause, { conversationId }),
      stranger.http.mutation(api.conversations.resume, { conversationId }),
      stranger.http.mutation(api.conversations.end, { conversationId }),
    ]
    expect(await Promise.all(calls.map(codeOf))).toEqual(calls.map(() => 'not_found'))
    await stranger.http.mutation(api.conversations.markRead, { conversationId })
    const shown = await person.http.query(api.conversations.get, { conversationId })
    expect(shown).toMatchObject({ status: 'active', unreadCount: 1 })
  })
})
