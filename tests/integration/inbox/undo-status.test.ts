// Undoing status changes of many conversations: each is restored, with its call for a person, its place
// in the queue and its timers; later changes are kept. Between a real database and the fake Telegram.
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as bulk from '#server/domain/messaging/inbox/bulk.functions.ts'
import * as conversations from '#server/domain/messaging/inbox/conversations.functions.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import type { Id } from '#shared/ids.ts'
import type { Bulk, ConversationStatus, StatusBefore } from '#shared/messaging/conversations.ts'
import { planFollowUpAt } from '#tests/conversation-parts.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { type Bot, PipelineWorld } from '#tests/pipeline-world.ts'

const HANDOFF = agentSettings.parse({ model: 'test/echo' }).handoff
/** What a step changes. The epoch only ever grows. */
const STANDING = [
  'status',
  'pause_reason',
  'paused_at',
  'paused_by',
  'resume_at',
  'needs_person',
  'handoff_reason',
  'handoff_note',
  'phrases_through',
  'follow_up_at',
  'waiting_since',
  'queued_at',
  'unattended_at',
] as const
const STEPS: ConversationStatus[] = ['active', 'paused', 'ended']

let test: TestDatabase
let telegram: FakeTelegram
let world: PipelineWorld
let bot: Bot
let chat = 4000

beforeAll(async () => {
  test = await openTestDatabase()
  telegram = await startFakeTelegram()
  world = new PipelineWorld(test.database, telegram)
  await world.start()
  telegram.webhookOrigin = () => world.url
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

async function customerSays(text: string, inChat = ++chat): Promise<number> {
  telegram.customerSays(bot.token, inChat, text)
  await telegram.waitFor(() => telegram.isTaken(bot.token), 'the message to be taken')
  await world.pipeline.settle()
  return inChat
}

async function call(mutation: unknown, args: Record<string, unknown>): Promise<unknown> {
  const answer = await world.call(bot.organizationId, mutation, args)
  await world.pipeline.settle()
  return answer
}

const idOf = async (inChat: number): Promise<Id<'conversations'>> => (await world.conversation(inChat)).id

/** Its state, as far as a step changes it. */
async function standing(inChat: number) {
  const row = await world.conversation(inChat)
  return Object.fromEntries(STANDING.map((column) => [column, row[column]]))
}

async function set(inChat: number, columns: string): Promise<void> {
  const id = await idOf(inChat)
  await test.database.system('test: how a conversation stands', (db) =>
    sql`update conversations set ${sql.raw(columns)} where id = ${id}`.execute(db),
  )
}

async function step(status: ConversationStatus, ...chats: number[]): Promise<string[]> {
  const conversationIds = await Promise.all(chats.map(idOf))
  const results = (await call(bulk.status, { conversationIds, status })) as Bulk<StatusBefore>
  return results.flatMap(({ before }) => before?.ticket ?? [])
}

async function undo(tickets: string[]) {
  const results = (await call(bulk.undo, { tickets })) as Bulk<null>
  return results.map(({ error }) => error)
}

/** Each waits for a person, in its own way; or for none. */
const STATES: Record<string, () => Promise<number>> = {
  'speaks by itself': async () => {
    const spoken = await customerSays('Hello')
    const id = await idOf(spoken)
    await test.database.system('test: a follow-up is planned', (db) =>
      planFollowUpAt(sql`now() + interval '1 hour'`, sql`c.id = ${id}`).execute(db),
    )
    return spoken
  },
  'calls for a person, and stands in the queue': async () => {
    const calling = await customerSays('I want an operator')
    await set(
      calling,
      `queued_at = now() - interval '1 hour', waiting_since = now() - interval '1 hour', handoff_note = 'wants a refund',
      unattended_at = now() + interval '1 hour', resume_at = now() + interval '2 hours'`,
    )
    return calling
  },
  'is assigned to a called operator': async () => {
    const taken = await customerSays('I want an operator')
    const userId = newId('users')
    await test.database.system('test: a member', async (db) => {
      const user = { id: userId, name: 'Anna', email: `${userId}@example.com`, email_verified: true, image: null }
      await db.insertInto('users').values(user).execute()
      await db
        .insertInto('members')
        .values({ user_id: userId, organization_id: bot.organizationId, role: 'admin' })
        .execute()
    })
    await call(bulk.assign, { conversationIds: [await idOf(taken)], assigneeId: userId })
    return taken
  },
  'was paused for a time': async () => {
    const paused = await customerSays('Hello')
    await call(conversations.pause, { conversationId: await idOf(paused), resumeAfterMs: 3_600_000 })
    return paused
  },
  'has ended': async () => {
    const ended = await customerSays('Hello')
    await call(conversations.end, { conversationId: await idOf(ended) })
    return ended
  },
}

describe.each(Object.entries(STATES))('a conversation that %s', (_, arrange) => {
  it.each(STEPS)('is restored when it was made %s and that is undone', async (target) => {
    const inChat = await arrange()
    const before = await standing(inChat)
    const tickets = await step(target, inChat)
    if (tickets.length > 0) expect(await undo(tickets)).toEqual([null])
    expect(await standing(inChat)).toEqual(before)
  })
})

describe('undoing', () => {
  it('answers the customer’s messages from the silence, and silences an agent that was resumed', async () => {
    const inChat = await customerSays('Hello')
    const paused = await step('paused', inChat)
    await customerSays('Are you there?', inChat)
    expect((await world.messages(inChat)).at(-1)?.text).toBe('Are you there?')
    expect(await undo(paused)).toEqual([null])
    expect((await world.messages(inChat)).at(-1)).toMatchObject({ author: 'agent' })
    const { pause_epoch: epoch } = await world.conversation(inChat)
    await step('paused', inChat)
    expect(await undo(await step('active', inChat))).toEqual([null])
    expect(await world.conversation(inChat)).toMatchObject({ status: 'paused', pause_epoch: epoch + 2 })
  })

  it('skips conversations that were changed since, and reports each', async () => {
    const [kept, resumed, again] = [
      await customerSays('I want an operator'),
      await customerSays('I want an operator'),
      await customerSays('Hello'),
    ]
    const tickets = await step('ended', kept, resumed, again)
    await customerSays('One more thing', resumed)
    expect(await undo(tickets)).toEqual([null, 'conversation_changed', null])
    expect(await undo(tickets)).toEqual(tickets.map(() => 'conversation_changed'))
    expect(await world.conversation(kept)).toMatchObject({ status: 'paused', needs_person: true })
    expect(await world.conversation(resumed)).toMatchObject({ status: 'active', needs_person: false })
    expect(await world.conversation(again)).toMatchObject({ status: 'active' })
  })

  it('undoes consecutive steps together', async () => {
    const inChat = await customerSays('Hello')
    const before = await standing(inChat)
    const tickets = [...(await step('paused', inChat)), ...(await step('paused', inChat))]
    expect(tickets).toHaveLength(2)
    expect(await undo(tickets)).toEqual([null])
    expect(await standing(inChat)).toEqual(before)
  })

  it('keeps a later assignment, and the conversation out of the queue', async () => {
    const inChat = await STATES['calls for a person, and stands in the queue']?.()
    if (inChat === undefined) throw new Error('no such state')
    const tickets = await step('ended', inChat)
    const other = await STATES['is assigned to a called operator']?.()
    const { assignee_id: assigneeId } = await world.conversation(other ?? 0)
    await call(bulk.assign, { conversationIds: [await idOf(inChat)], assigneeId })
    expect(await undo(tickets)).toEqual([null])
    expect(await world.conversation(inChat)).toMatchObject({
      needs_person: true,
      assignee_id: assigneeId,
      queued_at: null,
    })
  })

  it('accepts no ticket of another organization, and no forged one', async () => {
    const inChat = await customerSays('Hello')
    const tickets = await step('ended', inChat)
    bot = await world.addBot('webhook')
    await expect(undo(tickets)).rejects.toThrow('not_found')
    await expect(undo(['a ticket'])).rejects.toThrow('not_found')
  })
})

it('is not ended again when the customer has written since it was reopened: they are answered', async () => {
  const opened = await customerSays('Hello')
  await step('ended', opened)
  const tickets = await step('active', opened)
  await customerSays('One more thing', opened)
  expect(await undo(tickets)).toEqual(['conversation_changed'])
  expect(await world.conversation(opened)).toMatchObject({ status: 'active' })
  expect(telegram.sentTo(opened).at(-1)?.text).toContain('One more thing')
})
