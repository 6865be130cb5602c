// Assigning each conversation that calls for a person: round robin, within everyone's capacity, longest wait first; and an honest notice
// to customers while no one is free. Between a real database and the fake Telegram.
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { handOff } from '#server/domain/messaging/conversations/writes/silence.store.ts'
import { takeOver } from '#server/domain/messaging/handoff/takeover.ts'
import * as bulk from '#server/domain/messaging/inbox/bulk.functions.ts'
import * as conversations from '#server/domain/messaging/inbox/conversations.functions.ts'
import * as operators from '#server/domain/organizations/operators.functions.ts'
import { listOperators } from '#server/domain/organizations/operators.store.ts'
import * as organizations from '#server/domain/organizations/organizations.functions.ts'
import type { Db } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import type { Id } from '#shared/ids.ts'
import { isFree, type OperatorSettings, type Queue } from '#shared/messaging/operators.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { type Bot, PipelineWorld } from '#tests/pipeline-world.ts'

const HANDOFF = agentSettings.parse({ model: 'test/echo' }).handoff
const NEVER = Array.from({ length: 7 }, (): number[] => [])
const UNATTENDED_TEXT = 'Nobody is free.'

let test: TestDatabase
let telegram: FakeTelegram
let world: PipelineWorld
/** One organization per test. */
let bot: Bot
let chat = 9000

beforeAll(async () => {
  test = await openTestDatabase()
  telegram = await startFakeTelegram()
  await startWorld()
})
afterAll(async () => {
  await world.stop()
  await telegram.close()
  await test.close()
})
beforeEach(async () => {
  bot = await world.addBot('webhook', { handoff: { ...HANDOFF, text: 'A person will answer you.' } })
})
afterEach(() => world.pipeline.settle())

async function startWorld(): Promise<void> {
  world = new PipelineWorld(test.database, telegram)
  await world.start()
  telegram.webhookOrigin = () => world.url
}

function inOrganization<T>(run: (db: Db) => Promise<T>): Promise<T> {
  return test.database.organization(bot.organizationId, run)
}

async function call(mutation: unknown, args: Record<string, unknown>): Promise<void> {
  await world.call(bot.organizationId, mutation, args)
  await world.pipeline.settle()
}

/** A member who takes assignments. */
async function addOperator(name: string, settings: Partial<OperatorSettings> = {}): Promise<Id<'users'>> {
  const id = newId('users')
  await test.database.system('test: a member', async (db) => {
    const user = { id, name, email: `${id}@example.com`, email_verified: true, image: null }
    await db.insertInto('users').values(user).execute()
    await db.insertInto('members').values({ user_id: id, organization_id: bot.organizationId, role: 'admin' }).execute()
  })
  await call(operators.update, { userId: id, patch: { acceptsAssignments: true, ...settings } })
  return id
}

/** A customer in a chat of their own calls a person. @returns the chat */
async function customerSays(text: string, inChat = ++chat): Promise<number> {
  telegram.customerSays(bot.token, inChat, text)
  await telegram.waitFor(() => telegram.isTaken(bot.token), 'the message to be taken')
  await world.pipeline.settle()
  return inChat
}

const callsPerson = (inChat?: number): Promise<number> => customerSays('I want an operator', inChat)

async function idOf(inChat: number): Promise<Id<'conversations'>> {
  return (await world.conversation(inChat)).id
}

async function set(inChat: number, columns: string): Promise<void> {
  const id = await idOf(inChat)
  await inOrganization((db) => sql`update conversations set ${sql.raw(columns)} where id = ${id}`.execute(db))
}

async function assigneeOf(inChat: number): Promise<Id<'users'> | null> {
  return (await world.conversation(inChat)).assignee_id
}

function queue(): Promise<Queue> {
  return world.call(bot.organizationId, conversations.queue, {}) as Promise<Queue>
}

/** A member writes, as in the inbox, without sending it. */
async function operatorReplies(inChat: number): Promise<void> {
  const { id, status } = await world.conversation(inChat)
  await inOrganization((db) =>
    takeOver({ db, organizationId: bot.organizationId }, [{ id, status }], { text: 'Hello', reason: 'operator_reply' }),
  )
  await world.pipeline.settle()
}

describe('a conversation that calls for a person', () => {
  it('is assigned to the member with the oldest assignment, in turn, and records to whom', async () => {
    const [anna, boris] = [await addOperator('Anna'), await addOperator('Boris')]
    const given = []
    for (let i = 0; i < 3; i++) given.push(await assigneeOf(await callsPerson()))
    expect(new Set(given.slice(0, 2))).toEqual(new Set([anna, boris]))
    expect(given[2]).toBe(given[0])
    const name = given[2] === anna ? 'Anna' : 'Boris'
    expect((await world.messages(chat)).at(-1)).toMatchObject({ author: 'system', reason: 'routed', text: name })
    expect(await queue()).toEqual({ count: 0, first: [] })
  })

  it('is not assigned to members who are away, off duty, at capacity, or have never opted in', async () => {
    await addOperator('Away', { acceptsAssignments: false })
    await addOperator('Off work', { hours: NEVER })
    await addOperator('Full', { capacity: 1 })
    await callsPerson()
    const waiting = await callsPerson()
    expect(await assigneeOf(waiting)).toBeNull()
    expect(await queue()).toMatchObject({ count: 1, first: [{ conversationId: await idOf(waiting) }] })
  })

  it('returns to its former assignee, unless they are not free', async () => {
    const [anna, boris] = [await addOperator('Anna'), await addOperator('Boris')]
    const inChat = await callsPerson()
    const first = await assigneeOf(inChat)
    await call(conversations.resume, { conversationId: await idOf(inChat) })
    await callsPerson(inChat)
    expect(await assigneeOf(inChat)).toBe(first)

    await call(conversations.resume, { conversationId: await idOf(inChat) })
    await call(operators.update, { userId: first, patch: { acceptsAssignments: false } })
    await callsPerson(inChat)
    expect(await assigneeOf(inChat)).toBe(first === anna ? boris : anna)
  })
})

describe('the queue', () => {
  it.each([
    [
      'is handed back to the agent',
      async (held: number) => call(conversations.resume, { conversationId: await idOf(held) }),
    ],
    ['is ended', async (held: number) => call(conversations.end, { conversationId: await idOf(held) })],
    [
      'is archived',
      async (held: number) => call(bulk.place, { conversationIds: [await idOf(held)], folder: 'archived' }),
    ],
  ])('moves on when a member’s conversation %s, also after they have written', async (_, release) => {
    const anna = await addOperator('Anna', { capacity: 1 })
    const held = await callsPerson()
    const [second, third] = [await callsPerson(), await callsPerson()]
    await operatorReplies(held)
    expect(await assigneeOf(second)).toBeNull()
    await release(held)
    expect([await assigneeOf(second), await assigneeOf(third)]).toEqual([anna, null])
  })

  it('moves on when a member opts in, raises their capacity, and when their hours begin', async () => {
    const chats = [await callsPerson(), await callsPerson(), await callsPerson()]
    const boris = await addOperator('Boris', { hours: NEVER })
    const anna = await addOperator('Anna', { acceptsAssignments: false, capacity: 1 })
    const given = () => Promise.all(chats.map(assigneeOf))
    expect(await given()).toEqual([null, null, null])
    await call(operators.update, { userId: anna, patch: { acceptsAssignments: true } })
    expect(await given()).toEqual([anna, null, null])
    await call(operators.update, { userId: anna, patch: { capacity: 2 } })
    expect(await given()).toEqual([anna, anna, null])

    const always = JSON.stringify(NEVER.map(() => Array.from({ length: 24 }, (_, hour) => hour)))
    await inOrganization((db) =>
      db
        .updateTable('operators')
        .set({ hours: always, hours_change_at: sql<Date>`now()` })
        .where('user_id', '=', boris)
        .execute(),
    )
    await world.pipeline.settle()
    expect(await given()).toEqual([anna, anna, boris])
  })

  it('takes unassigned conversations back, and drops those that are assigned by hand', async () => {
    const inChat = await callsPerson()
    const conversationIds = [await idOf(inChat)]
    const full = await addOperator('Full', { acceptsAssignments: false })
    await call(bulk.assign, { conversationIds, assigneeId: full })
    expect(await queue()).toMatchObject({ count: 0 })
    await call(bulk.assign, { conversationIds, assigneeId: null })
    expect(await queue()).toMatchObject({ count: 1 })
    await operatorReplies(inChat)
    expect(await queue()).toMatchObject({ count: 0 })
  })

  it('is processed by the next server after one has crashed', async () => {
    const anna = await addOperator('Anna')
    const inChat = await customerSays('Hello')
    await world.stop()
    const { id: conversationId, pause_epoch: pauseEpoch } = await world.conversation(inChat)
    const calling = { reason: 'policy' as const, note: null, resumeAfterMs: null }
    await inOrganization((db) =>
      handOff({ db, organizationId: bot.organizationId }, { conversationId, pauseEpoch }, calling),
    )
    await startWorld()
    await world.pipeline.settle()
    expect(await assigneeOf(inChat)).toBe(anna)
  })
})

it('never exceeds a member’s capacity, when 50 conversations call at once and two servers assign them', async () => {
  const people = [
    await addOperator('Anna', { capacity: 1 }),
    await addOperator('Boris', { capacity: 7 }),
    await addOperator('Vera', { capacity: 12 }),
  ]
  const other = new PipelineWorld(test.database, telegram)
  await other.start()
  const ids = await addConversations(50)
  const calling = { reason: 'policy' as const, note: null, resumeAfterMs: null }
  await Promise.all(
    ids.map((conversationId) =>
      inOrganization((db) =>
        handOff({ db, organizationId: bot.organizationId }, { conversationId, pauseEpoch: 0 }, calling),
      ),
    ),
  )
  await Promise.all([world.pipeline.settle(), other.pipeline.settle()])
  await other.stop()
  const held = await inOrganization((db) => listOperators({ db, organizationId: bot.organizationId }))
  expect(people.map((id) => held.find(({ _id }) => _id === id)?.held)).toEqual([1, 7, 12])
  expect(held.filter(isFree)).toEqual([])
  expect(await queue()).toMatchObject({ count: 30 })
})

/** Conversations with an active agent, created without a message. */
async function addConversations(count: number): Promise<Id<'conversations'>[]> {
  const ids = Array.from({ length: count }, () => newId('conversations'))
  const { organizationId: organization_id, agentId: agent_id, connectionId: connection_id } = bot
  await inOrganization(async (db) => {
    for (const id of ids) {
      await sql`insert into conversations (id, organization_id, agent_id, channel, connection_id, external_chat_id, status)
        values (${id}, ${organization_id}, ${agent_id}, 'telegram', ${connection_id}, ${String(++chat)}, 'active')`.execute(
        db,
      )
    }
  })
  return ids
}

describe('a customer for whom no one is free', () => {
  const noticesIn = (inChat: number) => telegram.sentTo(inChat).filter(({ text }) => text === UNATTENDED_TEXT).length

  beforeEach(() =>
    call(organizations.update, { patch: { unattendedAfterSeconds: 60, unattendedText: UNATTENDED_TEXT } }),
  )

  /** Makes the customer have waited for this long. */
  async function timePasses(inChat: number): Promise<void> {
    const { id } = await world.conversation(inChat)
    await inOrganization((db) =>
      db
        .updateTable('conversations')
        .set({ unattended_at: sql<Date>`now()` })
        .where('id', '=', id)
        .where('unattended_at', 'is not', null)
        .execute(),
    )
    await world.pipeline.settle()
  }

  it('gets one notice, as a system message, and another only after a new call', async () => {
    const inChat = await callsPerson()
    expect(noticesIn(inChat)).toBe(0)
    await timePasses(inChat)
    await timePasses(inChat)
    expect(noticesIn(inChat)).toBe(1)
    expect((await world.usage(bot)).filter(({ category }) => category === 'system_message')).toHaveLength(2)
    await callsPerson(inChat)
    await timePasses(inChat)
    expect(noticesIn(inChat)).toBe(1)
    await call(conversations.resume, { conversationId: await idOf(inChat) })
    await callsPerson(inChat)
    await timePasses(inChat)
    expect(noticesIn(inChat)).toBe(2)
  })

  it('gets no notice once the conversation is assigned, a person has written, or the agent has resumed', async () => {
    const [written, resumed, given] = [await callsPerson(), await callsPerson(), await callsPerson()]
    await operatorReplies(written)
    await call(conversations.resume, { conversationId: await idOf(resumed) })
    await addOperator('Anna')
    for (const inChat of [written, resumed, given]) {
      expect((await world.conversation(inChat)).unattended_at).toBeNull()
      await timePasses(inChat)
      expect(noticesIn(inChat)).toBe(0)
    }
  })

  const filed = async (inChat: number, folder: string) =>
    call(bulk.place, { conversationIds: [await idOf(inChat)], folder })
  const given = async (inChat: number, assigneeId: Id<'users'> | null) =>
    call(bulk.assign, { conversationIds: [await idOf(inChat)], assigneeId })
  /** What removes a conversation from the queue, and what returns it while its call is open. */
  const detours: [string, (inChat: number) => Promise<unknown>, (inChat: number) => Promise<unknown>][] = [
    [
      'it is archived and they write',
      (inChat) => filed(inChat, 'archived'),
      (inChat) => customerSays('Hello?', inChat),
    ],
    ['it is deleted and they write', (inChat) => filed(inChat, 'deleted'), (inChat) => customerSays('Hello?', inChat)],
    ['it is archived and put back', (inChat) => filed(inChat, 'archived'), (inChat) => filed(inChat, 'inbox')],
    [
      'it is assigned and unassigned again',
      async (inChat) => given(inChat, await addOperator('Anna', { acceptsAssignments: false })),
      (inChat) => given(inChat, null),
    ],
    [
      'the agent resumes by the clock and hands over again',
      (inChat) => set(inChat, `status = 'active', pause_reason = null, paused_at = null, resume_at = null`),
      callsPerson,
    ],
  ]

  it.each(detours)('still gets one notice when %s', async (_, away, back) => {
    const inChat = await callsPerson()
    await away(inChat)
    expect((await world.conversation(inChat)).unattended_at).toBeNull()
    await back(inChat)
    expect((await world.conversation(inChat)).unattended_at?.getTime()).toBeGreaterThan(Date.now() + 50_000)
    await timePasses(inChat)
    expect(noticesIn(inChat)).toBe(1)
    await away(inChat)
    await back(inChat)
    await timePasses(inChat)
    expect(noticesIn(inChat)).toBe(1)
  })

  it('gets no notice while an operator is typing to them', async () => {
    const inChat = await callsPerson()
    const userId = await addOperator('Anna', { acceptsAssignments: false })
    const { id: conversation_id } = await world.conversation(inChat)
    const row = { organization_id: bot.organizationId, conversation_id, user_id: userId, state: 'typing' as const }
    await inOrganization((db) => db.insertInto('conversation_presence').values(row).execute())
    await timePasses(inChat)
    expect(noticesIn(inChat)).toBe(0)
    await inOrganization((db) =>
      db
        .updateTable('conversation_presence')
        .set({ at: sql<Date>`now() - interval '1 minute'` })
        .where('user_id', '=', userId)
        .execute(),
    )
    await timePasses(inChat)
    expect(noticesIn(inChat)).toBe(1)
  })

  it('gets no notice from an organization that has switched it off', async () => {
    const inChat = await callsPerson()
    await call(organizations.update, { patch: { unattendedAfterSeconds: null } })
    await timePasses(inChat)
    expect(noticesIn(inChat)).toBe(0)
    expect((await world.conversation(await callsPerson())).unattended_at).toBeNull()
  })

  it('gets the start of the next working hours in their language, where that is known', async () => {
    await call(organizations.update, { patch: { unattendedText: '', timeZone: 'Asia/Almaty' } })
    const everyDay = NEVER.map(() => [(new Date().getUTCHours() + 5 + 12) % 24])
    await addOperator('Anna', { hours: everyDay })
    const english = await callsPerson()
    await timePasses(english)
    const hour = String(everyDay[0]?.[0]).padStart(2, '0')
    expect(telegram.sentTo(english).at(-1)?.text).toMatch(
      new RegExp(`^All our colleagues are busy .* Working hours begin on \\w+day.* ${hour}:00 GMT\\+5\\.$`),
    )
    const russian = await customerSays('Позовите человека, мне нужен оператор')
    await timePasses(russian)
    expect(telegram.sentTo(russian).at(-1)?.text).toMatch(
      /Сейчас все сотрудники заняты.* Рабочее время начнётся: .*:00/,
    )
  })
})
