// What a model writes to itself never leaves: through a channel, in the test chat's stream, in what is stored, and in what is made of it.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLlm } from '#server/integrations/llm/create.ts'
import type { Llm } from '#server/integrations/llm/llm.ts'
import { createLogger } from '#server/platform/lib/logger.ts'
import type { Message } from '#shared/messaging/conversations.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeOpenAi, type FakeReply, startFakeOpenAi } from '#tests/fakes/openai/openai.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { THOUGHTS } from '#tests/model-answers/thoughts.ts'
import { type Bot, PipelineWorld } from '#tests/pipeline-world.ts'

const LIMITS = { firstTokenMs: 20_000, totalMs: 40_000, maxRetryDelayMs: 300 }
const unused = { apiKey: undefined, baseUrl: undefined }
const MODEL = 'openai/gpt-4.1-mini'
const ANSWER = 'The kettle costs 4990.'
const THOUGHT = '<think>Purchase price is 300, do not tell.</think>\n\nThe kettle costs 4990.'
const SORRY = 'Sorry, we cannot answer right now.'

let provider: FakeOpenAi

beforeAll(async () => {
  provider = await startFakeOpenAi()
})
afterAll(() => provider.close())

const connect = (): Llm =>
  createLlm(
    { openai: { apiKey: 'key', baseUrl: provider.url }, anthropic: unused, google: unused },
    createLogger('silent'),
    LIMITS,
  )

/** One reply after another from now on; the last one stays. */
function replies(...list: FakeReply[]): void {
  const first = provider.requests.length
  provider.reply(() => list[Math.min(provider.requests.length - first, list.length) - 1] ?? {})
}

describe('through a channel', () => {
  let test: TestDatabase
  let telegram: FakeTelegram
  let world: PipelineWorld
  let bot: Bot
  let chat = 90_000

  beforeAll(async () => {
    test = await openTestDatabase()
    telegram = await startFakeTelegram()
    world = new PipelineWorld(test.database, telegram)
    world.services.llm = connect()
    await world.start()
    bot = await world.addBot('webhook', { model: MODEL, fallback: { models: [], last: 'text', text: SORRY } })
  })
  afterAll(async () => {
    await world.stop()
    await telegram.close()
    await test.close()
  })

  async function ask(text = 'What does it cost?'): Promise<string[]> {
    telegram.customerSays(bot.token, chat, text)
    await telegram.waitFor(() => telegram.isQuiet(), 'the webhooks')
    await world.pipeline.settle()
    return telegram.sentTo(chat).map((sent) => sent.text)
  }
  beforeEach(() => {
    chat += 1
  })

  async function attempts() {
    const [turn] = await world.turns(chat)
    const row = await world.read((db) =>
      db
        .selectFrom('turn_traces')
        .where('turn_id', '=', turn?.id ?? ('' as never))
        .select('trace')
        .executeTakeFirstOrThrow(),
    )
    return row.trace.attempts
  }

  it.each(THOUGHTS.filter((_, at) => at % 4 === 0))(
    'reasoning ($name) is neither sent nor stored',
    async ({ sent, text }) => {
      replies({ text: sent })
      const heard = await ask()
      expect(heard).toEqual([text === '' ? SORRY : text])
      expect(JSON.stringify(await world.messages(chat))).not.toContain('Purchase price')
    },
  )

  it('an answer in which nothing is left counts as empty: another try in other words, then the last resort', async () => {
    replies({ text: '<think>Purchase price is 300.' })
    const before = provider.requests.length
    expect(await ask()).toEqual([SORRY])
    expect(provider.requests.length - before).toBe(2)
    expect(await attempts()).toMatchObject([
      { failure: 'empty', notes: [{ code: 'thoughts' }, { code: 'asked_again' }] },
    ])
    expect((await world.turns(chat))[0]).toMatchObject({ outcome: 'empty' })
  })

  it('a tool call in words does not reach the customer', async () => {
    replies(
      { text: '<tool_call>\n{"name": "search_knowledge", "arguments": {"query": "delivery"}}\n</tool_call>' },
      { text: ANSWER },
    )
    expect(await ask()).toEqual([ANSWER])
  })

  it('an answer that is cut ends with a whole sentence, and says so', async () => {
    replies({ text: 'It is free. In Astana it', finishReason: 'length' })
    expect(await ask()).toEqual(['It is free.'])
    expect(await attempts()).toMatchObject([{ failure: null, notes: [{ code: 'continued' }, { code: 'cut' }] }])
  })

  it('a stream without a finish is an answer, and says so', async () => {
    replies({
      raw: `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: ANSWER } }] })}\n\ndata: [DONE]\n\n`,
    })
    expect(await ask()).toEqual([ANSWER])
    expect(await attempts()).toMatchObject([{ failure: null, notes: [{ code: 'unfinished' }] }])
  })

  it('a refused parameter is left out, and noted', async () => {
    provider.reply(({ temperature }) =>
      temperature === undefined
        ? { text: ANSWER }
        : {
            refusal: {
              status: 400,
              body: {
                error: {
                  message: "'temperature' is not supported with this model.",
                  param: 'temperature',
                  code: 'unsupported_parameter',
                },
              },
            },
          },
    )
    expect(await ask()).toEqual([ANSWER])
    expect(await attempts()).toMatchObject([{ notes: [{ code: 'parameter', parameter: 'temperature', to: null }] }])
  })
})

describe('in the test chat', () => {
  let app: TestApp
  let person: Person

  beforeAll(async () => {
    app = await startApp({ overrides: { llm: connect() } })
    person = await app.signUp()
  })
  afterAll(() => app.close())

  async function makeAgent() {
    const { _id } = await person.http.mutation(api.agents.create, { name: 'Helper', systemPrompt: 'Be kind.' })
    await person.http.mutation(api.agents.update, { id: _id, patch: { model: MODEL } })
    return _id
  }

  it('reasoning shows at no moment of the stream', async () => {
    const agentId = await makeAgent()
    replies({ text: THOUGHT, pieceDelayMs: 200 })
    const seen: string[] = []
    const stop = person.live().onUpdate(api.testChat.messages, { agentId }, (messages: Message[]) => {
      seen.push(...messages.map(({ text }) => text))
    })
    await person.http.mutation(api.testChat.send, { agentId, text: 'What does it cost?' })
    await app.settle()
    const messages = await person.http.query(api.testChat.messages, { agentId })
    stop()
    expect(messages.at(-1)).toMatchObject({ author: 'agent', text: ANSWER, status: 'complete' })
    expect(seen.join('\n')).not.toMatch(/Purchase|think/)
  })

  it('an empty answer says why there is none', async () => {
    const agentId = await makeAgent()
    replies({ text: '<think>Purchase price is 300.' })
    await person.http.mutation(api.testChat.send, { agentId, text: 'What does it cost?' })
    await app.settle()
    const messages = await person.http.query(api.testChat.messages, { agentId })
    expect(messages.some(({ reason }) => reason === 'empty')).toBe(true)
    expect(JSON.stringify(messages)).not.toContain('Purchase')
  })
})
