// Follow-ups to silent customers: once, at a decent hour, and never into a conversation that has continued.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pause } from '#server/domain/messaging/conversations/conversation-state.store.ts'
import { handOff } from '#server/domain/messaging/conversations/writes/silence.store.ts'
import { SILENCE } from '#server/domain/messaging/follow-ups/follow-up.rules.ts'
import { beginFollowUps } from '#server/domain/messaging/follow-ups/follow-up.store.ts'
import { setStatus } from '#server/domain/messaging/handoff/conversation-status.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { type Bot, echo, PipelineWorld } from '#tests/pipeline-world.ts'

const REMINDER = 'Any questions left? I am here.'
const followUps: AgentSettings['followUps'] = {
  isOn: true,
  steps: [
    { afterMinutes: 30, mode: 'text', text: REMINDER },
    { afterMinutes: 600, mode: 'generated', text: 'Recall their last question.' },
  ],
  quietHours: null,
  maxPerCustomerADay: 10,
}

let test: TestDatabase
let telegram: FakeTelegram
let world: PipelineWorld
let bot: Bot
let chat = 5000

beforeAll(async () => {
  test = await openTestDatabase()
  telegram = await startFakeTelegram()
  world = new PipelineWorld(test.database, telegram)
  await world.start()
  bot = await world.addBot('webhook', { followUps })
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

async function says(text: string, to: Bot = bot): Promise<void> {
  telegram.customerSays(to.token, chat, text)
  await telegram.waitFor(() => telegram.isQuiet(), 'the webhook')
}

/** A conversation that waits for its first follow-up. */
async function answered(to: Bot = bot): Promise<void> {
  await says('What does it cost?', to)
  await telegram.waitForSent(chat)
  await world.pipeline.settle()
}

/** Minutes from the agent's last message to the next follow-up; null: there is none. */
async function dueAfter(): Promise<number | null> {
  const { follow_up_at: at, last_message_at: since } = await world.conversation(chat)
  return at && Math.round((at.getTime() - since.getTime()) / 60_000)
}

async function makeDue(): Promise<void> {
  const { id } = await world.conversation(chat)
  await test.database.system('test: the silence has lasted', (db) =>
    db
      .updateTable('conversation_follow_ups')
      .set({ due_at: sql<Date>`now()` })
      .where('conversation_id', '=', id)
      .execute(),
  )
}

/** A follow-up that has failed, and is retried in an hour. */
async function addWaitingFollowUp(): Promise<void> {
  const { id, organizationId } = await world.conversation(chat)
  const followUp = {
    id: newId('turns'),
    organization_id: organizationId,
    conversation_id: id,
    status: 'pending' as const,
    kind: 'follow_up' as const,
    owner: null,
    lease_until: null,
    outcome: null,
    attempts: JSON.stringify([{ reason: 'timeout' }]),
    started_at: null,
    finished_at: null,
    not_before: sql<Date>`now() + interval '1 hour'`,
  }
  await test.database.system('test: a follow-up that waits for its second try', (db) =>
    db.insertInto('turns').values(followUp).execute(),
  )
}

const sent = () => telegram.sentTo(chat).map((message) => message.text)

describe('a silent customer', () => {
  it('is reminded step by step: with a text, then with a generated one by instruction; each is counted', async () => {
    await answered()
    expect(await dueAfter()).toBe(30)
    await makeDue()
    await telegram.waitForSent(chat, 2)
    await world.pipeline.settle()
    expect(sent()[1]).toBe(REMINDER)
    expect(world.requests).toHaveLength(1)
    expect(await dueAfter()).toBe(600)

    world.model = () => 'It costs ten euros. Shall I order?'
    await makeDue()
    await telegram.waitForSent(chat, 3)
    await world.pipeline.settle()
    expect(sent()[2]).toBe('It costs ten euros. Shall I order?')
    const request = world.requests.at(-1)
    expect(request?.system).toContain('Recall their last question.')
    expect(request?.messages.at(-1)).toEqual({ role: 'user', text: SILENCE })
    expect(request?.tools).toEqual([])
    expect(await dueAfter()).toBeNull()

    expect(await world.turns(chat)).toMatchObject([
      { kind: 'reply', outcome: 'replied' },
      { kind: 'follow_up', outcome: 'replied' },
      { kind: 'follow_up', outcome: 'replied' },
    ])
    const usage = await world.usage(bot, chat)
    const counted = usage.map(({ category, messages, cost_micro_usd: cost }) => ({ category, messages, cost }))
    expect(counted).toHaveLength(3)
    expect(counted).toContainEqual({ category: 'follow_up', messages: 1, cost: null })
    expect(counted).toContainEqual({ category: 'follow_up', messages: 1, cost: 42 })
  })

  it('who answers is not reminded until they fall silent again', async () => {
    await answered()
    await makeDue()
    await telegram.waitForSent(chat, 2)
    await world.pipeline.settle()
    await says('Thank you')
    await telegram.waitForSent(chat, 3)
    await world.pipeline.settle()
    expect(await world.conversation(chat)).toMatchObject({ follow_up_step: 0 })
    expect(await dueAfter()).toBe(30)
  })

  type End = (store: OrgStoreContext, id: Id<'conversations'>) => Promise<void>
  const ends: [string, End][] = [
    ['a person takes over', (store, id) => pause(store, [{ id, reason: 'operator' }])],
    ['the conversation ends', (store, id) => setStatus(store, [id], 'ended')],
    [
      'the agent hands over',
      (store, id) =>
        handOff(store, { conversationId: id, pauseEpoch: 0 }, { reason: 'policy', note: null, resumeAfterMs: null }),
    ],
  ]
  it.each(ends)('is not reminded when %s, also after the agent resumes', async (_, end) => {
    await answered()
    const { id, organizationId } = await world.conversation(chat)
    await test.database.organization(organizationId, (db) => end({ db, organizationId }, id))
    expect((await world.conversation(chat)).status).not.toBe('active')
    await test.database.organization(organizationId, (db) => setStatus({ db, organizationId }, [id], 'active'))
    expect(await dueAfter()).toBeNull()
  })

  it('is not reminded when all that came after their message was a notice', async () => {
    await answered()
    const { id, organizationId } = await world.conversation(chat)
    await test.database.system('test: a message that got a notice', (db) =>
      sql`insert into messages (id, organization_id, conversation_id, author, text)
        values (${newId('messages')}, ${organizationId}, ${id}, 'customer', 'And now?'),
          (${newId('messages')}, ${organizationId}, ${id}, 'agent', 'Too much for today.')`.execute(db),
    )
    await makeDue()
    await world.pipeline.settle()
    expect(sent()).toHaveLength(1)
    expect(await world.turns(chat)).toMatchObject([{ kind: 'reply' }])
    expect(await test.database.system('test: look', (db) => beginFollowUps({ db }))).toBe(0)
  })

  it('has no row with an agent that has no follow-ups', async () => {
    await answered(await world.addBot('webhook', {}))
    const { id } = await world.conversation(chat)
    const rows = await world.read((db) =>
      db.selectFrom('conversation_follow_ups').where('conversation_id', '=', id).selectAll().execute(),
    )
    expect(rows).toEqual([])
  })

  it('is reminded once, with any number of servers, and after a restart too', async () => {
    await answered()
    await world.stop()
    await makeDue()
    const begun = await Promise.all(
      Array.from({ length: 5 }, () => test.database.system('test: look', (db) => beginFollowUps({ db }))),
    )
    expect(begun.sort()).toEqual([0, 0, 0, 0, 1])
    world = new PipelineWorld(test.database, telegram)
    await world.start()
    await telegram.waitForSent(chat, 2)
    await world.pipeline.settle()
    expect(sent()).toHaveLength(2)
    bot = await world.addBot('webhook', { followUps })
  })
})

describe('a follow-up', () => {
  it('in quiet hours waits for their end; only the trace shows it', async () => {
    const hour = new Date().getUTCHours()
    const quietHours = { from: hour, to: (hour + 3) % 24 }
    const quiet = await world.addBot('webhook', { followUps: { ...followUps, quietHours } })
    await answered(quiet)
    await makeDue()
    await test.database.system('test: look', (db) => beginFollowUps({ db }))
    await world.pipeline.settle()
    expect(sent()).toHaveLength(1)
    expect((await world.turns(chat)).at(-1)).toMatchObject({ kind: 'follow_up', outcome: 'follow_up_later' })
    expect(await world.messages(chat)).toHaveLength(2)
    const { follow_up_at: at, follow_up_step: step } = await world.conversation(chat)
    expect(at?.getUTCHours()).toBe(quietHours.to)
    expect(step).toBe(0)
  })

  it('beyond the daily limit of a customer comes the next day', async () => {
    const restrained = await world.addBot('webhook', { followUps: { ...followUps, maxPerCustomerADay: 1 } })
    await answered(restrained)
    await makeDue()
    await telegram.waitForSent(chat, 2)
    await world.pipeline.settle()
    await makeDue()
    await world.pipeline.settle()
    expect(sent()).toHaveLength(2)
    expect((await world.turns(chat)).at(-1)).toMatchObject({ outcome: 'follow_up_later' })
    expect(await dueAfter()).toBeGreaterThan(23 * 60)
  })

  it('to a customer whom the last message did not reach is dropped', async () => {
    telegram.block(chat)
    await says('What does it cost?')
    await world.pipeline.settle()
    await makeDue()
    await world.pipeline.settle()
    expect((await world.turns(chat)).at(-1)).toMatchObject({ outcome: 'follow_up_undelivered' })
    expect(await world.parts(chat)).toHaveLength(1)
  })

  it('that was switched off meanwhile is dropped', async () => {
    const off = await world.addBot('webhook', { followUps })
    await answered(off)
    await test.database.organization(off.organizationId, (db) =>
      db
        .updateTable('agent_versions')
        .set({ settings: JSON.stringify({ model: 'test/echo' }) })
        .where('agent_id', '=', off.agentId)
        .execute(),
    )
    await makeDue()
    await world.pipeline.settle()
    expect(sent()).toHaveLength(1)
    expect((await world.turns(chat)).at(-1)).toMatchObject({ outcome: 'follow_ups_off' })
    expect(await dueAfter()).toBeNull()
  })

  it('that is being generated when the customer answers is aborted; the customer gets the answer only', async () => {
    const written = { ...followUps, steps: followUps.steps.slice(1) }
    const writer = await world.addBot('webhook', { followUps: written })
    await answered(writer)
    const asked = Promise.withResolvers<void>()
    const aborted = Promise.withResolvers<string>()
    world.model = (request) => {
      asked.resolve()
      return new Promise((_, reject) =>
        request.signal.addEventListener('abort', () => {
          aborted.resolve(String(request.signal.reason))
          reject(request.signal.reason)
        }),
      )
    }
    await makeDue()
    await asked.promise
    world.model = echo
    await says('I am back', writer)
    expect(await aborted.promise).toBe('superseded')
    await telegram.waitForSent(chat, 2)
    await world.pipeline.settle()
    expect(sent()).toEqual(['You said: What does it cost?', 'You said: I am back'])
    expect((await world.turns(chat)).map((turn) => turn.outcome)).toEqual(['replied', 'superseded', 'replied'])
  })

  it('that has not begun when the customer answers becomes the answer', async () => {
    await answered()
    await addWaitingFollowUp()
    await says('I am back')
    await telegram.waitForSent(chat, 2)
    await world.pipeline.settle()
    expect(sent()[1]).toBe('You said: I am back')
    expect((await world.turns(chat)).at(-1)).toMatchObject({ kind: 'reply', outcome: 'replied', attempts: [] })
  })

  it('that is scheduled while an answer is requeued becomes the answer', async () => {
    await answered()
    let asked = 0
    world.model = async (request) => {
      if (++asked > 1) return echo(request)
      await addWaitingFollowUp()
      throw new AppError('model_failed', { reason: 'rate_limited' })
    }
    await says('I am back')
    await telegram.waitForSent(chat, 2)
    await world.pipeline.settle()
    expect(sent()[1]).toBe('You said: I am back')
    expect((await world.turns(chat)).slice(1)).toMatchObject([
      { kind: 'reply', outcome: 'merged' },
      { kind: 'reply', outcome: 'replied', attempts: [{ reason: 'rate_limited' }] },
    ])
  })

  it('that the agent has no model for is reported to the team', async () => {
    const mute = await world.addBot('webhook', {
      model: 'parley-extractive',
      followUps: { ...followUps, steps: followUps.steps.slice(1) },
    })
    await answered(mute)
    await makeDue()
    await world.pipeline.settle()
    expect(sent()).toHaveLength(1)
    expect((await world.messages(chat)).at(-1)).toMatchObject({ author: 'system', reason: 'follow_up_needs_model' })
  })
})
