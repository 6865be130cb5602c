// The inbox's list through the official client: filters, order, tags, assignees, archive, deletion, and many conversations at once.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { removeDeleted } from '#server/domain/messaging/inbox/removal.ts'
import type { GenerateRequest } from '#server/integrations/llm/llm.ts'
import { appErrorData } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { Conversation, ConversationFilter, UnreadCount } from '#shared/messaging/conversations.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { echo, scriptedLlm } from '#tests/pipeline-world.ts'

const FIRST_PAGE = { paginationOpts: { numItems: 50, cursor: null } }
const DAY_MS = 86_400_000

let telegram: FakeTelegram
let app: TestApp
let person: Person
let token: string
let agentId: Id<'agents'>
let model: (request: GenerateRequest) => string | Promise<string> = echo
let chat = 7000

beforeAll(async () => {
  telegram = await startFakeTelegram()
  app = await startApp({ telegram, overrides: { llm: scriptedLlm((request) => model(request)) } })
  person = await app.signUp({ name: 'Olga' })
  agentId = (await person.http.mutation(api.agents.create, { name: 'Helper' }))._id
  token = telegram.addBot().token
  await person.http.action(api.channels.telegram.provision, { agentId, botToken: token })
})
afterAll(async () => {
  await app.close()
  await telegram.close()
})
beforeEach(() => {
  model = echo
})

/** A customer writes and is answered. @returns the conversation and its chat */
async function conversationWith(name: string, text = 'Hello'): Promise<Conversation & { chat: number }> {
  const own = ++chat
  telegram.customerSays(token, { chatId: own, firstName: name }, text)
  await telegram.waitForSent(own)
  await app.settle()
  const found = (await list()).find((conversation) => conversation.customer?.name === name)
  if (!found) throw new Error(`no conversation with ${name}`)
  return { ...found, chat: own }
}

async function list(filter: ConversationFilter = {}): Promise<Conversation[]> {
  return (await person.http.query(api.conversations.list, { ...FIRST_PAGE, ...filter })).page
}

async function namesOf(filter: ConversationFilter = {}): Promise<(string | undefined)[]> {
  return (await list(filter)).map((conversation) => conversation.customer?.name)
}

function get(conversationId: Id<'conversations'>): Promise<Conversation> {
  return person.http.query(api.conversations.get, { conversationId })
}

async function put(folder: Conversation['folder'], ...conversations: Conversation[]) {
  const conversationIds = conversations.map(({ _id }) => _id)
  return person.http.mutation(api.conversations.bulk.place, { conversationIds, folder })
}

async function says({ chat: chatId, customer }: Conversation & { chat: number }, text: string): Promise<void> {
  telegram.customerSays(token, { chatId, firstName: customer?.name ?? '' }, text)
  await telegram.waitFor(() => telegram.isTaken(token), 'the message to be taken')
}

async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  return call.then(
    () => undefined,
    (error: unknown) => appErrorData(error)?.code,
  )
}

describe('the list is filtered', () => {
  it('by channel, unread and date', async () => {
    const { _id: conversationId, lastMessage } = await conversationWith('Filip')
    const at = lastMessage?.at ?? 0
    expect(await namesOf({ channel: 'telegram' })).toContain('Filip')
    expect(await namesOf({ channel: 'whatsapp' })).toEqual([])
    expect(await namesOf({ isUnread: true })).toContain('Filip')
    await person.http.mutation(api.conversations.markRead, { conversationId })
    expect(await namesOf({ isUnread: true })).not.toContain('Filip')
    expect(await namesOf({ since: at, until: at + 1 })).toContain('Filip')
    expect(await namesOf({ since: at + 1 })).not.toContain('Filip')
    expect(await namesOf({ until: at })).not.toContain('Filip')
  })

  it('by failed delivery, until it is resent, excluding parts that a pause withheld', async () => {
    const conversation = await conversationWith('Petra')
    const { _id: conversationId, chat: chatId } = conversation
    telegram.dropAnswers(1)
    await says(conversation, 'Hello again')
    await telegram.waitForSent(chatId, 2)
    await app.settle()
    expect(await namesOf({ hasProblem: true })).toEqual(['Petra'])
    const { page } = await person.http.query(api.conversations.messages, { conversationId, ...FIRST_PAGE })
    const [part] = page[0]?.deliveries ?? []
    if (part) await person.http.mutation(api.conversations.resend, { outboxId: part._id })
    await telegram.waitForSent(chatId, 3)
    await app.settle()
    expect(await namesOf({ hasProblem: true })).toEqual([])
    await app.database.organization(person.organization._id, (db) =>
      sql`update outbox set status = 'failed', error = 'paused' where conversation_id = ${conversationId}`.execute(db),
    )
    expect(await namesOf({ hasProblem: true })).toEqual([])
  })

  it('by tag and by assignee', async () => {
    const { _id: conversationId } = await conversationWith('Tanya')
    const conversationIds = [conversationId]
    const assigneeId = person.user._id
    await person.http.mutation(api.conversations.bulk.tag, { conversationIds, tag: ' vip ', isOn: true })
    await person.http.mutation(api.conversations.bulk.assign, { conversationIds, assigneeId })
    expect(await namesOf({ tag: 'vip' })).toEqual(['Tanya'])
    expect(await namesOf({ tag: 'other' })).toEqual([])
    expect(await namesOf({ assigneeId })).toEqual(['Tanya'])
    expect(await namesOf({ assigneeId: null })).not.toContain('Tanya')
    expect(await get(conversationId)).toMatchObject({ tags: ['vip'], assignee: { _id: assigneeId, name: 'Olga' } })
    expect(await person.http.query(api.conversations.tags, {})).toEqual(['vip'])
    expect(await person.http.query(api.organizations.members, {})).toMatchObject([{ _id: assigneeId, name: 'Olga' }])
  })

  it('live: a conversation leaves it when it no longer matches', async () => {
    const { _id } = await conversationWith('Lev')
    const seen: boolean[] = []
    const left = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    const tag = (isOn: boolean) =>
      person.http.mutation(api.conversations.bulk.tag, { conversationIds: [_id], tag: 'live', isOn })
    const stop = person.live().onUpdate(api.conversations.list, { ...FIRST_PAGE, tag: 'live' }, ({ page }) => {
      seen.push(page.length > 0)
      if (page.length > 0) arrived.resolve()
      else if (seen.includes(true)) left.resolve()
    })
    await tag(true)
    await arrived.promise
    await tag(false)
    await left.promise
    stop()
    expect(seen.at(-1)).toBe(false)
  })
})

describe('the unread count', () => {
  it('is live, covers the inbox only, and is capped', async () => {
    const { _id: conversationId } = await conversationWith('Una')
    const counts: UnreadCount[] = []
    const stop = person.live().onUpdate(api.conversations.unread, {}, (unread) => void counts.push(unread))
    await expect.poll(() => counts.length).toBeGreaterThan(0)
    const { count } = counts.at(-1) ?? { count: 0 }
    await person.http.mutation(api.conversations.markRead, { conversationId })
    await expect.poll(() => counts.at(-1)).toEqual({ count: count - 1, isMore: false })
    const again = await conversationWith('Una again')
    await expect.poll(() => counts.at(-1)?.count).toBe(count)
    await put('archived', again)
    await expect.poll(() => counts.at(-1)?.count).toBe(count - 1)
    await put('inbox', again)
    await expect.poll(() => counts.at(-1)?.count).toBe(count)
    await app.database.organization(person.organization._id, (db) =>
      sql`insert into conversations (id, organization_id, agent_id, channel, status, unread_count)
        select 'unread-' || each, ${person.organization._id}, ${agentId}, 'http', 'ended', 1 from generate_series(1, 120) each`.execute(
        db,
      ),
    )
    await expect.poll(() => counts.at(-1)).toEqual({ count: 99, isMore: true })
    stop()
    await app.database.organization(person.organization._id, (db) =>
      sql`delete from conversations where id like 'unread-%'`.execute(db),
    )
  })
})

describe('the list is sorted', () => {
  it('by the longest wait: from the first unanswered message to an answer', async () => {
    const first = await conversationWith('Waits long')
    const second = await conversationWith('Waits')
    for (const { _id: conversationId } of [first, second]) {
      await person.http.mutation(api.conversations.pause, { conversationId })
    }
    await says(first, 'One')
    await says(second, 'Two')
    await says(first, 'Three')
    const waiting = async () => (await namesOf({ sort: 'waiting' })).filter((name) => name?.startsWith('Waits'))
    expect(await waiting()).toEqual(['Waits long', 'Waits'])
    expect((await namesOf({ sort: 'newest' })).slice(0, 2)).toEqual(['Waits long', 'Waits'])
    expect((await namesOf({ sort: 'oldest' })).at(-1)).toBe('Waits long')
    await person.http.mutation(api.conversations.reply, { conversationId: first._id, text: 'Here' })
    expect(await waiting()).toEqual(['Waits'])
    await person.http.mutation(api.conversations.resume, { conversationId: second._id })
    await telegram.waitForSent(second.chat, 2)
    await app.settle()
    expect(await waiting()).toEqual([])
  })

  it('with conversations that call for a person among those that wait, until one comes', async () => {
    const conversation = await conversationWith('Called')
    const { _id: conversationId } = conversation
    await says(conversation, 'I want a human')
    await app.settle()
    expect(await namesOf({ sort: 'waiting' })).toContain('Called')
    await person.http.mutation(api.conversations.reply, { conversationId, text: 'Here I am' })
    expect(await namesOf({ sort: 'waiting' })).not.toContain('Called')
  })
})

describe('the neighbours of a conversation', () => {
  it('are those before and after it in the filtered and sorted list', async () => {
    const [third, second, first] = [
      await conversationWith('Step 3'),
      await conversationWith('Step 2'),
      await conversationWith('Step 1'),
    ]
    const tag = 'step'
    const conversationIds = [first._id, third._id]
    await person.http.mutation(api.conversations.bulk.tag, { conversationIds, tag, isOn: true })
    const of = (each: Conversation, filter: ConversationFilter = {}) =>
      person.http.query(api.conversations.neighbours, { conversationId: each._id, ...filter })
    expect(await of(first)).toEqual({ previous: null, next: second._id })
    expect(await of(second)).toMatchObject({ previous: first._id, next: third._id })
    expect(await of(second, { sort: 'oldest' })).toMatchObject({ previous: third._id, next: first._id })
    expect(await of(second, { tag })).toEqual({ previous: first._id, next: third._id })
    expect(await of(third, { tag })).toEqual({ previous: first._id, next: null })
    await person.http.mutation(api.conversations.pause, { conversationId: third._id })
    await says(third, 'Anybody?')
    expect(await of(first, { sort: 'waiting', tag })).toEqual({ previous: null, next: third._id })
    expect(await of(third, { sort: 'waiting', tag })).toEqual({ previous: null, next: null })
    await person.http.mutation(api.conversations.resume, { conversationId: third._id })
    await telegram.waitForSent(third.chat, 2)
    const stranger = await app.signUp()
    const call = { conversationId: first._id }
    expect(await codeOf(stranger.http.query(api.conversations.neighbours, call))).toBe('not_found')
  })
})

describe('an assignment', () => {
  it('is recorded in the conversation once, with its author, and does not reorder the list', async () => {
    const { _id, lastMessage } = await conversationWith('Ania')
    const assign = (assigneeId: Id<'users'> | null) =>
      person.http.mutation(api.conversations.bulk.assign, { conversationIds: [_id], assigneeId })
    const was = (assigneeId: Id<'users'> | null) => [
      { conversationId: _id, error: null, before: { assigneeId, ticket: expect.any(String) } },
    ]
    expect(await assign(person.user._id)).toEqual(was(null))
    await assign(person.user._id)
    expect(await assign(null)).toEqual(was(person.user._id))
    const { page } = await person.http.query(api.conversations.messages, { conversationId: _id, ...FIRST_PAGE })
    expect(page.filter(({ author }) => author === 'system')).toMatchObject([
      { reason: 'unassigned', text: '', authorName: 'Olga' },
      { reason: 'assigned', text: 'Olga', authorName: 'Olga' },
    ])
    expect((await get(_id)).lastMessage).toEqual(lastMessage)
  })

  it('is refused for a user who is not a member', async () => {
    const { _id } = await conversationWith('Inga')
    const stranger = await app.signUp()
    const call = { conversationIds: [_id], assigneeId: stranger.user._id }
    expect(await codeOf(person.http.mutation(api.conversations.bulk.assign, call))).toBe('not_found')
  })
})

describe('an archived conversation', () => {
  it('is hidden, and returns with the next message, which is answered', async () => {
    const conversation = await conversationWith('Archie')
    await put('archived', conversation)
    expect(await namesOf()).not.toContain('Archie')
    expect(await namesOf({ folder: 'archived' })).toEqual(['Archie'])
    await says(conversation, 'Me again')
    await telegram.waitForSent(conversation.chat, 2)
    expect(await namesOf()).toContain('Archie')
  })
})

describe('a deleted conversation', () => {
  it('gets no answer in progress, and no reply', async () => {
    const conversation = await conversationWith('Dora')
    const asked = Promise.withResolvers<void>()
    model = (request) => {
      asked.resolve()
      return new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)))
    }
    await says(conversation, 'Tell me a story')
    await asked.promise
    await put('deleted', conversation)
    await app.settle()
    expect(telegram.sentTo(conversation.chat)).toHaveLength(1)
    expect(await namesOf()).not.toContain('Dora')
    const { _id: conversationId } = conversation
    for (const call of [
      person.http.mutation(api.conversations.reply, { conversationId, text: 'Hello' }),
      person.http.mutation(api.conversations.pause, { conversationId }),
      person.http.mutation(api.conversations.resume, { conversationId }),
    ]) {
      expect(await codeOf(call)).toBe('conversation_deleted')
    }
    model = echo
    await put('inbox', conversation)
    expect((await telegram.waitForSent(conversation.chat, 2)).at(-1)?.text).toBe('You said: Tell me a story')
  })

  it('is not answered when an earlier pause expires in it', async () => {
    const conversation = await conversationWith('Polly')
    const { _id: conversationId } = conversation
    await person.http.mutation(api.conversations.pause, { conversationId, resumeAfterMs: 1000 })
    await says(conversation, 'Anybody?')
    await put('deleted', conversation)
    await app.database.organization(person.organization._id, (db) =>
      sql`update conversations set resume_at = now() where id = ${conversationId}`.execute(db),
    )
    await expect.poll(async () => (await get(conversationId)).status).toBe('active')
    await app.settle()
    expect(telegram.sentTo(conversation.chat)).toHaveLength(1)
    await put('inbox', conversation)
    await telegram.waitForSent(conversation.chat, 2)
  })

  it('is restored completely when its customer writes', async () => {
    const conversation = await conversationWith('Bella')
    await put('deleted', conversation)
    await says(conversation, 'Are you there?')
    await telegram.waitForSent(conversation.chat, 2)
    expect(await get(conversation._id)).toMatchObject({ folder: 'inbox', messageCount: 4 })
  })

  it('is purged after its retention period, and not before', async () => {
    const conversation = await conversationWith('Gone')
    const kept = await conversationWith('Kept')
    await put('deleted', conversation, kept)
    await app.database.organization(person.organization._id, (db) =>
      sql`update conversations set moved_at = now() - interval '31 days' where id = ${conversation._id}`.execute(db),
    )
    await removeDeleted(app.services, new Date(), AbortSignal.timeout(60_000))
    expect(await codeOf(get(conversation._id))).toBe('not_found')
    expect(await get(kept._id)).toMatchObject({ folder: 'deleted' })
    await removeDeleted(app.services, new Date(Date.now() + 31 * DAY_MS), AbortSignal.timeout(60_000))
    expect(await codeOf(get(kept._id))).toBe('not_found')
    await says(kept, 'A new beginning')
    await telegram.waitForSent(kept.chat, 2)
    expect(await namesOf()).toContain('Kept')
  })
})

describe('many conversations at once', () => {
  it('are changed independently: a failure is reported with its reason, and blocks no other', async () => {
    const [first, second, ended] = [
      await conversationWith('Bulk one'),
      await conversationWith('Bulk two'),
      await conversationWith('Bulk ended'),
    ]
    await person.http.mutation(api.conversations.end, { conversationId: ended._id })
    const missing = 'no-such-conversation' as Id<'conversations'>
    const conversationIds = [first._id, missing, ended._id, second._id]
    const paused = await person.http.mutation(api.conversations.bulk.status, { conversationIds, status: 'paused' })
    expect(paused.map(({ error }) => error)).toEqual([null, 'not_found', 'conversation_not_pausable', null])
    expect(paused[0]?.before).toEqual({ status: 'active', ticket: expect.any(String) })
    expect(await get(second._id)).toMatchObject({ status: 'paused', pauseReason: 'operator' })
    const tagged = await person.http.mutation(api.conversations.bulk.tag, { conversationIds, tag: 'sale', isOn: true })
    expect(tagged.map(({ error }) => error)).toEqual([null, 'not_found', null, null])
    expect(await namesOf({ tag: 'sale' })).toHaveLength(3)
  })

  it('have at most the allowed number of tags', async () => {
    const { _id } = await conversationWith('Full')
    const tag = (name: string) =>
      person.http.mutation(api.conversations.bulk.tag, { conversationIds: [_id], tag: name, isOn: true })
    for (let number = 1; number <= 20; number++) await tag(`tag ${number}`)
    expect((await tag('one more'))[0]?.error).toBe('too_many_tags')
    expect((await tag('tag 7'))[0]?.error).toBe(null)
    expect((await get(_id)).tags).toHaveLength(20)
  })

  it('of another organization are treated as not found', async () => {
    const { _id } = await conversationWith('Foreign')
    const stranger = await app.signUp()
    const conversationIds = [_id]
    const answers = [
      await stranger.http.mutation(api.conversations.bulk.place, { conversationIds, folder: 'deleted' }),
      await stranger.http.mutation(api.conversations.bulk.status, { conversationIds, status: 'ended' }),
      await stranger.http.mutation(api.conversations.bulk.assign, { conversationIds, assigneeId: stranger.user._id }),
      await stranger.http.mutation(api.conversations.bulk.tag, { conversationIds, tag: 'mine', isOn: true }),
    ]
    for (const answer of answers) expect(answer).toEqual([{ conversationId: _id, error: 'not_found', before: null }])
    expect(await get(_id)).toMatchObject({ folder: 'inbox', status: 'active', assignee: null, tags: [] })
  })
})

describe('the search', () => {
  const search = async (query: string, by = person) => (await by.http.action(api.conversations.search, { query })).hits
  const namesFound = async (query: string) => {
    const conversationIds = (await search(query)).map((hit) => hit.conversationId)
    const found = await person.http.query(api.conversations.found, { conversationIds })
    return found.map((conversation) => conversation.customer?.name)
  }

  it('finds messages by any form of the words, in Russian and English, with highlights', async () => {
    await conversationWith('Seeker', 'Где мои заказанные велосипеды?')
    await conversationWith('Finder', 'I was delivering umbrellas')
    expect(await namesFound('велосипед')).toEqual(['Seeker'])
    expect(await namesFound('delivered umbrella')).toEqual(['Finder'])
    const [hit] = await search('велосипед')
    expect(hit?.excerpt).toContainEqual({ text: 'велосипеды', isMatch: true })
    if (!hit?.messageId) throw new Error('no message was found')
    const around = { messageId: hit.messageId, side: 'upTo' } as const
    const { page } = await person.http.query(api.conversations.messages, {
      conversationId: hit.conversationId,
      paginationOpts: { numItems: 1, cursor: null },
      around,
    })
    expect(page).toMatchObject([{ _id: hit.messageId, text: expect.stringContaining('велосипеды') }])
    expect(await namesFound('велосипед umbrella')).toEqual([])
  })

  it('finds customers by the beginning of their names', async () => {
    await conversationWith('Wilhelmina')
    expect(await namesFound('wilh')).toEqual(['Wilhelmina'])
    expect((await search('wilh'))[0]).toMatchObject({ excerpt: null, messageId: null })
  })

  it('finds a common word in the newest messages, and ignores words that are in every text', async () => {
    expect((await namesFound('hello')).length).toBeGreaterThan(5)
    expect(await search('and')).toEqual([])
    expect(await search('?!')).toEqual([])
  })

  it('finds nothing of another organization', async () => {
    await conversationWith('Private', 'The codeword is rhododendron')
    expect(await namesFound('rhododendron')).toEqual(['Private'])
    const stranger = await app.signUp()
    expect(await search('rhododendron', stranger)).toEqual([])
    expect(await search('private', stranger)).toEqual([])
    const conversationIds = (await search('rhododendron')).map((hit) => hit.conversationId)
    expect(await stranger.http.query(api.conversations.found, { conversationIds })).toEqual([])
  })
})
