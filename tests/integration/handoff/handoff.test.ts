// Handing over to people and back, between a real database and the fake Telegram: by phrases, by the model's decision, by the clock.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pause } from '#server/domain/messaging/conversations/conversation-state.store.ts'
import { lockConversation } from '#server/domain/messaging/conversations/lock-conversation.store.ts'
import { appendMessage } from '#server/domain/messaging/conversations/writes/appended-message.store.ts'
import { getTrace } from '#server/domain/messaging/explanations/traces.store.ts'
import { STRETCH_TOKENS } from '#server/domain/messaging/handoff/handoff.stretch.ts'
import { takeOver } from '#server/domain/messaging/handoff/takeover.ts'
import * as conversations from '#server/domain/messaging/inbox/conversations.functions.ts'
import { checkEligibility } from '#server/domain/messaging/replies/eligibility.ts'
import { finishRefused } from '#server/domain/messaging/replies/refuse.ts'
import { HANDOFF_SENTENCES } from '#server/domain/messaging/turns/notice-text.ts'
import type { PipelineContext } from '#server/domain/messaging/turns/pipeline-context.ts'
import { startTrace } from '#server/domain/messaging/turns/trace.ts'
import { findTurn } from '#server/domain/messaging/turns/turn.store.ts'
import type { ChatMessage } from '#server/integrations/llm/llm.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { type AgentSettings, agentSettings } from '#shared/agents/agent-settings.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { type Bot, echo, type Model, PipelineWorld } from '#tests/pipeline-world.ts'

const DEFAULTS = agentSettings.parse({ model: 'test/echo' }).handoff
const HOUR_MS = 3_600_000
const CALLED = 'A person will answer you.'

let test: TestDatabase
let telegram: FakeTelegram
let world: PipelineWorld
/** Notifies the customer, resumes after an hour. */
let bot: Bot
/** Default settings of agents. */
let quiet: Bot
let chat = 5000

beforeAll(async () => {
  test = await openTestDatabase()
  telegram = await startFakeTelegram()
  await startWorld()
  bot = await addBot({
    text: CALLED,
    autoResumeMs: HOUR_MS,
    operator: { stop: ['I am here'], resume: ['бот, продолжай'] },
  })
  quiet = await addBot({})
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

/** Another server on the same database, which receives webhooks from now on. */
async function startWorld(): Promise<void> {
  world = new PipelineWorld(test.database, telegram)
  await world.start()
  telegram.webhookOrigin = () => world.url
}

function addBot(handoff: Partial<AgentSettings['handoff']>): Promise<Bot> {
  return world.addBot('webhook', { handoff: { ...DEFAULTS, ...handoff } })
}

async function says(text: string, by: Bot = bot): Promise<void> {
  telegram.customerSays(by.token, chat, text)
  await telegram.waitFor(() => telegram.isTaken(by.token), 'the message to be taken')
  await world.pipeline.settle()
}

function sent(): string[] {
  return telegram.sentTo(chat).map((message) => message.text)
}

/** Runs `run` on the conversation of the chat, in one transaction. */
async function inConversation(
  run: (ctx: OrgStoreContext, id: Id<'conversations'>) => Promise<unknown>,
  { isSettled = true } = {},
): Promise<void> {
  const { id, organizationId } = await world.conversation(chat)
  await test.database.organization(organizationId, (db) => run({ db, organizationId }, id))
  if (isSettled) await world.pipeline.settle()
}

/** What the inbox does for an operator's message, except for sending it. */
async function operatorSays(text: string): Promise<void> {
  const { status } = await world.conversation(chat)
  await inConversation(async (ctx, id) => {
    await lockConversation(ctx, id)
    await takeOver(ctx, [{ id, status }], { text, reason: 'operator_reply' })
    await appendMessage(ctx, { conversationId: id, author: 'operator', userId: null, text, isAnswered: true })
  })
}

/** An operator resumes the agent. */
async function resume(): Promise<void> {
  const { id, organizationId } = await world.conversation(chat)
  await world.call(organizationId, conversations.resume, { conversationId: id })
  await world.pipeline.settle()
}

/** The data of messages in the prompt. */
function dataIn(messages: ChatMessage[]): string[] {
  return messages.flatMap(({ data }) => data ?? []).map(({ text }) => text)
}

function lastTrace() {
  return world.read((db) =>
    db.selectFrom('turn_traces').select('trace').orderBy('created_at', 'desc').executeTakeFirstOrThrow(),
  )
}

/** A model that calls a person, and then answers as given. */
function callsPerson(args: unknown, then: Model): void {
  world.model = async (request) => {
    await request.tools.find((tool) => tool.name === 'hand_off')?.run(args, request.signal)
    return then(request)
  }
}

describe('a customer who asks for a person', () => {
  it('gets a notice, the agent falls silent, and its model is not called', async () => {
    await says('Позовите оператора!')
    expect(sent()).toEqual([CALLED])
    expect(world.requests).toEqual([])
    const conversation = await world.conversation(chat)
    expect(conversation).toMatchObject({ status: 'paused', pause_reason: 'customer_request', needs_person: true })
    expect(conversation.resume_at?.getTime()).toBeGreaterThan(Date.now() + HOUR_MS - 60_000)
    const { trace } = await lastTrace()
    expect(trace.gates.at(-1)).toMatchObject({
      gate: 'handoff_phrase',
      hasPassed: false,
      facts: { phrase: 'оператор' },
    })
    expect(await world.messages(chat)).toMatchObject([
      { author: 'customer' },
      { author: 'system', reason: 'customer_request' },
      { author: 'agent', text: CALLED },
    ])
    await says('Hello? Anybody?')
    expect(sent()).toEqual([CALLED])
  })

  it('gets the default notice in their language if the agent has no text for it, and waits until a person comes', async () => {
    await says('Здравствуйте, позовите оператора', quiet)
    expect(sent()).toEqual([HANDOFF_SENTENCES.ru])
    expect(await world.conversation(chat)).toMatchObject({ status: 'paused', resume_at: null, needs_person: true })
  })

  it('gets nothing more of an answer in progress', async () => {
    await says('Hello')
    const later = new Date(Date.now() + HOUR_MS)
    await inConversation((ctx, id) =>
      ctx.db
        .updateTable('outbox')
        .set({ status: 'queued', not_before: later })
        .where('conversation_id', '=', id)
        .execute(),
    )
    await says('stop')
    expect(sent().at(-1)).toBe(CALLED)
    expect(await world.parts(chat)).toMatchObject([{ status: 'failed', error: 'paused' }, { status: 'sent' }])
  })

  it('is not recognized by a word that only contains the phrase', async () => {
    await says('Are you open non-stop?')
    expect(sent()).toEqual(['You said: Are you open non-stop?'])
  })

  it('is answered again after asking for the agent', async () => {
    await says('оператор')
    await says('Ладно, продолжим')
    expect(sent()).toEqual([CALLED, 'You said: оператор\n\nЛадно, продолжим'])
    expect(await world.conversation(chat)).toMatchObject({
      status: 'active',
      pause_reason: null,
      resume_at: null,
      needs_person: false,
    })
  })

  it('who asked while the agent was silent is not silenced again when it resumes', async () => {
    await says('Hello')
    await inConversation((ctx, id) => pause(ctx, [{ id, reason: 'operator' }]))
    await says('operator?')
    await resume()
    expect(sent()).toEqual(['You said: Hello', 'You said: operator?'])
  })

  it('is answered when the agent is resumed by hand, and no second call is made', async () => {
    await says('Price? Address? A human!', quiet)
    await resume()
    expect(await world.conversation(chat)).toMatchObject({ status: 'active', needs_person: false })
    expect(sent().slice(1)).toEqual(['You said: Price? Address? A human!'])
    await says('Thanks', quiet)
    expect(sent()).toHaveLength(3)
  })
})

describe('a rule that fires just when a person takes over', () => {
  it('sends nothing and calls no one', async () => {
    await says('Hello')
    const { id: conversationId, organizationId } = await world.conversation(chat)
    const claim = { turnId: newId('turns'), epoch: 1, crashes: 0, organizationId, conversationId }
    const inOrganization = <T>(run: (store: OrgStoreContext) => Promise<T>) =>
      test.database.organization(organizationId, (db) => run({ db, organizationId }))
    const turn = await inOrganization(async (store) => {
      await appendMessage(store, { conversationId, author: 'customer', userId: null, text: 'stop', isAnswered: false })
      await store.db
        .insertInto('turns')
        .values({
          ...{ id: claim.turnId, organization_id: organizationId, conversation_id: conversationId, epoch: claim.epoch },
          ...{ status: 'running', lease_until: new Date(Date.now() + HOUR_MS), attempts: '[]' },
        })
        .execute()
      return findTurn(store, claim)
    })
    if (!turn) throw new Error('the turn is not there')
    const trace = startTrace(turn)
    const refusal = checkEligibility(turn, trace, Date.now())
    expect(refusal).toMatchObject({ reason: 'customer_request', notice: CALLED })
    await inConversation((ctx, id) => pause(ctx, [{ id, reason: 'operator' }]), { isSettled: false })
    const organization: PipelineContext['organization'] = (_, run) => inOrganization(run)
    const ctx = { organization, services: world.services } as unknown as PipelineContext
    if (refusal) await finishRefused(ctx, turn, refusal, trace)
    await world.pipeline.settle()
    expect(sent()).toEqual(['You said: Hello'])
    expect(await world.conversation(chat)).toMatchObject({ pause_reason: 'operator', needs_person: false })
    expect((await world.turns(chat)).at(-1)).toMatchObject({ status: 'done', outcome: 'unwanted' })
    const record = await inOrganization((store) => getTrace(store, claim.turnId, null))
    expect(record).toMatchObject({ outcome: 'unwanted', gates: expect.arrayContaining([expect.anything()]) })
  })
})

describe('once a person has taken over', () => {
  it('the customer cannot resume the agent by a phrase', async () => {
    await says('operator')
    await operatorSays('Good morning')
    expect(await world.conversation(chat)).toMatchObject({ pause_reason: 'operator_reply', needs_person: false })
    await says('continue')
    expect(await world.conversation(chat)).toMatchObject({ status: 'paused' })
    expect(sent()).toEqual([CALLED])
  })

  it("the agent's resume timer restarts with each of the person's messages, but a time set by hand stays", async () => {
    await says('Hello')
    await operatorSays('One moment')
    const first = (await world.conversation(chat)).resume_at
    await operatorSays('Found it')
    const second = (await world.conversation(chat)).resume_at
    expect(first && second && second.getTime() > first.getTime()).toBe(true)
    await inConversation((ctx, id) => pause(ctx, [{ id, reason: 'operator', resumeAfterMs: 60_000 }]))
    const byHand = (await world.conversation(chat)).resume_at
    await operatorSays('Here you are')
    expect((await world.conversation(chat)).resume_at).toEqual(byHand)
  })

  it('a time set by hand that has just ended does not resume the agent', async () => {
    await says('Hello')
    await inConversation(async (ctx, id) => {
      await pause(ctx, [{ id, reason: 'operator', resumeAfterMs: 60_000 }])
      const over = new Date(Date.now() - 60_000)
      await ctx.db.updateTable('conversations').set({ resume_at: over }).where('id', '=', id).execute()
      await takeOver(ctx, [{ id, status: 'paused' }], { text: 'I am still at it', reason: 'operator_reply' })
    })
    const conversation = await world.conversation(chat)
    expect(conversation).toMatchObject({ status: 'paused', pause_reason: 'operator_reply' })
    expect(conversation.resume_at?.getTime()).toBeGreaterThan(Date.now())
  })

  it('their phrases silence and resume the agent; the customer’s do not', async () => {
    await says('Hello')
    await says('I am here')
    expect(sent()).toHaveLength(2)
    await operatorSays('Hi, I am here now')
    expect(await world.conversation(chat)).toMatchObject({ status: 'paused', pause_reason: 'operator_phrase' })
    await says('бот, продолжай')
    expect(await world.conversation(chat)).toMatchObject({ status: 'paused' })
    await operatorSays('Готово! Бот, продолжай.')
    expect(await world.conversation(chat)).toMatchObject({ status: 'active', resume_at: null })
    expect(sent()).toHaveLength(2)
    await says('Thanks')
    expect(sent().at(-1)).toBe('You said: Thanks')
  })

  it('the agent’s prompt contains the person’s messages and the reason, not as its own messages', async () => {
    await says('operator')
    await operatorSays('Your order is ready. Cash or card?')
    await says('Card')
    await operatorSays('Noted.')
    await resume()
    world.requests.length = 0
    await says('When may I come?')
    const { messages } = world.requests.at(-1) ?? { messages: [] }
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'user'])
    expect(messages[2]?.text).toContain('the customer asked for a person')
    expect(messages[2]?.data?.[0]?.text).toBe(
      'Operator: Your order is ready. Cash or card?\nCustomer: Card\nOperator: Noted.',
    )
    expect(messages[3]?.text).toBe('When may I come?')
  })
})

describe('a long period with people', () => {
  it('is summarised once by the model of the agent, and counted as its help', async () => {
    await says('Hello')
    await operatorSays(`We return the money. ${'And more words. '.repeat(STRETCH_TOKENS)}`)
    await resume()
    world.model = (request) => (request.purpose === 'task' ? 'Olga returns the money.' : echo(request))
    await says('When?')
    await says('Thanks')
    const tasks = world.requests.filter(({ purpose }) => purpose === 'task')
    expect(tasks).toHaveLength(1)
    expect(tasks[0]?.data?.[0]?.text).toContain('We return the money.')
    for (const { messages } of world.requests.filter(({ purpose }) => purpose !== 'task').slice(-2)) {
      expect(dataIn(messages).some((text) => text.includes('Olga returns the money.'))).toBe(true)
    }
    const helped = (await world.usage(bot, chat)).filter(({ category }) => category === 'helper_generation')
    expect(helped).toMatchObject([{ messages: 0, cost_micro_usd: 42 }])
  })

  it('falls back to its last messages when the summary fails; the customer is answered all the same', async () => {
    await says('Hello')
    await operatorSays(`${'Words. '.repeat(STRETCH_TOKENS)} Good bye!`)
    await resume()
    world.model = (request) => {
      if (request.purpose === 'task') throw new AppError('model_failed', { reason: 'unavailable' })
      return echo(request)
    }
    await says('When?')
    expect(sent().at(-1)).toBe('You said: When?')
    expect(dataIn(world.requests.at(-1)?.messages ?? []).some((text) => text.includes('Good bye!'))).toBe(true)
  })
})

describe('the clock', () => {
  it('resumes the agent also after a downtime, and answers waiting customers', async () => {
    await says('Hello')
    await inConversation((ctx, id) => pause(ctx, [{ id, reason: 'operator', resumeAfterMs: 60_000 }]))
    await says('Still there?')
    await world.stop()
    await test.database.system('test: let time pass', (db) =>
      db
        .updateTable('conversations')
        .set({ resume_at: new Date(Date.now() - 1000) })
        .where('external_chat_id', '=', String(chat))
        .execute(),
    )
    await startWorld()
    await telegram.waitForSent(chat, 2)
    await world.pipeline.settle()
    expect(sent()).toEqual(['You said: Hello', 'You said: Still there?'])
  })

  it('does nothing once a person has resumed the agent', async () => {
    await says('Hello')
    await inConversation((ctx, id) => pause(ctx, [{ id, reason: 'operator', resumeAfterMs: 60_000 }]))
    await resume()
    expect(await world.conversation(chat)).toMatchObject({ status: 'active', resume_at: null })
  })
})

describe('a model that calls a person', () => {
  it('still sends its whole answer, and falls silent with it', async () => {
    callsPerson({ reason: 'missing_knowledge', note: 'Wants the price of Riga' }, () => `${'a'.repeat(4095)}\n\nBye`)
    await says('How much is Riga?')
    expect(sent()).toHaveLength(2)
    expect(sent()[1]).toMatch(/Bye$/)
    expect(await world.conversation(chat)).toMatchObject({
      status: 'paused',
      pause_reason: 'missing_knowledge',
      handoff_note: 'Wants the price of Riga',
      needs_person: true,
    })
    expect((await world.messages(chat)).at(-1)).toMatchObject({
      author: 'system',
      reason: 'handed_off_missing_knowledge',
    })
    const { trace } = await lastTrace()
    expect(trace.tools).toMatchObject([{ name: 'hand_off', hasFailed: false }])
  })

  it('without a text of its own still notifies the customer', async () => {
    const empty = () => {
      throw new AppError('model_failed', { reason: 'empty' })
    }
    callsPerson({ reason: 'policy' }, empty)
    await says('I want to sue you')
    expect(sent()).toEqual([CALLED])
    chat++
    await says('Хочу подать на вас жалобу в суд', quiet)
    expect(sent()).toEqual(['Передаю ваш вопрос сотруднику: он ответит вам здесь.'])
    expect(await world.conversation(chat)).toMatchObject({ status: 'paused', pause_reason: 'policy' })
  })

  it('for an unknown reason calls no one', async () => {
    callsPerson({ reason: 'bored' }, echo)
    await says('Hello')
    expect(sent()).toEqual(['You said: Hello'])
    expect(await world.conversation(chat)).toMatchObject({ status: 'active', needs_person: false })
  })

  it('cannot where the agent may not', async () => {
    const obedient = await addBot({ byAgent: false })
    await says('Hello', obedient)
    expect(world.requests.at(-1)?.tools).toEqual([])
  })

  it('while a person takes over does not take the conversation from them', async () => {
    callsPerson({ reason: 'policy' }, () => 'I call somebody')
    const answer = world.model
    world.model = async (request) => {
      await inConversation((ctx, id) => pause(ctx, [{ id, reason: 'operator' }]), { isSettled: false })
      return answer(request)
    }
    await says('Hello')
    expect(sent()).toEqual([])
    expect(await world.conversation(chat)).toMatchObject({ pause_reason: 'operator', needs_person: false })
  })
})
