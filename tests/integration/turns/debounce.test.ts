// When the agent answers: it waits until the customer has finished, and starts again when they write more.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pause } from '#server/domain/messaging/conversations/conversation-state.store.ts'
import { createLlm } from '#server/integrations/llm/create.ts'
import { createLogger } from '#server/platform/lib/logger.ts'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { startFakeOpenAi } from '#tests/fakes/openai/openai.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { type Bot, echo, PipelineWorld } from '#tests/pipeline-world.ts'

let test: TestDatabase
let telegram: FakeTelegram
let world: PipelineWorld
/** Waits a minute for a customer to finish: longer than any step of a test takes on a busy machine. */
let patient: Bot
let prompt: Bot
let chat = 3000

beforeAll(async () => {
  test = await openTestDatabase()
  telegram = await startFakeTelegram()
  world = new PipelineWorld(test.database, telegram)
  await world.start()
  patient = await world.addBot('webhook', { buffer: { seconds: 60 } })
  prompt = await world.addBot()
})
afterAll(async () => {
  await world.stop()
  await telegram.close()
  await test.close()
})
beforeEach(() => {
  world.model = echo
  world.requests.length = 0
  chat++
})

async function says(bot: Bot, text: string): Promise<void> {
  telegram.customerSays(bot.token, chat, text)
  await telegram.waitFor(() => telegram.isQuiet(), 'the webhook')
}

/** Moves all turns of this chat so far into the past. */
async function pass(seconds: number): Promise<void> {
  const { id } = await world.conversation(chat)
  const ago = (column: string) => sql<Date>`${sql.ref(column)} - ${seconds} * interval '1 second'`
  await test.database.system('test: let time pass', async (db) => {
    await db
      .updateTable('turns')
      .set({ not_before: ago('not_before'), waiting_since: ago('waiting_since') })
      .where('conversation_id', '=', id)
      .where('status', 'in', ['pending', 'running'])
      .execute()
  })
}

/** Seconds from now until the pending turn is due, by the database's clock. */
async function dueIn(): Promise<number> {
  const { id } = await world.conversation(chat)
  const turn = await world.read((db) =>
    db
      .selectFrom('turns')
      .where('conversation_id', '=', id)
      .where('status', '=', 'pending')
      .select(sql<number>`extract(epoch from not_before - now())::float8`.as('seconds'))
      .executeTakeFirstOrThrow(),
  )
  return turn.seconds
}

/** A model that generates until it is aborted, `times` times; then it answers. */
function brokenOffModel(times: number) {
  const calls = Array.from({ length: times }, () => ({
    asked: Promise.withResolvers<void>(),
    aborted: Promise.withResolvers<string>(),
  }))
  let made = 0
  world.model = (request) => {
    const call = calls[made++]
    if (!call) return echo(request)
    call.asked.resolve()
    return new Promise((_, reject) => {
      request.signal.addEventListener('abort', () => {
        call.aborted.resolve(String(request.signal.reason))
        reject(request.signal.reason)
      })
    })
  }
  return calls.map(({ asked, aborted }) => ({ asked: asked.promise, aborted: aborted.promise }))
}

/** A model that answers when the test says so, even if the request is aborted. */
function heldModel() {
  const asked = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  world.model = async (request) => {
    asked.resolve()
    await go.promise
    return echo(request)
  }
  return { asked: asked.promise, answer: go.resolve }
}

describe('an agent with a message buffer', () => {
  it('waits until the customer is silent, and answers all their messages once', async () => {
    for (const text of ['Hello', 'I have a question', 'about delivery']) {
      await says(patient, text)
      expect(await dueIn()).toBeGreaterThan(31)
      await pass(30)
    }
    expect(world.requests).toEqual([])
    await pass(31)
    await telegram.waitForSent(chat)
    await world.pipeline.settle()
    expect(telegram.sentTo(chat).map((sent) => sent.text)).toEqual([
      'You said: Hello\n\nI have a question\n\nabout delivery',
    ])
    expect(await world.usage(patient, chat)).toMatchObject([{ messages: 1 }])
  })

  it('answers a customer who never stops writing after four times as long', async () => {
    const words = ['one', 'two', 'three', 'four', 'five', 'six']
    for (const word of words) {
      await says(patient, word)
      await pass(36)
    }
    await says(patient, 'seven')
    expect(await dueIn()).toBeLessThan(24.1)
    await pass(25)
    await telegram.waitForSent(chat)
    expect(telegram.sentTo(chat).map((sent) => sent.text)).toEqual([`You said: ${[...words, 'seven'].join('\n\n')}`])
  })

  it('stops waiting when the customer calls a person', async () => {
    await says(patient, 'Hello')
    await says(patient, 'I want to talk to a human')
    await world.pipeline.settle()
    expect(await world.conversation(chat)).toMatchObject({ status: 'paused', pause_reason: 'customer_request' })
    expect(world.requests).toEqual([])
  })

  it('records in the trace how long it waited', async () => {
    await says(patient, 'Hello')
    await pass(61)
    await telegram.waitForSent(chat)
    await world.pipeline.settle()
    const { id } = await world.conversation(chat)
    const { trace } = await world.read((db) =>
      db.selectFrom('turn_traces').where('conversation_id', '=', id).select('trace').executeTakeFirstOrThrow(),
    )
    const gate = trace.gates.find((each) => each.gate === 'question')
    expect(gate).toMatchObject({ hasPassed: true, facts: { questions: 1 } })
    expect(gate?.facts?.waitedSeconds).toBeGreaterThanOrEqual(61)
  })

  it('answers messages from a downtime: waits survive a restart', async () => {
    await says(patient, 'Hello')
    await world.stop()
    await pass(61)
    world = new PipelineWorld(test.database, telegram)
    await world.start()
    await telegram.waitForSent(chat)
    await world.pipeline.settle()
    expect(telegram.sentTo(chat)).toHaveLength(1)
    patient = await world.addBot('webhook', { buffer: { seconds: 60 } })
    prompt = await world.addBot()
  })

  it('follows the published version, not a newer draft', async () => {
    const bot = await world.addBot()
    await test.database.organization(bot.organizationId, (db) =>
      db
        .insertInto('agent_versions')
        .values({
          id: 'draft' as never,
          organization_id: bot.organizationId,
          agent_id: bot.agentId,
          number: 2,
          settings: JSON.stringify(agentSettings.parse({ model: 'test/echo', buffer: { seconds: 60 } })),
          author_id: null,
          restored_from: null,
        })
        .execute(),
    )
    await says(bot, 'Hello')
    expect(await telegram.waitForSent(chat)).toHaveLength(1)
  })
})

describe('a message that comes while the model is generating', () => {
  it('aborts the call; nothing stale is sent, one answer is counted, and the spending is counted too', async () => {
    const [call] = brokenOffModel(1)
    await says(prompt, 'first')
    await call?.asked
    await says(prompt, 'second')
    expect(await call?.aborted).toBe('superseded')
    await telegram.waitForSent(chat)
    await world.pipeline.settle()
    expect(telegram.sentTo(chat).map((sent) => sent.text)).toEqual(['You said: first\n\nsecond'])
    expect(await world.turns(chat)).toMatchObject([{ outcome: 'superseded' }, { outcome: 'replied' }])
    const usage = await world.usage(prompt, chat)
    expect(usage.map((event) => event.messages).sort()).toEqual([0, 1])
    expect(usage.map((event) => event.cost_micro_usd)).toEqual([42, 42])
  })

  it('ends the connection to the provider', async () => {
    const provider = await startFakeOpenAi({ reply: () => ({ failure: 'trickle' }) })
    const noKey = { apiKey: undefined, baseUrl: undefined }
    const openai = { apiKey: 'sk-test', baseUrl: provider.url }
    const llm = createLlm({ openai, anthropic: noKey, google: noKey }, createLogger('silent'))
    world.model = async ({ onCall: _, ...request }) => {
      return (await llm.generate({ ...request, model: 'openai/gpt-5-mini' })).text
    }
    await says(prompt, 'first')
    await provider.arrived(1)
    provider.reply(() => ({ text: 'both answered' }))
    await says(prompt, 'second')
    await provider.disconnected(1)
    await telegram.waitForSent(chat)
    await world.pipeline.settle()
    expect(telegram.sentTo(chat).map((sent) => sent.text)).toEqual(['both answered'])
    await provider.close()
  })

  it('repeatedly is answered all the same after fifteen seconds', async () => {
    const [first] = brokenOffModel(1)
    await says(prompt, 'one')
    await first?.asked
    await pass(10)
    const second = heldModel()
    await says(prompt, 'two')
    expect(await first?.aborted).toBe('superseded')
    await second.asked
    await pass(10)
    world.model = echo
    await says(prompt, 'three')
    // Time to abort the second answer, if it were to be; there is nothing to wait for if it is not.
    for (let look = 0; look < 30; look++) await world.turns(chat)
    second.answer()
    await telegram.waitForSent(chat, 2)
    await world.pipeline.settle()
    expect(telegram.sentTo(chat).map((sent) => sent.text)).toEqual(['You said: one\n\ntwo', 'You said: three'])
    expect(await world.turns(chat)).toMatchObject([
      { outcome: 'superseded' },
      { outcome: 'replied' },
      { outcome: 'replied' },
    ])
  })

  it('and calls a person aborts the call however late it comes: only the handoff text is sent', async () => {
    const [call] = brokenOffModel(1)
    await says(prompt, 'How much is it?')
    await call?.asked
    await pass(16)
    await says(prompt, 'STOP. operator!')
    expect(await call?.aborted).toBe('superseded')
    await world.pipeline.settle()
    expect(telegram.sentTo(chat).filter((sent) => sent.text.startsWith('You said'))).toEqual([])
    expect(await world.turns(chat)).toMatchObject([{ outcome: 'superseded' }, { outcome: 'customer_request' }])
  })

  it('and calls a person withholds an answer that was just finished', async () => {
    world.model = async (request) => {
      await pass(16)
      await says(prompt, 'STOP. operator!')
      return echo(request)
    }
    await says(prompt, 'How much is it?')
    await world.pipeline.settle()
    expect(telegram.sentTo(chat).filter((sent) => sent.text.startsWith('You said'))).toEqual([])
    expect(await world.turns(chat)).toMatchObject([{ outcome: 'superseded' }, { outcome: 'customer_request' }])
  })

  it('triggers no answer while the conversation is paused: the pause wins', async () => {
    const [call] = brokenOffModel(1)
    await says(prompt, 'first')
    await call?.asked
    const { id, organizationId } = await world.conversation(chat)
    await test.database.organization(organizationId, (db) =>
      pause({ db, organizationId }, [{ id, reason: 'operator' }]),
    )
    await says(prompt, 'second')
    expect(await call?.aborted).toBe('unwanted')
    await world.pipeline.settle()
    expect(telegram.sentTo(chat)).toEqual([])
    expect(await world.turns(chat)).toMatchObject([{ status: 'done', outcome: 'unwanted' }])
  })
})
