// Undoing archiving, assignment and tagging: each conversation is restored, with its folder
// in the queue, promised notices and timers; later changes are kept. Between a real database and the fake
// Telegram.
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as bulk from '#server/domain/messaging/inbox/bulk.functions.ts'
import * as conversations from '#server/domain/messaging/inbox/conversations.functions.ts'
import * as operators from '#server/domain/organizations/operators.functions.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import type { Id } from '#shared/ids.ts'
import type { Bulk, TakenBack } from '#shared/messaging/conversations.ts'
import { planFollowUpAt, planQuestionAt } from '#tests/conversation-parts.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { type Bot, PipelineWorld } from '#tests/pipeline-world.ts'

const HANDOFF = agentSettings.parse({ model: 'test/echo' }).handoff
/** What steps change, and what follows from it. The epoch only ever grows. */
const STANDING = [
  'status',
  'folder',
  'moved_at',
  'assignee_id',
  'needs_person',
  'follow_up_at',
  'waiting_since',
  'queued_at',
  'unattended_at',
  'unattended_told_at',
  'rating_ask_at',
] as const
type Ticketed = Bulk<{ ticket: string | null }>

let test: TestDatabase
let telegram: FakeTelegram
let world: PipelineWorld
let bot: Bot
let anna: Id<'users'>
let boris: Id<'users'>
let chat = 6000

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
  await run(sql`update organizations set unattended_after_seconds = 600 where id = ${bot.organizationId}`)
  anna = await addMember('Anna')
  boris = await addMember('Boris')
})
afterEach(() => world.pipeline.settle())

function run(statement: ReturnType<typeof sql>): Promise<unknown> {
  return test.database.system('test: what stands', (db) => statement.execute(db))
}

async function addMember(name: string): Promise<Id<'users'>> {
  const id = newId('users')
  await test.database.system('test: a member', async (db) => {
    const user = { id, name, email: `${id}@example.com`, email_verified: true, image: null }
    await db.insertInto('users').values(user).execute()
    await db.insertInto('members').values({ user_id: id, organization_id: bot.organizationId, role: 'admin' }).execute()
  })
  return id
}

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

async function standing(inChat: number) {
  const row = await world.conversation(inChat)
  return Object.fromEntries(STANDING.map((column) => [column, row[column]]))
}

async function set(inChat: number, columns: string): Promise<void> {
  await run(sql`update conversations set ${sql.raw(columns)} where id = ${await idOf(inChat)}`)
}

type Step = { mutation: unknown; args: Record<string, unknown> }
const put = (folder: string): Step => ({ mutation: bulk.place, args: { folder } })
const give = (assigneeId: string | null): Step => ({ mutation: bulk.assign, args: { assigneeId } })
const tag = (name: string, isOn = true): Step => ({ mutation: bulk.tag, args: { tag: name, isOn } })

async function take({ mutation, args }: Step, ...chats: number[]): Promise<string[]> {
  const conversationIds = await Promise.all(chats.map(idOf))
  const results = (await call(mutation, { conversationIds, ...args })) as Ticketed
  return results.flatMap(({ before }) => before?.ticket ?? [])
}

async function undo(tickets: string[]) {
  const results = (await call(bulk.undo, { tickets })) as Bulk<TakenBack>
  return results.map(({ error }) => error)
}

/** The tags of a conversation, in order. */
async function tagsOf(inChat: number): Promise<string[]> {
  const id = await idOf(inChat)
  const rows = await world.read((db) =>
    db.selectFrom('conversation_tags').where('conversation_id', '=', id).select('tag').orderBy('tag').execute(),
  )
  return rows.map((row) => row.tag)
}

/** Called for a person an hour ago, and is due to be notified that no one is free. */
async function calling(): Promise<number> {
  const inChat = await customerSays('I want an operator')
  await set(inChat, `queued_at = now() - interval '1 hour', unattended_at = now() + interval '1 minute'`)
  return inChat
}

const STATES: Record<string, () => Promise<number>> = {
  'speaks by itself': async () => {
    const inChat = await customerSays('Hello')
    await run(planFollowUpAt(sql`now() + interval '1 hour'`, sql`c.id = ${await idOf(inChat)}`))
    return inChat
  },
  'stands in the queue': calling,
  'is in the queue, and was notified that no one is free': async () => {
    const inChat = await calling()
    await set(inChat, `unattended_at = null, unattended_told_at = now() - interval '1 minute'`)
    return inChat
  },
  'is assigned to a called operator': async () => {
    const inChat = await calling()
    await take(give(anna), inChat)
    return inChat
  },
  'is assigned, and calls again': async () => {
    const inChat = await customerSays('Hello')
    await take(give(anna), inChat)
    await customerSays('I want an operator', inChat)
    await set(inChat, `queued_at = now() - interval '1 hour', unattended_at = now() + interval '1 minute'`)
    return inChat
  },
  'was archived while it called': async () => {
    const inChat = await calling()
    await take(put('archived'), inChat)
    return inChat
  },
  'was deleted days ago': async () => {
    const inChat = await customerSays('Hello')
    await take(put('deleted'), inChat)
    await set(inChat, `moved_at = now() - interval '29 days'`)
    return inChat
  },
  'was ended, and is to be asked for a rating': async () => {
    const inChat = await customerSays('Hello')
    await call(conversations.end, { conversationId: await idOf(inChat) })
    await run(planQuestionAt(sql`now() + interval '1 hour'`, sql`c.id = ${await idOf(inChat)}`))
    return inChat
  },
}
const STEPS: [string, () => Step][] = [
  ['archived', () => put('archived')],
  ['deleted', () => put('deleted')],
  ['put back', () => put('inbox')],
  ['given to Anna', () => give(anna)],
  ['given to Boris', () => give(boris)],
  ['unassigned', () => give(null)],
  ['tagged', () => tag('vip')],
]

describe.each(Object.entries(STATES))('a conversation that %s', (_, arrange) => {
  it.each(STEPS)('is restored when it was %s and that is undone', async (__, step) => {
    const inChat = await arrange()
    const before = await standing(inChat)
    const tickets = await take(step(), inChat)
    if (tickets.length > 0) expect(await undo(tickets)).toEqual([null])
    expect(await standing(inChat)).toEqual(before)
    expect(await tagsOf(inChat)).toEqual([])
  })
})

describe('undoing', () => {
  const others: [string, () => Step, () => Step][] = [
    ['a folder', () => put('archived'), () => put('deleted')],
    ['an assignment', () => give(anna), () => give(boris)],
    ['a tag', () => tag('vip'), () => tag('vip', false)],
    ['the loss of a tag', () => tag('old', false), () => tag('old')],
  ]
  it.each(others)('of %s skips what a colleague has changed since, and reports only that', async (_, mine, theirs) => {
    const [kept, changed] = [await customerSays('Hello'), await customerSays('Hello')]
    await take(tag('old'), kept, changed)
    const before = [await standing(kept), await tagsOf(kept)]
    const tickets = await take(mine(), kept, changed)
    await take(theirs(), changed)
    const since = [await standing(changed), await tagsOf(changed)]
    expect(await undo(tickets)).toEqual([null, 'conversation_changed'])
    expect([await standing(kept), await tagsOf(kept)]).toEqual(before)
    expect([await standing(changed), await tagsOf(changed)]).toEqual(since)
    expect(await undo(tickets)).toEqual(['conversation_changed', 'conversation_changed'])
  })

  it('does not archive again a conversation in which the customer has written since', async () => {
    const archived = await customerSays('Hello')
    await take(put('archived'), archived)
    const tickets = await take(put('inbox'), archived)
    await customerSays('One more thing', archived)
    expect(await undo(tickets)).toEqual(['conversation_changed'])
    expect(await world.conversation(archived)).toMatchObject({ folder: 'inbox' })
  })

  it('of a deletion answers the waiting customer; that of a restore silences the agent again', async () => {
    const inChat = await customerSays('Hello')
    await set(inChat, 'answered_through = 0')
    const deletion = await take(put('deleted'), inChat)
    expect(telegram.sentTo(inChat)).toHaveLength(1)
    expect(await undo(deletion)).toEqual([null])
    expect(telegram.sentTo(inChat)).toHaveLength(2)
    await take(put('deleted'), inChat)
    const { pause_epoch: epoch } = await world.conversation(inChat)
    expect(await undo(await take(put('inbox'), inChat))).toEqual([null])
    expect(await world.conversation(inChat)).toMatchObject({ folder: 'deleted', pause_epoch: epoch + 1 })
  })

  it('does not schedule again a follow-up that was sent meanwhile', async () => {
    const inChat = await STATES['speaks by itself']?.()
    if (inChat === undefined) throw new Error('no such state')
    const tickets = await take(put('archived'), inChat)
    await run(planFollowUpAt(sql`null::timestamptz`, sql`c.id = ${await idOf(inChat)}`))
    expect(await undo(tickets)).toEqual([null])
    expect(await world.conversation(inChat)).toMatchObject({ folder: 'inbox', follow_up_at: null })
  })

  it('of an assignment keeps the queue position of a later call, and its promised notice', async () => {
    const inChat = await customerSays('Hello')
    const tickets = await take(give(anna), inChat)
    await customerSays('I want an operator', inChat)
    const called = await standing(inChat)
    expect(called.unattended_at).not.toBeNull()
    expect(await undo(tickets)).toEqual([null])
    expect(await standing(inChat)).toEqual({ ...called, assignee_id: null })
  })

  it('of an assignment is recorded, and assigns the waiting conversation again', async () => {
    const inChat = await STATES['is assigned, and calls again']?.()
    if (inChat === undefined) throw new Error('no such state')
    const tickets = await take(give(anna), inChat)
    await call(operators.update, { userId: boris, patch: { acceptsAssignments: true } })
    expect(await world.conversation(inChat)).toMatchObject({ assignee_id: anna, queued_at: null })
    expect(await undo(tickets)).toEqual([null])
    expect(await world.conversation(inChat)).toMatchObject({ assignee_id: boris, queued_at: null })
    expect(await undo(await take(give(anna), inChat))).toEqual([null])
    const assignments = (await world.messages(inChat)).filter(
      ({ reason }) => reason === 'assigned' || reason === 'routed',
    )
    const lines = assignments.map(({ reason, text }) => `${reason} ${text}`)
    expect(lines).toEqual(['assigned Anna', 'assigned Anna', 'routed Boris', 'assigned Anna', 'assigned Boris'])
  })

  it('assigns nothing to a former member', async () => {
    const inChat = await customerSays('Hello')
    await take(give(anna), inChat)
    const tickets = await take(give(boris), inChat)
    await run(sql`delete from members where user_id = ${anna}`)
    expect(await undo(tickets)).toEqual(['conversation_changed'])
    expect(await world.conversation(inChat)).toMatchObject({ assignee_id: boris })
  })

  it('restores no tag beyond the limit', async () => {
    const inChat = await customerSays('Hello')
    for (let number = 1; number <= 20; number++) await take(tag(`tag ${number}`), inChat)
    const tickets = await take(tag('tag 7', false), inChat)
    await take(tag('another'), inChat)
    expect(await undo(tickets)).toEqual(['too_many_tags'])
    expect(await tagsOf(inChat)).toHaveLength(20)
    expect(await tagsOf(inChat)).not.toContain('tag 7')
  })
})
