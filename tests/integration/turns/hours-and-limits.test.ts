// What a customer, and the team, see when an agent may not answer: outside of its hours and at its limits. Each notice is sent once.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordUsage } from '#server/domain/billing/billing.store.ts'
import { setStatus } from '#server/domain/messaging/handoff/conversation-status.ts'
import { HANDOFF_SENTENCES } from '#server/domain/messaging/turns/notice-text.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { wallClock } from '#server/platform/lib/zoned-time.ts'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'
import type { AtLimit } from '#shared/organizations/organizations.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { type Bot, echo, PipelineWorld } from '#tests/pipeline-world.ts'

const HOUR = 3_600_000
let test: TestDatabase
let telegram: FakeTelegram
let world: PipelineWorld
let chat = 5000

beforeAll(async () => {
  test = await openTestDatabase()
  telegram = await startFakeTelegram()
  world = new PipelineWorld(test.database, telegram)
  await world.start()
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

/** A customer writes, and everything that follows has settled. */
async function says(bot: Bot, text: string, language = 'en'): Promise<void> {
  telegram.customerSays(bot.token, { chatId: chat, language }, text)
  await telegram.waitFor(() => telegram.isQuiet(), 'the webhook')
  await world.pipeline.settle()
}

const heard = () => telegram.sentTo(chat).map((sent) => sent.text)

async function lines(): Promise<(string | null)[]> {
  return (await world.messages(chat)).filter((message) => message.author === 'system').map((message) => message.reason)
}

/** Turns that were refused for this reason, and those whose trace a line of the conversation opens. */
async function refused(reason: string): Promise<{ turns: string[]; reachable: (string | null)[] }> {
  const turns = (await world.turns(chat)).filter(({ outcome }) => outcome === reason).map(({ id }) => id)
  const shown = (await world.messages(chat)).filter((message) => message.reason === reason)
  return { turns, reachable: shown.map((message) => message.turn_id) }
}

/** The outcome of the newest turn, and the gate that decided it. */
async function lastTurn() {
  const turn = (await world.turns(chat)).at(-1)
  const record = await world.read((db) =>
    db
      .selectFrom('turn_traces')
      .where('turn_id', '=', turn?.id ?? newId('turns'))
      .select('trace')
      .executeTakeFirstOrThrow(),
  )
  return { outcome: turn?.outcome, gate: record.trace.gates.at(-1) }
}

const systemMessages = async (bot: Bot) =>
  (await world.usage(bot, chat)).filter((event) => event.category === 'system_message').length

async function setOrganization(
  bot: Bot,
  values: {
    monthly_limit?: number
    at_limit?: AtLimit
    limit_text?: string
    monthly_spend_limit_micro_usd?: number
    suspended_at?: Date | null
  },
): Promise<void> {
  await test.database.system('test: settings', (db) =>
    db.updateTable('organizations').set(values).where('id', '=', bot.organizationId).execute(),
  )
}

async function resume(): Promise<void> {
  const { id, organizationId } = await world.conversation(chat)
  await test.database.organization(organizationId, (db) => setStatus({ db, organizationId }, [id], 'active'))
}

async function setNotices(notices: Record<string, number>): Promise<void> {
  const { id } = await world.conversation(chat)
  await test.database.system('test: let time pass', (db) =>
    db
      .updateTable('conversations')
      .set({ notices: JSON.stringify(notices) })
      .where('id', '=', id)
      .execute(),
  )
}

describe('outside of the hours of an agent', () => {
  /** Closed now and an hour around; open at all other times. */
  function closedNow(change: Partial<AgentSettings['availability']>): Partial<AgentSettings> {
    const closed = [-HOUR, 0, HOUR].map((shift) => wallClock(Date.now() + shift, 'UTC'))
    const hours = Array.from({ length: 7 }, (_, weekday) =>
      Array.from({ length: 24 }, (_, hour) => hour).filter(
        (hour) => !closed.some((each) => each.weekday === weekday && each.hour === hour),
      ),
    )
    return { availability: { isLimited: true, hours, outside: 'silent', text: '', ...change } }
  }

  it('the customer receives nothing, and the team sees why, for each of their messages', async () => {
    const bot = await world.addBot('webhook', closedNow({ outside: 'silent', text: 'not used' }))
    await says(bot, 'Hello?')
    await says(bot, 'Anybody?')
    expect(heard()).toEqual([])
    expect(await lines()).toEqual(['outside_hours', 'outside_hours'])
    const { turns, reachable } = await refused('outside_hours')
    expect(reachable).toEqual(turns)
    const { outcome, gate } = await lastTurn()
    expect(outcome).toBe('outside_hours')
    expect(gate).toMatchObject({ gate: 'availability', hasPassed: false, facts: { timeZone: 'UTC' } })
    expect(world.requests).toEqual([])
  })

  it('the customer gets one notice, and another after the next working hours', async () => {
    const bot = await world.addBot('webhook', closedNow({ outside: 'text', text: 'We open at nine.' }))
    await says(bot, 'Hello?')
    await says(bot, 'Anybody?')
    expect(heard()).toEqual(['We open at nine.'])
    expect(await systemMessages(bot)).toBe(1)
    await setNotices({ outside_hours: Date.now() - 4 * HOUR })
    await says(bot, 'Still nobody?')
    expect(heard()).toEqual(['We open at nine.', 'We open at nine.'])
    expect(await lines()).toEqual(['outside_hours', 'outside_hours', 'outside_hours'])
  })

  it('a person is called: the agent is paused with the reason', async () => {
    const bot = await world.addBot('webhook', closedNow({ outside: 'handoff', text: 'A colleague will answer.' }))
    await says(bot, 'Hello?')
    expect(heard()).toEqual(['A colleague will answer.'])
    expect(await world.conversation(chat)).toMatchObject({ status: 'paused', pause_reason: 'availability' })
    await says(bot, 'Thanks')
    expect(heard()).toHaveLength(1)
  })

  it('none of it applies while the hours are not limited', async () => {
    const bot = await world.addBot('webhook', closedNow({ isLimited: false }))
    await says(bot, 'Hello')
    expect(heard()).toEqual(['You said: Hello'])
  })
})

describe('a suspension of the organization', () => {
  it('the customer gets the text for limits once, no model is called, and nothing that was written is lost', async () => {
    const bot = await world.addBot('webhook')
    await setOrganization(bot, { limit_text: 'We will be back.', suspended_at: new Date() })
    await says(bot, 'Hello?')
    await says(bot, 'Anybody?')
    expect(heard()).toEqual(['We will be back.'])
    expect(world.requests).toEqual([])
    const { turns, reachable } = await refused('organization_suspended')
    expect(turns).toHaveLength(2)
    expect(reachable).toEqual(turns)
    expect(await lastTurn()).toMatchObject({
      outcome: 'organization_suspended',
      gate: { gate: 'organization', hasPassed: false },
    })
    const written = (await world.messages(chat)).filter(({ author }) => author === 'customer')
    expect(written.map(({ text }) => text)).toEqual(['Hello?', 'Anybody?'])

    await setOrganization(bot, { suspended_at: null })
    await says(bot, 'And now?')
    expect(heard().at(-1)).toBe('You said: Hello?\n\nAnybody?\n\nAnd now?')
    expect(world.requests).toHaveLength(1)
  })

  it('the customer of an organization without a text of its own gets the built-in one, in their language', async () => {
    const bot = await world.addBot('webhook')
    await setOrganization(bot, { suspended_at: new Date() })
    await says(bot, 'Здравствуйте, вы работаете?', 'ru')
    expect(heard()).toHaveLength(1)
    expect(heard()[0]).toMatch(/[а-я]/)
    expect(world.requests).toEqual([])
  })
})

describe('the daily limit of a customer', () => {
  const spam = (change: Partial<AgentSettings['spam']>): Partial<AgentSettings> => ({
    spam: { agentDailyLimit: null, customerDailyLimit: null, warningPercent: 80, text: 'Enough for today.', ...change },
  })

  it('allows exactly that many answers, warns the team once, notifies the customer once, and then calls no model', async () => {
    const bot = await world.addBot('webhook', spam({ customerDailyLimit: 5 }))
    for (let message = 1; message <= 5; message++) await says(bot, `question ${message}`)
    expect(world.requests).toHaveLength(5)
    expect(await lines()).toEqual(['customer_limit_near'])
    for (let message = 0; message < 60; message++) telegram.customerSays(bot.token, chat, `flood ${message}`)
    await says(bot, 'one more')
    await says(bot, 'and one')
    expect(world.requests).toHaveLength(5)
    expect(heard()).toHaveLength(6)
    expect(heard().at(-1)).toBe('Enough for today.')
    const { turns, reachable } = await refused('customer_limit')
    expect(turns.length).toBeGreaterThanOrEqual(3)
    expect(reachable).toEqual(turns)
    expect(await lastTurn()).toEqual({
      outcome: 'customer_limit',
      gate: { gate: 'spam', hasPassed: false, facts: { customerAnswers: 5, customerLimit: 5 } },
    })
    expect((await world.usage(bot, chat)).filter((event) => event.category === 'agent_response')).toHaveLength(5)
    expect(await systemMessages(bot)).toBe(1)
  })

  it('does not affect other customers, and resets with the day', async () => {
    const bot = await world.addBot('webhook', spam({ customerDailyLimit: 1 }))
    await says(bot, 'first')
    await says(bot, 'second')
    expect(heard()).toEqual(['You said: first', 'Enough for today.'])
    chat++
    await says(bot, 'I am somebody else')
    expect(heard()).toEqual(['You said: I am somebody else'])
    const { id } = await world.conversation(chat)
    await test.database.system('test: yesterday', (db) =>
      db.updateTable('conversations').set({ answers_on: '2026-01-01' }).where('id', '=', id).execute(),
    )
    await says(bot, 'The next morning')
    expect(heard()).toHaveLength(2)
  })

  it('of an agent counts all its customers, and each of them gets one notice', async () => {
    const bot = await world.addBot('webhook', spam({ agentDailyLimit: 4, warningPercent: 75 }))
    const notices: number[] = []
    for (const customer of [1, 2]) {
      chat++
      for (let message = 0; message < 4; message++) await says(bot, `customer ${customer}, message ${message}`)
      notices.push(heard().filter((text) => text === 'Enough for today.').length)
    }
    expect(world.requests).toHaveLength(4)
    expect(notices).toEqual([0, 1])
    expect(await lastTurn()).toMatchObject({
      outcome: 'agent_limit',
      gate: { facts: { agentAnswers: 4, agentLimit: 4 } },
    })
    const warned = await world.read((db) =>
      db
        .selectFrom('messages')
        .where('organization_id', '=', bot.organizationId)
        .where('reason', '=', 'agent_limit_near')
        .select('id')
        .execute(),
    )
    expect(warned).toHaveLength(1)
  })
})

describe("at the end of a plan's allowance", () => {
  it('the customer gets a polite text in their language, once; the team sees why', async () => {
    const bot = await world.addBot()
    await setOrganization(bot, { monthly_limit: 1 })
    await says(bot, 'Вопрос', 'ru')
    await says(bot, 'Ещё вопрос', 'ru')
    await says(bot, 'И ещё', 'ru')
    expect(heard()).toEqual(['You said: Вопрос', expect.stringMatching(/^Спасибо за сообщение/)])
    const { turns, reachable } = await refused('allowance_used_up')
    expect(turns).toHaveLength(2)
    expect(reachable).toEqual(turns)
    expect(await lastTurn()).toEqual({
      outcome: 'allowance_used_up',
      gate: { gate: 'allowance', hasPassed: false, facts: { allowance: 1, used: 1, reserved: 0 } },
    })
    expect(await world.conversation(chat)).toMatchObject({ status: 'active' })
    expect(world.requests).toHaveLength(1)
  })

  it("the organization's own text is sent, and again the next day", async () => {
    const bot = await world.addBot()
    await setOrganization(bot, { monthly_limit: 0, limit_text: 'Please call 123.' })
    await says(bot, 'Hello')
    await setNotices({ allowance_used_up: Date.now() - 25 * HOUR })
    await says(bot, 'Hello again')
    expect(heard()).toEqual(['Please call 123.', 'Please call 123.'])
  })

  it('answers continue as overage, and are counted', async () => {
    const bot = await world.addBot()
    await setOrganization(bot, { monthly_limit: 1, at_limit: 'overage' })
    await says(bot, 'one')
    await says(bot, 'two')
    expect(heard()).toEqual(['You said: one', 'You said: two'])
    expect(await world.usage(bot, chat)).toHaveLength(2)
  })

  it('a person is called, and the agent stays paused', async () => {
    const bot = await world.addBot()
    await setOrganization(bot, { monthly_limit: 0, at_limit: 'handoff', limit_text: 'A colleague takes over.' })
    await says(bot, 'Hello')
    expect(heard()).toEqual(['A colleague takes over.'])
    expect(await world.conversation(chat)).toMatchObject({ status: 'paused', pause_reason: 'limit' })
    await resume()
    await says(bot, 'Hello?')
    expect(heard()).toHaveLength(1)
    expect(await world.conversation(chat)).toMatchObject({ status: 'paused', pause_reason: 'limit' })
  })

  it('system messages consume no allowance', async () => {
    const bot = await world.addBot()
    await setOrganization(bot, { monthly_limit: 0, limit_text: 'Not now.' })
    await says(bot, 'Hello')
    await setOrganization(bot, { monthly_limit: 1 })
    await says(bot, 'And now?')
    expect(heard()).toEqual(['Not now.', 'You said: Hello\n\nAnd now?'])
  })
})

describe('a spending ceiling', () => {
  const spent = (bot: Bot, costMicroUsd: number | null, agentId = bot.agentId) =>
    test.database.organization(bot.organizationId, (db) =>
      recordUsage(
        { db, organizationId: bot.organizationId },
        {
          sourceId: newId(),
          agentId,
          category: 'helper_generation',
          channel: 'test',
          messages: 0,
          call: { provider: 'p', model: 'p/m', inputTokens: 1, outputTokens: 1, costMicroUsd, priceVersion: null },
          occurredAt: new Date(),
        },
      ),
    )

  it('of an organization counts the cost of every agent and helper, and calls of unknown price by number', async () => {
    const bot = await world.addBot()
    await setOrganization(bot, { monthly_spend_limit_micro_usd: 100, limit_text: 'Later, please.' })
    await spent(bot, 50)
    await spent(bot, null)
    await says(bot, 'one') // 42 for the answer
    await says(bot, 'two')
    expect(heard()).toEqual(['You said: one', 'You said: two'])
    await says(bot, 'three')
    expect(heard().at(-1)).toBe('Later, please.')
    expect(await lastTurn()).toEqual({
      outcome: 'spending_limit',
      gate: { gate: 'spending', hasPassed: false, facts: { spentUsd: 0.000134, limitUsd: 0.0001, unpricedCalls: 1 } },
    })
    expect(await lines()).toEqual(['spending_limit'])
  })

  it('of an agent is separate', async () => {
    const bot = await world.addBot('webhook', { spending: { monthlyLimitUsd: 0.00005 } })
    await spent(bot, 1000, newId('agents'))
    await says(bot, 'one')
    await says(bot, 'two')
    await says(bot, 'three')
    expect(heard().slice(0, 2)).toEqual(['You said: one', 'You said: two'])
    expect(heard()[2]).toMatch(/^Thank you for your message/)
    expect(await lastTurn()).toMatchObject({
      outcome: 'spending_limit',
      gate: { facts: { agentSpentUsd: 0.000084, agentLimitUsd: 0.00005 } },
    })
  })

  it('calls a person if the organization has chosen so', async () => {
    const bot = await world.addBot()
    await setOrganization(bot, { monthly_spend_limit_micro_usd: 0, at_limit: 'handoff' })
    await says(bot, 'Hello')
    expect(heard()).toEqual([HANDOFF_SENTENCES.en])
    expect(await world.conversation(chat)).toMatchObject({ status: 'paused', pause_reason: 'limit' })
  })
})
