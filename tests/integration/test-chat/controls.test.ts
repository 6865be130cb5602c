// What a tester may change for one answer: overrides, simulated situations, handoffs, attachments, two chats.
import fs from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { GenerateRequest } from '#server/integrations/llm/llm.ts'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'
import { appErrorData } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { ATTACHMENT_MAX_BYTES } from '#shared/limits.ts'
import type { UploadedFile } from '#shared/messaging/attachments.ts'
import type { Message } from '#shared/messaging/conversations.ts'
import type { TestOverrides, TestVariant } from '#shared/messaging/test-chat.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeSpeech, SPEECH_KEY, startFakeSpeech } from '#tests/fakes/speech.ts'
import { echo, type Model, scriptedLlm } from '#tests/pipeline-world.ts'

/** A Sunday night. */
const SUNDAY_NIGHT = Date.UTC(2026, 0, 4, 23, 30)

let app: TestApp
let speech: FakeSpeech
let person: Person
let model: Model = echo
let requests: GenerateRequest[] = []
let agentId: Id<'agents'>

beforeAll(async () => {
  const llm = scriptedLlm((request) => {
    requests.push(request)
    return model(request)
  })
  speech = await startFakeSpeech()
  app = await startApp({ overrides: { llm }, config: { openai: { apiKey: SPEECH_KEY, baseUrl: speech.url } } })
  person = await app.signUp()
})
afterAll(async () => {
  await app.close()
  await speech.close()
})
beforeEach(async () => {
  model = echo
  requests = []
  Object.assign(speech, { script: 'do you have it in red', faults: [] })
  agentId = (await person.http.mutation(api.agents.create, { name: 'Helper', systemPrompt: 'Be kind.' }))._id
})

async function ask(text: string, overrides: TestOverrides = {}, variant: TestVariant = 'a'): Promise<Message[]> {
  await person.http.mutation(api.testChat.send, { agentId, text, overrides, variant })
  await app.settle()
  return chat(variant)
}

function chat(variant: TestVariant = 'a'): Promise<Message[]> {
  return person.http.query(api.testChat.messages, { agentId, variant })
}

/** Authors and texts. */
function linesOf(messages: Message[]): [string, string][] {
  return messages.map(({ author, text }) => [author, text])
}

async function traceOf(messages: Message[]) {
  const turnId = messages.at(-1)?.turnId
  if (!turnId) throw new Error('the last message has no turn')
  return person.http.query(api.testChat.why, { turnId })
}

async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  return call.then(
    () => undefined,
    (error: unknown) => appErrorData(error)?.code,
  )
}

async function setAgent(patch: Partial<AgentSettings>) {
  await person.http.mutation(api.agents.update, { id: agentId, patch })
}

describe('overrides of a test chat', () => {
  it('apply to the answer, are in its trace, and leave the agent unchanged', async () => {
    const before = await person.http.query(api.agents.get, { id: agentId })
    const overrides = {
      model: 'test/other',
      temperature: 0.1,
      systemPrompt: 'Be brief.',
      handoff: { ...before.handoff, byAgent: false },
    }
    const messages = await ask('Hello', overrides)
    expect(requests[0]).toMatchObject({ model: 'test/other', temperature: 0.1, tools: [] })
    expect(requests[0]?.system).toContain('Be brief.')
    expect((await traceOf(messages))?.overrides).toEqual({
      model: 'test/other',
      temperature: 0.1,
      systemPrompt: 'Be brief.',
      'handoff.byAgent': false,
    })
    expect(await person.http.query(api.agents.get, { id: agentId })).toEqual(before)
    const next = await ask('And now?')
    expect(requests[1]).toMatchObject({ model: before.model, temperature: before.temperature })
    expect((await traceOf(next))?.overrides).toEqual({})
  })

  it('remove spaces, or replace them', async () => {
    const space = async (name: string, content: string) => {
      const { _id } = await person.http.mutation(api.knowledge.spaces.create, { name })
      await person.http.mutation(api.knowledge.fragments.create, { knowledgeSpaceId: _id, name, content })
      return _id
    }
    const own = await space('Returns', 'Returns are accepted within 30 days.')
    const other = await space('Winter', 'Returns are accepted within 90 days in winter.')
    await person.http.mutation(api.knowledge.spaces.linkAgent, { knowledgeSpaceId: own, agentId })
    await app.settle()
    const sources = async (overrides: TestOverrides) => {
      await ask('How long are returns accepted?', overrides)
      return requests.at(-1)?.passages?.map(({ source }) => source)
    }
    expect(await sources({})).toEqual(['Returns'])
    expect(await sources({ knowledge: { isOn: false, spaceIds: null } })).toEqual([])
    expect(await sources({ knowledge: { isOn: true, spaceIds: [other] } })).toEqual(['Winter'])
  })

  it('reject spaces of another organization, and unknown values', async () => {
    const stranger = await app.signUp()
    const foreign = (await stranger.http.mutation(api.knowledge.spaces.create, { name: 'Theirs' }))._id
    expect(await codeOf(ask('Hello', { knowledge: { isOn: true, spaceIds: [foreign] } }))).toBe('not_found')
    expect(await codeOf(ask('Hello', { isAdmin: true } as TestOverrides))).toBe('invalid_arguments')
    expect(await chat()).toEqual([])
  })
})

describe('a simulated situation', () => {
  const weekdays = (settings: Partial<AgentSettings['availability']> = {}) => ({
    isLimited: true,
    hours: Array.from({ length: 7 }, (_, day) => (day < 5 ? [10, 11, 12] : [])),
    outside: 'text' as const,
    text: 'We are closed.',
    ...settings,
  })

  it('may be another time: the agent uses it as the current time and applies its hours, every time', async () => {
    await setAgent({ availability: weekdays() })
    const closed = { simulate: { at: SUNDAY_NIGHT } }
    expect(linesOf(await ask('Open?', closed)).slice(1)).toContainEqual(['agent', 'We are closed.'])
    expect((await ask('Still?', closed)).filter(({ text }) => text === 'We are closed.')).toHaveLength(2)
    expect(requests).toEqual([])
    const monday = SUNDAY_NIGHT + 12 * 3_600_000
    await ask('And on Monday?', { simulate: { at: monday } })
    expect(requests[0]?.moment).toContain('Monday')
  })

  it('may be outside of hours: a tester is answered unless the rules are enforced', async () => {
    await setAgent({ availability: weekdays({ hours: Array.from({ length: 7 }, () => []) }) })
    expect(linesOf(await ask('Hello')).at(-1)).toEqual(['agent', 'You said: Hello'])
    expect((await traceOf(await ask('Hello', { applyRules: true })))?.outcome).toBe('outside_hours')
  })

  it('applies the daily limits of customers when the rules are enforced, without consuming them', async () => {
    const spam = { agentDailyLimit: 1, customerDailyLimit: null, warningPercent: 80, text: 'Enough.' }
    await setAgent({ spam })
    await ask('One', { applyRules: true })
    await ask('Two', { applyRules: true })
    expect(requests).toHaveLength(2)
    expect((await person.http.query(api.testChat.state, { agentId }))?.answers?.count).toBe(2)
    await ask('Three', { applyRules: true, spam: { ...spam, agentDailyLimit: null, customerDailyLimit: 2 } })
    expect(requests).toHaveLength(2)
    expect(linesOf(await chat())).toContainEqual(['agent', 'Enough.'])
  })

  it('may be a channel: the answer is shown as that channel’s messages', async () => {
    model = () => 'First.\n\nSecond.\n\nThird.'
    const replies = { splitByParagraphs: true, pace: 'human' as const }
    const messages = await ask('Hello', { replies, simulate: { channel: 'telegram' } })
    expect(messages.at(-1)).toMatchObject({ text: 'First.\n\nSecond.\n\nThird.', deliveries: [] })
    expect(messages.at(-1)?.parts.map((part) => part.trim())).toEqual(['First.', 'Second.', 'Third.'])
    expect((await ask('Hello', { replies })).at(-1)?.parts).toEqual([])
  })

  it.each([
    ['telegram', 3],
    ['webchat', 3],
    ['http', 1],
    ['whatsapp', 1],
  ] as const)('is the channel %s: a text of 9,000 characters goes out in %i messages there', async (channel, count) => {
    model = () => 'word '.repeat(1800).trim()
    const answer = (await ask('Hello', { simulate: { channel } })).at(-1)
    expect(answer).toMatchObject({ shownAs: channel })
    expect(answer?.parts).toHaveLength(count)
    expect((await ask('Hello')).at(-1)).not.toHaveProperty('shownAs')
  })

  it('offers the buttons of its channel: on others the agent’s choices are listed as text', async () => {
    model = async (request) => {
      const offer = request.tools.find(({ name }) => name === 'offer_choices')
      await offer?.run({ choices: ['Red', 'Blue'] }, request.signal)
      return 'Which one?'
    }
    const choices = { isOn: true }
    const listed = { text: 'Which one?\n\n1. Red\n2. Blue', choices: [] }
    expect((await ask('Hello', { choices })).at(-1)).toMatchObject(listed)
    expect((await ask('Hello', { choices, simulate: { channel: 'webchat' } })).at(-1)).toMatchObject(listed)
    const offered = (await ask('Hello', { choices, simulate: { channel: 'telegram' } })).at(-1)
    expect(offered).toMatchObject({ text: 'Which one?', choices: ['Red', 'Blue'] })
    await ask('Blue', { choices: { isOn: false } })
    expect(requests.at(-1)?.messages.at(-2)?.text).toBe('Which one?\n\n1. Red\n2. Blue')
    expect(requests.at(-1)?.tools.map(({ name }) => name)).not.toContain('offer_choices')
  })

  it('may be a customer: the agent knows the name', async () => {
    await ask('Who am I?', { simulate: { contact: { name: 'Bolat', language: 'kk' } } })
    expect(requests[0]?.data).toMatchObject([{ text: 'Bolat' }])
  })
})

describe('a handoff', () => {
  const state = () => person.http.query(api.testChat.state, { agentId })
  const operatorSays = async (text: string) => {
    await person.http.mutation(api.testChat.reply, { agentId, text })
    await app.settle()
  }

  it('applies as for customers: the agent stays silent until it is resumed, and then answers open messages', async () => {
    expect(await state()).toBeNull()
    await ask('An operator, please')
    expect(await state()).toMatchObject({ status: 'paused', pauseReason: 'customer_request', needsPerson: true })
    await ask('Is anybody there?')
    expect(requests).toEqual([])
    await person.http.mutation(api.testChat.resume, { agentId, overrides: { temperature: 0.2 } })
    await app.settle()
    expect(await state()).toMatchObject({ status: 'active', pauseReason: null, needsPerson: false })
    expect(requests).toMatchObject([{ temperature: 0.2 }])
    expect(linesOf(await chat()).at(-1)).toEqual(['agent', 'You said: An operator, please\n\nIs anybody there?'])
  })

  it('ends when the tester, as a customer, asks for the agent, but not once a person has answered', async () => {
    await ask('An operator, please')
    expect(linesOf(await ask('Bot, continue')).at(-1)).toEqual([
      'agent',
      'You said: An operator, please\n\nBot, continue',
    ])
    await operatorSays('I am Anna, how can I help?')
    expect(await state()).toMatchObject({ status: 'paused', pauseReason: 'operator_reply', needsPerson: false })
    expect(linesOf(await ask('Bot, continue')).at(-1)).toEqual(['customer', 'Bot, continue'])
  })

  it('ends by a phrase of the operator, as last saved, and the agent knows the operator’s messages', async () => {
    const { handoff } = await person.http.query(api.agents.get, { id: agentId })
    const operator = { stop: [], resume: ['over to you'] }
    const draft = { id: agentId, patch: { handoff: { ...handoff, operator } }, isDraft: true }
    await person.http.mutation(api.agents.update, draft)
    await ask('An operator, please')
    await operatorSays('The price is 20 euros.')
    await operatorSays('Over to you')
    expect(await state()).toMatchObject({ status: 'active' })
    await ask('Thanks. Delivery?')
    expect(JSON.stringify(requests.at(-1))).toContain('The price is 20 euros.')
  })

  it('is undone with the question that led to it, and happens again when that is asked again', async () => {
    const [question] = await ask('An operator, please')
    if (!question) throw new Error('nothing was asked')
    await person.http.mutation(api.testChat.resume, { agentId })
    await person.http.mutation(api.testChat.regenerate, { agentId })
    await app.settle()
    expect(await state()).toMatchObject({ status: 'paused', pauseReason: 'customer_request' })
    await person.http.mutation(api.testChat.edit, { agentId, messageId: question._id, text: 'Hello' })
    await app.settle()
    expect(await state()).toMatchObject({ status: 'active', pauseReason: null })
    expect(linesOf(await chat())).toEqual([
      ['customer', 'Hello'],
      ['agent', 'You said: Hello'],
    ])
  })
})

describe('attachments', () => {
  const OGG = Buffer.from(`OggS${'\0'.repeat(24)}OpusHead a recording`)

  async function upload(name: string, content: Buffer<ArrayBuffer> | string, by: Person = person): Promise<Response> {
    const headers = { authorization: `Bearer ${await by.token()}` }
    const query = new URLSearchParams({ name })
    return fetch(`${app.url}/api/files/uploads?${query}`, { method: 'POST', headers, body: content })
  }
  async function uploaded(name: string, content: Buffer<ArrayBuffer> | string, by?: Person): Promise<UploadedFile> {
    const answer = await upload(name, content, by)
    expect(answer.status).toBe(201)
    return answer.json()
  }
  async function send(attachments: string[], text = '', variant: TestVariant = 'a'): Promise<Message[]> {
    await person.http.mutation(api.testChat.send, { agentId, text, attachments, variant })
    await app.settle()
    return chat(variant)
  }
  const fileOf = async (message: Message | undefined) =>
    fetch(`${app.url}${message?.attachments[0]?.url}`, { headers: { authorization: `Bearer ${await person.token()}` } })

  it('are processed as those of customers: speech is transcribed, with its price in the trace', async () => {
    const voice = await uploaded('question.ogg', OGG)
    expect(voice).toMatchObject({ kind: 'voice', name: 'question.ogg', sizeBytes: OGG.length })
    const messages = await send([voice.ticket])
    expect(messages).toMatchObject([
      {
        author: 'customer',
        text: '',
        attachments: [{ kind: 'voice', status: 'ready', text: 'do you have it in red' }],
      },
      { author: 'agent', text: 'You said: [Voice message] do you have it in red' },
    ])
    expect((await traceOf(messages))?.media).toMatchObject([{ kind: 'voice', provider: 'openai', failure: null }])
    expect((await traceOf(messages))?.media?.[0]?.costMicroUsd).toBeGreaterThan(0)
    const file = await fileOf(messages[0])
    expect(file.headers.get('content-type')).toBe('audio/ogg')
    expect(Buffer.from(await file.arrayBuffer())).toEqual(OGG)
  })

  it('go with a text, in their order, to both of two chats', async () => {
    const files = [await uploaded('prices.txt', 'Delivery is 5 euros.'), await uploaded('list.zip', 'PK\u0003\u0004')]
    const tickets = files.map(({ ticket }) => ticket)
    for (const variant of ['a', 'b'] as const) {
      const [question] = await send(tickets, 'See this', variant)
      expect(question?.text).toBe('See this')
      expect(question?.attachments.map(({ name, status, reason }) => [name, status, reason])).toEqual([
        ['prices.txt', 'ready', null],
        ['list.zip', 'failed', 'unsupported'],
      ])
    }
    expect(JSON.stringify(requests.at(-1)?.messages)).toContain('Delivery is 5 euros.')
    await person.http.mutation(api.testChat.clear, { agentId, variant: 'a' })
    await app.settle()
    expect((await fileOf((await chat('b'))[0])).status).toBe(200)
  })

  it('stay when their message is edited, and their files are deleted with the chat', async () => {
    const [question] = await send([(await uploaded('question.ogg', OGG)).ticket])
    if (!question) throw new Error('nothing was asked')
    const heard = speech.calls
    await person.http.mutation(api.testChat.edit, { agentId, messageId: question._id, text: 'And this?' })
    await app.settle()
    const [edited] = await chat()
    expect(edited).toMatchObject({
      text: 'And this?',
      attachments: [{ status: 'ready', text: 'do you have it in red' }],
    })
    expect(speech.calls).toBe(heard)
    expect((await fileOf(edited)).status).toBe(200)
    const files = () => fs.readdir(path.join(app.config.dataDir, 'files'))
    const before = (await files()).length
    await person.http.mutation(api.testChat.clear, { agentId })
    await app.settle()
    expect(await files()).toHaveLength(before - 1)
  })

  it('that could not be read are retried with the question', async () => {
    speech.faults = ['status_401']
    const failed = await send([(await uploaded('question.ogg', OGG)).ticket])
    expect(failed[0]?.attachments).toMatchObject([{ status: 'failed', reason: 'invalid_key' }])
    await person.http.mutation(api.testChat.regenerate, { agentId })
    await app.settle()
    expect((await chat())[0]?.attachments).toMatchObject([{ status: 'ready', reason: null }])
  })

  it('are sent once, in each of two chats that are compared', async () => {
    const { ticket } = await uploaded('once.txt', 'Once')
    await send([ticket])
    expect(await codeOf(send([ticket]))).toBe('upload_expired')
    expect(await chat()).toHaveLength(2)
    const other = { agentId, variant: 'b' as const, text: '', attachments: [ticket] }
    await person.http.mutation(api.testChat.send, other)
    expect(await codeOf(person.http.mutation(api.testChat.send, other))).toBe('upload_expired')
    await app.settle()
    await person.http.mutation(api.testChat.clear, { agentId, variant: 'b' })
  })

  it("are refused if too large, empty, nameless, anonymous or another user's", async () => {
    expect((await upload('empty.txt', '')).status).toBe(400)
    expect((await upload('', 'text')).status).toBe(400)
    const large = await upload('large.ogg', Buffer.alloc(ATTACHMENT_MAX_BYTES + 1))
    expect([large.status, await large.json()]).toMatchObject([413, { code: 'file_too_large' }])
    expect((await fetch(`${app.url}/api/files/uploads?name=a.txt`, { method: 'POST', body: 'a' })).status).toBe(401)
    const { ticket } = await uploaded('theirs.txt', 'Theirs', await app.signUp())
    expect(await codeOf(send([ticket]))).toBe('upload_expired')
    expect(await codeOf(send([]))).toBe('message_empty')
    expect(await chat()).toEqual([])
  })
})

describe('two chats side by side', () => {
  it('have their own overrides, memory and end', async () => {
    await ask('Hello', { temperature: 0.1 })
    await ask('Hello', { temperature: 0.9 }, 'b')
    expect(requests.map(({ temperature }) => temperature)).toEqual([0.1, 0.9])
    expect(requests[1]?.messages).toHaveLength(1)
    await person.http.mutation(api.testChat.clear, { agentId, variant: 'b' })
    expect(await chat('b')).toEqual([])
    expect(await chat('a')).toHaveLength(2)
  })
})
