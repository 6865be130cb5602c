// Data with a retention period, and customers who are erased everywhere.
import { strFromU8, unzipSync } from 'fflate'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { keepForATime } from '#server/domain/messaging/compliance/retention.job.ts'
import type { GenerateRequest } from '#server/integrations/llm/llm.ts'
import { TENANT_TABLES } from '#server/platform/db/keys.ts'
import { appErrorData } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { Conversation } from '#shared/messaging/conversations.ts'
import type { Removal, RetentionSettings } from '#shared/messaging/retention.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { rate, summarise } from '#tests/conversation-parts.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { dumpOrganization } from '#tests/integration/access/dump.ts'
import { seedOrganization } from '#tests/integration/access/seed.ts'
import { echo, scriptedLlm } from '#tests/pipeline-world.ts'

const NOTHING: RetentionSettings = { messages: null, attachments: null, traces: null }
const DAY_MS = 86_400_000
/** Far enough in the future that everything written now is older than a day. */
const LATER = new Date(Date.now() + 3 * DAY_MS)

let telegram: FakeTelegram
let app: TestApp
let model: (request: GenerateRequest) => string | Promise<string> = echo
let chat = 6000

/** One organization per test: rounds of retention go over all data. */
type Shop = { person: Person; token: string }

beforeAll(async () => {
  telegram = await startFakeTelegram()
  app = await startApp({ telegram, overrides: { llm: scriptedLlm((request) => model(request)) } })
})
afterAll(async () => {
  await app.close()
  await telegram.close()
})
beforeEach(() => {
  model = echo
})

async function open(): Promise<Shop> {
  const person = await app.signUp({ name: 'Olga' })
  const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Helper' })
  const token = telegram.addBot().token
  await person.http.action(api.channels.telegram.provision, { agentId, botToken: token })
  return { person, token }
}

async function list({ person }: Shop): Promise<Conversation[]> {
  const first = { paginationOpts: { numItems: 50, cursor: null } }
  return (await person.http.query(api.conversations.list, first)).page
}

/** A customer writes and is answered. */
async function conversationWith(shop: Shop, name: string, text = 'Hello'): Promise<Conversation & { chat: number }> {
  const own = ++chat
  telegram.customerSays(shop.token, { chatId: own, firstName: name }, text)
  await telegram.waitForSent(own)
  await app.settle()
  const found = (await list(shop)).find(({ customer }) => customer?.name === name)
  if (!found) throw new Error(`no conversation with ${name}`)
  return { ...found, chat: own }
}

async function textsOf({ person }: Shop, conversationId: Id<'conversations'>): Promise<string[]> {
  const first = { paginationOpts: { numItems: 50, cursor: null } }
  const { page } = await person.http.query(api.conversations.messages, { conversationId, ...first })
  return page.map(({ text }) => text).reverse()
}

const keep = (at = LATER) => keepForATime(app.services, at, new AbortController().signal)
const set = ({ person }: Shop, days: Partial<RetentionSettings>) =>
  person.http.mutation(api.conversations.retention.set, { ...NOTHING, ...days })
const removals = ({ person }: Shop) => person.http.query(api.conversations.retention.removals, {})
const at = (organizationId: Id<'organizations'>, change: ReturnType<typeof sql>) =>
  app.database.organization(organizationId, (db) => change.execute(db))

/** Simulates a file that a visitor of a web chat sent. */
const countFile = (organizationId: Id<'organizations'>, visitorId: string) =>
  at(
    organizationId,
    sql`insert into visitor_files (organization_id, connection_id, visitor_id, hour, files, bytes)
      select organization_id, id, ${visitorId}, date_trunc('hour', now(), 'UTC'), 1, 5 from channel_connections`,
  )

describe('data with a retention period', () => {
  it('is kept indefinitely unless a period is set', async () => {
    const shop = await open()
    const { _id } = await conversationWith(shop, 'Anna')
    expect(await shop.person.http.query(api.conversations.retention.get, {})).toEqual(NOTHING)
    await keep(new Date(Date.now() + 5000 * DAY_MS))
    expect(await textsOf(shop, _id)).toHaveLength(2)
    expect(await removals(shop)).toEqual([])
  })

  it('is deleted with the conversation and its customer, as previewed, and logged', async () => {
    const shop = await open()
    await conversationWith(shop, 'Anna', 'canary-anna')
    await at(shop.person.organization._id, sql`update messages set created_at = now() - interval '3 days'`)
    await at(shop.person.organization._id, sql`update conversations set created_at = now() - interval '3 days'`)
    const preview = await shop.person.http.action(api.conversations.retention.preview, { ...NOTHING, messages: 2 })
    expect(preview).toEqual({ messages: 2, attachments: 0, traces: 0, left: { paused: 0, waiting: 0, sending: 0 } })
    const { left: _, ...counts } = preview
    await set(shop, { messages: 1 })
    await keep()
    await app.settle()
    expect(await list(shop)).toEqual([])
    expect(await dumpOrganization(app.database, shop.person.organization._id)).not.toContain('canary-anna')
    expect(await removals(shop)).toMatchObject([{ kind: 'retention', author: null, counts }])
    await keep()
    expect(await removals(shop)).toHaveLength(1)
  })

  it('keeps a person’s data while a contact of theirs has a conversation', async () => {
    const shop = await open()
    const { _id: organizationId } = shop.person.organization
    const some = [await conversationWith(shop, 'Anna'), await conversationWith(shop, 'Anna-work')]
    const [survivorId, otherId] = some.map(({ customer }) => customer?._id)
    if (!survivorId || !otherId) throw new Error('there is no customer')
    await shop.person.http.mutation(api.conversations.contacts.merge, { survivorId, otherId })
    const counted = async () =>
      (JSON.parse(await dumpOrganization(app.database, organizationId)) as Record<string, unknown[]>).customers?.length
    await set(shop, { messages: 5 })
    for (const [index, left] of [2, 0].entries()) {
      const id = some[index]?._id ?? ''
      await at(
        organizationId,
        sql`update messages set created_at = now() - interval '9 days' where conversation_id = ${id}`,
      )
      const old = sql`now() - interval '9 days'`
      await at(
        organizationId,
        sql`update conversations set created_at = ${old}, last_message_at = ${old} where id = ${id}`,
      )
      await keep(new Date())
      expect(await list(shop)).toHaveLength(1 - index)
      expect(await counted()).toBe(left)
    }
  })

  it('keeps the younger messages of an ongoing conversation', async () => {
    const shop = await open()
    const { _id: conversationId, chat: chatId } = await conversationWith(shop, 'Boris', 'old question')
    const { _id: organizationId } = shop.person.organization
    for (const table of ['messages', 'conversations', 'turns', 'turn_traces']) {
      await at(organizationId, sql`update ${sql.table(table)} set created_at = now() - interval '9 days'`)
    }
    await at(organizationId, sql`update inbound_events set received_at = now() - interval '9 days'`)
    telegram.customerSays(shop.token, { chatId, firstName: 'Boris' }, 'new question')
    await telegram.waitForSent(chatId, 2)
    await app.settle()
    await at(organizationId, summarise('of the old question', sql`true`))
    await at(organizationId, rate(2, 'old question, no answer', sql`true`))
    await set(shop, { messages: 5 })
    await keep(new Date())
    expect(await textsOf(shop, conversationId)).toEqual(['new question', 'You said: new question'])
    const { rating } = await shop.person.http.query(api.conversations.get, { conversationId })
    expect(rating).toMatchObject({ score: 2, comment: null })
    // A younger trace contains what its model was given.
    const { turn_traces: _, ...dump } = JSON.parse(await dumpOrganization(app.database, organizationId)) as Record<
      string,
      unknown
    >
    expect(JSON.stringify(dump)).not.toContain('old question')
    expect((await list(shop))[0]).toMatchObject({ messageCount: 2 })
  })

  it.each([
    ['paused', 'paused', sql`update conversations set status = 'paused', pause_reason = 'operator'`],
    ['without an answer', 'waiting', sql`update conversations set answered_through = 0`],
    ['waiting for a person', 'waiting', sql`update conversations set needs_person = true`],
    ['not sent yet', 'sending', sql`update outbox set status = 'queued', not_before = 'infinity'`],
  ] as const)('does not touch what is %s, and says so', async (_, reason, change) => {
    const shop = await open()
    const { _id } = await conversationWith(shop, 'Vera')
    await at(shop.person.organization._id, change)
    const left = { paused: 0, waiting: 0, sending: 0, [reason]: 1 }
    await at(shop.person.organization._id, sql`update messages set created_at = now() - interval '3 days'`)
    await at(shop.person.organization._id, sql`update conversations set created_at = now() - interval '3 days'`)
    const preview = await shop.person.http.action(api.conversations.retention.preview, { ...NOTHING, messages: 2 })
    expect(preview).toEqual({ messages: 0, attachments: 0, traces: 0, left })
    await set(shop, { messages: 1, attachments: 1, traces: 1 })
    await keep()
    await keep()
    expect(await textsOf(shop, _id)).toHaveLength(2)
    const receipts = await removals(shop)
    expect(receipts.map(({ counts }: Removal) => counts)).toEqual([{ messages: 0, attachments: 0, traces: 0, left }])
    const other = await conversationWith(shop, 'Boris')
    await keep()
    expect(await list(shop)).not.toContainEqual(expect.objectContaining({ _id: other._id }))
    expect((await removals(shop))[0]?.counts).toMatchObject({ messages: 2, left })
    await at(shop.person.organization._id, sql`delete from outbox where status = 'queued'`)
  })

  it('includes counts of visitors’ files, kept for the hour of the limit', async () => {
    const { _id: organizationId } = (await open()).person.organization
    await countFile(organizationId, 'visitor')
    const counts = async () => JSON.parse(await dumpOrganization(app.database, organizationId)).visitor_files
    await keep(new Date())
    expect(await counts()).toHaveLength(1)
    await keep()
    expect(await counts()).toEqual([])
  })

  it('is separate for files and traces, and is reported in their place', async () => {
    const shop = await open()
    const own = ++chat
    const file = { document: { file_id: '$file', file_name: 'passport.txt' } }
    telegram.customerSends(shop.token, own, file, Buffer.from('my secret number'))
    await telegram.waitForSent(own)
    await app.settle()
    const [conversation] = await list(shop)
    if (!conversation) throw new Error('there is no conversation')
    const messages = async () => {
      const first = { conversationId: conversation._id, paginationOpts: { numItems: 50, cursor: null } }
      return (await shop.person.http.query(api.conversations.messages, first)).page
    }
    const before = (await messages()).find(({ attachments }) => attachments.length > 0)?.attachments[0]
    expect(before?.url).not.toBeNull()
    await set(shop, { attachments: 1, traces: 1 })
    await keep()
    await app.settle()
    const after = (await messages()).find(({ attachments }) => attachments.length > 0)?.attachments[0]
    expect(after).toMatchObject({ kind: 'document', name: null, text: null, url: null, reason: 'removed' })
    await expect(app.services.files.get(`attachment-${before?._id}`)).rejects.toMatchObject({ code: 'ENOENT' })
    const turnId = (await messages()).find((message) => message.turnId)?.turnId
    if (turnId) expect(await shop.person.http.query(api.conversations.why, { turnId })).toBeNull()
    expect(await removals(shop)).toMatchObject([{ counts: { messages: 0, attachments: 1, traces: 1 } }])
    expect(await messages()).toHaveLength(2)
  })
})

describe('an erased customer', () => {
  it('is in no table any more, with a receipt that contains nothing of them', async () => {
    const shop = await open()
    const { _id, customer, chat: chatId } = await conversationWith(shop, 'canary-name', 'canary-text')
    const other = await conversationWith(shop, 'Boris')
    const customerId = customer?._id
    if (!customerId) throw new Error('there is no customer')
    const { http } = shop.person
    await http.mutation(api.conversations.notes.add, { conversationId: _id, text: 'canary-note' })
    const patch = { name: 'canary-called', note: 'canary-known', attributes: [{ key: 'card', value: 'canary-card' }] }
    await http.mutation(api.conversations.contacts.update, { customerId, patch })
    await countFile(shop.person.organization._id, String(chatId))
    const manner = { format: 'txt', language: 'en', timeZone: 'UTC' } as const
    const exportId = await http.mutation(api.conversations.exports.create, { filter: {}, ...manner })
    await at(shop.person.organization._id, rate(1, 'canary-comment', sql`c.id = ${_id}`))
    await at(shop.person.organization._id, summarise('canary-summary', sql`c.id = ${_id}`))
    await app.settle()
    const counts = await http.query(api.conversations.contacts.erasure, { customerId })
    expect(counts).toMatchObject({ identifiers: 1, conversations: 1, messages: 2, notes: 1, traces: 1 })
    expect(await http.mutation(api.conversations.contacts.erase, { customerId })).toEqual({ counts })
    await app.settle()
    const { _id: organizationId } = shop.person.organization
    const dump = await dumpOrganization(app.database, organizationId)
    expect(dump).not.toMatch(/canary/)
    expect(dump).not.toMatch(new RegExp(`\\b${chatId}\\b`))
    const outcomes = await sql`select result::text from mutation_log`.execute(app.database.root)
    expect(JSON.stringify(outcomes.rows)).not.toContain('canary')
    await expect(app.services.files.get(`export-${exportId}.txt`)).rejects.toMatchObject({ code: 'ENOENT' })
    const [receipt] = await removals(shop)
    expect(receipt).toMatchObject({ kind: 'erasure', author: { name: 'Olga' }, counts })
    expect(await textsOf(shop, other._id)).toHaveLength(2)
    const again = http
      .mutation(api.conversations.contacts.erase, { customerId })
      .catch((error) => appErrorData(error)?.code)
    expect(await again).toBe('not_found')
  })

  it('is erased, and exported, with all contacts that were merged into one person', async () => {
    const shop = await open()
    const { http } = shop.person
    const some = [await conversationWith(shop, 'canary-one'), await conversationWith(shop, 'canary-two')]
    const [survivorId, otherId] = some.map(({ customer }) => customer?._id)
    if (!survivorId || !otherId) throw new Error('there is no customer')
    await http.mutation(api.conversations.contacts.merge, { survivorId, otherId })
    const headers = { authorization: `Bearer ${await shop.person.token()}` }
    const given = await fetch(`${app.url}/api/files/customers/${otherId}`, { headers })
    const names = Object.keys(unzipSync(new Uint8Array(await given.arrayBuffer())))
    for (const { _id } of some) expect(names).toContain(`conversations/${_id}.json`)
    const { counts } = await http.mutation(api.conversations.contacts.erase, { customerId: otherId })
    expect(counts).toMatchObject({ identifiers: 2, conversations: 2 })
    expect(await dumpOrganization(app.database, shop.person.organization._id)).not.toMatch(/canary/)
  })

  it('is a new customer when they write again', async () => {
    const shop = await open()
    const { customer, chat: chatId } = await conversationWith(shop, 'Anna')
    if (customer) await shop.person.http.mutation(api.conversations.contacts.erase, { customerId: customer._id })
    telegram.customerSays(shop.token, { chatId, firstName: 'Anna' }, 'Hello again')
    await telegram.waitForSent(chatId, 2)
    await app.settle()
    const [conversation] = await list(shop)
    if (conversation) expect(await textsOf(shop, conversation._id)).toEqual(['Hello again', 'You said: Hello again'])
    expect(conversation?.customer?._id).not.toBe(customer?._id)
  })

  it('gets no answer that was being generated', async () => {
    const shop = await open()
    const { customer, chat: chatId } = await conversationWith(shop, 'Vera')
    const asked = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<string>()
    model = () => {
      asked.resolve()
      return answer.promise
    }
    telegram.customerSays(shop.token, { chatId, firstName: 'Vera' }, 'One more thing')
    await asked.promise
    if (customer) await shop.person.http.mutation(api.conversations.contacts.erase, { customerId: customer._id })
    answer.resolve('canary-answer')
    await app.settle()
    expect(telegram.sent.filter((message) => JSON.stringify(message).includes('canary-answer'))).toEqual([])
    expect(await dumpOrganization(app.database, shop.person.organization._id)).not.toContain('canary-answer')
    expect(await list(shop)).toEqual([])
  })

  it('leaves rows only in tables that hold nothing of customers', async () => {
    const { user, organization, http } = await app.signUp()
    const owner = { organizationId: organization._id, userId: user._id }
    const ids = await seedOrganization(app.database, app.services.secrets, owner, 'canary')
    await http.mutation(api.conversations.contacts.erase, { customerId: ids.customerId })
    const dump = JSON.parse(await dumpOrganization(app.database, organization._id)) as Record<string, unknown[]>
    const filled = [...TENANT_TABLES].filter((table) => (dump[table] ?? []).length > 0)
    expect(filled.filter((table) => !OF_THE_TEAM.has(table))).toEqual(['inbound_events'])
    expect(JSON.stringify(dump.inbound_events)).not.toContain('canary')
  })
})

it('a customer’s data can be exported as an archive, by members of the organization only', async () => {
  const shop = await open()
  const { _id, customer, chat: chatId } = await conversationWith(shop, 'Anna', 'Where is my order?')
  if (!customer) throw new Error('there is no customer')
  telegram.customerSends(
    shop.token,
    chatId,
    { document: { file_id: '$file', file_name: '../list.txt' } },
    Buffer.from('bread'),
  )
  await telegram.waitForSent(chatId, 2)
  await app.settle()
  await shop.person.http.mutation(api.conversations.notes.add, { conversationId: _id, text: 'Knows the boss' })
  const path = `${app.url}/api/files/customers/${customer._id}`
  const get = async (person: Person) => fetch(path, { headers: { authorization: `Bearer ${await person.token()}` } })
  const archive = unzipSync(new Uint8Array(await (await get(shop.person)).arrayBuffer()))
  const text = (name: string) => strFromU8(archive[name] ?? new Uint8Array())
  expect(JSON.parse(text('customer.json'))).toMatchObject({
    identifiers: [{ externalId: `${chatId}` }],
  })
  expect(text(`conversations/${_id}.json`)).toContain('Where is my order?')
  expect(text(`notes/${_id}.json`)).toContain('Knows the boss')
  const [file = ''] = Object.keys(archive).filter((name) => name.startsWith('files/'))
  expect(file).toMatch(/^files\/\w{32}-list\.txt$/)
  expect(text(file)).toBe('bread')
  expect((await fetch(path)).status).toBe(401)
  expect((await get(await app.signUp())).status).toBe(404)
})

/** Tables without customer data: of the team, its agents, its knowledge or its channels. A new table must be listed here, or be empty afterwards. */
const OF_THE_TEAM = new Set([
  'alert_settings',
  'alert_chats',
  'push_devices',
  ...['tool_secrets', 'tool_hosts', 'http_tools'],
  ...['calendar_connections', 'calendar_settings', 'calendar_authorizations', 'booking_syncs'],
  ...['mcp_servers', 'mcp_tools', 'mcp_authorizations'],
  ...['attack_checks', 'attack_cases'],
  ...['agents', 'agent_versions', 'agent_keys', 'agent_knowledge_spaces', 'prompt_drafts'],
  ...['knowledge_spaces', 'documents', 'fragments', 'chunks', 'chunk_vectors', 'staged_chunks', 'index_segments'],
  ...['knowledge_tables', 'table_rows', 'sites', 'site_pages', 'web_search_settings', 'web_searches'],
  ...['knowledge_cases', 'knowledge_pairs'],
  ...[
    'channel_connections',
    'delivery_attempts',
    'early_receipts',
    'visitor_files',
    'visitor_counts',
    'visitor_streams',
  ],
  ...['sent_counts', 'used_uploads', 'webhook_endpoints', 'webhook_queues'],
  ...[
    'canned_replies',
    'inbox_views',
    'inbox_default_views',
    'operators',
    'routing_signals',
    'api_tokens',
    'api_requests',
  ],
  ...[
    'analytics_events',
    'begun_days',
    'written_days',
    'quotas',
    'usage_events',
    'usage_hours',
    'usage_months',
    'quota_reservations',
    'deletion_log',
  ],
])
