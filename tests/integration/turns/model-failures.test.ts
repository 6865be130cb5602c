// Every known failure of a model provider × customers in two languages: each is answered, by a fallback model, or
// with the text of the agent's settings; nothing is lost or sent twice, and spending is counted.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLlm } from '#server/integrations/llm/create.ts'
import type { Llm } from '#server/integrations/llm/llm.ts'
import { createLogger } from '#server/platform/lib/logger.ts'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import type { ChatRequest } from '#tests/fakes/openai/openai.request.ts'
import { type FakeOpenAi, type FakeReply, startFakeOpenAi } from '#tests/fakes/openai/openai.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { type Bot, PipelineWorld } from '#tests/pipeline-world.ts'

/** The time limit that the product promises, scaled; long enough for a machine that generates a hundred answers at once. */
const LIMITS = { firstTokenMs: 6000, totalMs: 10_000, maxRetryDelayMs: 300 }
const SORRY = 'Извините, сейчас не получается ответить. Sorry, we cannot answer right now.'
const USAGE = { prompt: 1000, completion: 100 }
const tool = (name: string, args: string): FakeReply => ({ toolCalls: [{ name, arguments: args }], usage: USAGE })

/** Failure → what the agent's own model does at its first call and at each further one. */
const TROUBLES: Record<string, FakeReply[]> = {
  down: [{ failure: 'reset' }],
  'error 500': [{ failure: 'status_500' }],
  'error 502 with a page': [{ failure: 'html_502' }],
  'error 429': [{ failure: 'status_429' }],
  'error 429 with a time': [{ failure: 'status_429', retryAfterSeconds: 30 }],
  'no quota': [{ failure: 'quota_429' }],
  'refused key': [{ failure: 'status_401' }],
  garbage: [{ failure: 'garbage' }],
  'truncated stream': [{ failure: 'truncated' }],
  'error in the stream': [{ failure: 'error_in_stream' }],
  'empty stream': [{ failure: 'empty_stream' }],
  'empty answer': [{ text: ' ', usage: USAGE }],
  filtered: [{ text: 'Sorry', finishReason: 'content_filter', usage: USAGE }],
  'endless tools': [tool('look', '{}')],
  'ten megabytes': [{ failure: 'huge' }],
  trickle: [{ failure: 'trickle' }],
  'no byte': [{ failure: 'hang' }],
  'wrong type': [{ failure: 'wrong_type' }],
  'wrong JSON': [{ failure: 'wrong_json' }],
  'too late': [{ text: 'Too late.', delayMs: 15_000 }],
  'connection refused': [],
  'no such host': [],
  'no TLS': [],
}
/** Oddities of a model that still answers. */
const ODDITIES: Record<string, FakeReply[]> = {
  slow: [{ text: 'A slow answer, but an answer.', pieceDelayMs: 200 }],
  'malformed arguments': [tool('hand_off', '{"reason":'), { text: 'An answer after all.' }],
  'unknown tool': [tool('launch_rocket', '{}'), { text: 'An answer after all.' }],
  'whole instead of streamed': [{ text: 'A whole answer.', isPlain: true }],
  'a second try': [{ failure: 'status_500' }, { text: 'An answer after all.' }],
}
const QUESTIONS = ['How long does delivery take?', 'Вы открыты в воскресенье?']
/** Rounds of customers for each failure: one, more by hand, `ROUNDS=12`. */
const ROUNDS = Number(process.env.ROUNDS ?? 1)

type Sent = { chat: number; name: string }

let test: TestDatabase
let telegram: FakeTelegram
let provider: FakeOpenAi
let world: PipelineWorld
const sent: Record<'alone' | 'withBackup' | 'odd', Sent[]> = { alone: [], withBackup: [], odd: [] }

beforeAll(async () => {
  test = await openTestDatabase()
  telegram = await startFakeTelegram()
  provider = await startFakeOpenAi({ reply: misbehave })
  world = new PipelineWorld(test.database, telegram)
  world.services.llm = await troubledLlm()
  await world.start()
  const fallback: AgentSettings['fallback'] = { models: [], last: 'text', text: SORRY }
  const model = 'openai/gpt-4.1-mini'
  const alone = await world.addBot('webhook', { model, fallback })
  const backup = await world.addBot('webhook', { model, fallback: { ...fallback, models: ['openai/gpt-4.1-nano'] } })
  await ask(alone, sent.odd, Object.keys(ODDITIES))
  await ask(alone, sent.alone, Object.keys(TROUBLES))
  await ask(backup, sent.withBackup, Object.keys(TROUBLES))
}, 240_000 * ROUNDS)
afterAll(async () => {
  await world.stop()
  await telegram.close()
  await provider.close()
  await test.close()
})

let chat = 70_000
/** Customers who each meet one failure, those of a round concurrently; resolves when everything has settled. */
async function ask(bot: Bot, list: Sent[], names: string[]): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) {
      for (const question of QUESTIONS) {
        list.push({ chat: ++chat, name })
        telegram.customerSays(bot.token, chat, `${question} #${name}#${chat}`)
      }
    }
    await telegram.waitFor(() => telegram.isQuiet(), 'the webhooks')
    await world.pipeline.settle()
  }
}

const calls = new Map<string, number>()
/** The backup always answers; the agent's own model as the question says. */
function misbehave(request: ChatRequest): FakeReply {
  if (request.model === 'gpt-4.1-nano') return { text: 'An answer of the backup.', usage: USAGE }
  const [, name = '', number = ''] = troubleOf(request.messages.map(({ content }) => content).join('\n'))
  const replies = TROUBLES[name] ?? ODDITIES[name] ?? []
  const call = calls.get(number) ?? 0
  calls.set(number, call + 1)
  return replies[Math.min(call, replies.length - 1)] ?? {}
}

const troubleOf = (text: string) => /#([^#\n]+)#(\d+)/.exec(text) ?? []

/** Real models over the fake provider; for failures of the network, over endpoints that have them. */
async function troubledLlm(): Promise<Llm> {
  const noKey = { apiKey: undefined, baseUrl: undefined }
  const over = (baseUrl: string) =>
    createLlm({ openai: { apiKey: 'key', baseUrl }, anthropic: noKey, google: noKey }, createLogger('silent'), LIMITS)
  const gone = await startFakeOpenAi()
  await gone.close()
  const good = over(provider.url)
  const bad = new Map([
    ['connection refused', over(gone.url)],
    ['no such host', over('http://model.invalid/v1')],
    ['no TLS', over(provider.url.replace('http:', 'https:'))],
  ])
  return {
    ...good,
    generate: (request) => {
      const [, name = ''] = troubleOf(request.messages.at(-1)?.text ?? '')
      const own = request.model === 'openai/gpt-4.1-mini' ? bad.get(name) : undefined
      return (own ?? good).generate(request)
    },
  }
}

const heard = (number: number) => telegram.sentTo(number).map(({ text }) => text)
const chatsOf = (list: Sent[], name: string) => list.filter((each) => each.name === name).map((each) => each.chat)

async function usageOf(number: number) {
  const [turn] = await world.turns(number)
  const events = await world.read((db) =>
    db.selectFrom('usage_events').where('source_id', 'like', `${turn?.id}%`).selectAll().execute(),
  )
  return {
    messages: events.map(({ category, messages }) => `${category} ${messages}`).filter((line) => !line.endsWith(' 0')),
    cost: events.reduce((sum, event) => sum + (event.cost_micro_usd ?? 0), 0),
  }
}

async function attemptsOf(number: number) {
  const [turn] = await world.turns(number)
  const row = await world.read((db) =>
    db
      .selectFrom('turn_traces')
      .where('turn_id', '=', turn?.id ?? ('' as never))
      .select('trace')
      .executeTakeFirstOrThrow(),
  )
  return row.trace.attempts
}

describe('an agent whose only model fails', () => {
  it.each(Object.keys(TROUBLES))('(%s) sends its text once, and records a line with the reason', async (name) => {
    for (const number of chatsOf(sent.alone, name)) {
      expect(heard(number)).toEqual([SORRY])
      const [turn, ...others] = await world.turns(number)
      expect(others).toEqual([])
      expect(turn).toMatchObject({ status: 'failed', attempts: expect.arrayContaining([expect.anything()]) })
      const line = (await world.messages(number)).find(({ author }) => author === 'system')
      expect(line).toMatchObject({ reason: turn?.outcome })
      expect((await usageOf(number)).messages).toEqual(['system_message 1'])
    }
  })

  it.each(['empty answer', 'filtered', 'endless tools'])('(%s) counts wasted spending', async (name) => {
    for (const number of chatsOf(sent.alone, name)) expect((await usageOf(number)).cost).toBeGreaterThan(0)
  })
})

describe('an agent with a second model', () => {
  it.each(Object.keys(TROUBLES))('(%s) answers with it, once, at its price', async (name) => {
    for (const number of chatsOf(sent.withBackup, name)) {
      expect(heard(number)).toEqual(['An answer of the backup.'])
      expect(await world.turns(number)).toMatchObject([{ status: 'done', outcome: 'replied' }])
      const answer = (await world.messages(number)).find(({ author }) => author === 'agent')
      expect(answer).toMatchObject({ model: 'openai/gpt-4.1-nano', cost_micro_usd: 1000 * 0.1 + 100 * 0.4 })
      expect((await usageOf(number)).messages).toEqual(['agent_response 1'])
    }
  })

  it('shows each model that was called, with its reason and its cost', async () => {
    const [filtered, refused] = ['filtered', 'refused key'].map((name) => chatsOf(sent.withBackup, name)[0] ?? 0)
    expect(await attemptsOf(filtered ?? 0)).toMatchObject([
      { model: 'openai/gpt-4.1-mini', failure: 'filtered', costMicroUsd: 1000 * 0.4 + 100 * 1.6 },
      { model: 'openai/gpt-4.1-nano', failure: null, costMicroUsd: 140 },
    ])
    expect(await attemptsOf(refused ?? 0)).toMatchObject([{ failure: 'invalid_key' }, { failure: null }])
    expect((await usageOf(filtered ?? 0)).cost).toBe(560 + 140)
  })
})

describe('a model that is odd', () => {
  it.each(Object.keys(ODDITIES))('(%s) answers all the same', async (name) => {
    const last = ODDITIES[name]?.at(-1)?.text
    for (const number of chatsOf(sent.odd, name)) expect(heard(number)).toEqual([last])
  })
})
