// A customer on legal hold: nothing of them is removed by the settings, by hand or because it was deleted long ago, in any of their
// conversations, until the hold is lifted.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { forgetQueries } from '#server/domain/knowledge/review/queries.job.ts'
import { keepForATime } from '#server/domain/messaging/compliance/retention.job.ts'
import { holdCalm } from '#server/domain/messaging/compliance/retention.store.ts'
import { removeDeleted } from '#server/domain/messaging/inbox/removal.ts'
import { appErrorData } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { Contact } from '#shared/messaging/contacts.ts'
import type { Conversation } from '#shared/messaging/conversations.ts'
import { api, PASSWORD, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { someoneWaits } from '#tests/locks.ts'
import { echo, scriptedLlm } from '#tests/pipeline-world.ts'

const FIRST_PAGE = { paginationOpts: { numItems: 50, cursor: null } }
const DAY_MS = 86_400_000
const LATER = new Date(Date.now() + 100 * DAY_MS)
const { contacts } = api.conversations

let telegram: FakeTelegram
let app: TestApp
let olga: Person
let tokens: string[]
let chat = 9000

beforeAll(async () => {
  telegram = await startFakeTelegram()
  app = await startApp({ telegram, overrides: { llm: scriptedLlm(echo) } })
})
afterAll(async () => {
  await app.close()
  await telegram.close()
})
beforeEach(async () => {
  olga = await app.signUp({ name: 'Olga' })
  tokens = []
  for (const name of ['First', 'Second']) {
    const { _id: agentId } = await olga.http.mutation(api.agents.create, { name })
    const { token } = telegram.addBot()
    await olga.http.action(api.channels.telegram.provision, { agentId, botToken: token })
    tokens.push(token)
  }
})

async function says(bot: number, chatId: number, name: string): Promise<Conversation> {
  const token = tokens[bot] ?? ''
  telegram.customerSays(token, { chatId, firstName: name }, 'Hello')
  await telegram.waitFor(() => telegram.isTaken(token), 'the message to be taken')
  await app.settle()
  const found = (await list()).find(({ customer, agentName }) => {
    return customer?.name === name && agentName === ['First', 'Second'][bot]
  })
  if (!found) throw new Error(`no conversation with ${name}`)
  return found
}

async function list(folder: Conversation['folder'] = 'inbox'): Promise<Conversation[]> {
  return (await olga.http.query(api.conversations.list, { ...FIRST_PAGE, folder })).page
}

const signal = () => new AbortController().signal
const namesOf = async (folder?: Conversation['folder']) =>
  (await list(folder)).map(({ customer }) => customer?.name).sort()
const contactOf = (customerId: Id<'customers'>): Promise<Contact> => olga.http.query(contacts.get, { customerId })
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => appErrorData(error)?.code ?? error,
  )

function customerOf({ customer }: Conversation): Id<'customers'> {
  if (!customer) throw new Error('there is no customer')
  return customer._id
}

it('says who has ordered it, when and why; the first order stays, and it is lifted for good', async () => {
  const customerId = customerOf(await says(0, ++chat, 'Anna'))
  expect((await contactOf(customerId)).legalHold).toBeNull()
  await olga.http.mutation(contacts.setLegalHold, { customerId, reason: ' A claim ' })
  await olga.http.mutation(contacts.setLegalHold, { customerId, reason: 'Another' })
  expect((await contactOf(customerId)).legalHold).toEqual({ at: expect.any(Number), by: 'Olga', reason: 'A claim' })
  await olga.http.mutation(contacts.liftLegalHold, { customerId })
  await olga.http.mutation(contacts.liftLegalHold, { customerId })
  const { legalHold, liftedHolds } = await contactOf(customerId)
  expect(legalHold).toBeNull()
  const lifted = {
    at: expect.any(Number),
    by: 'Olga',
    reason: 'A claim',
    liftedAt: expect.any(Number),
    liftedBy: 'Olga',
  }
  expect(liftedHolds).toEqual([lifted])
})

it('keeps every conversation of the person from the settings, also by a bot that came later, and tells how many', async () => {
  const anna = ++chat
  const customerId = customerOf(await says(0, anna, 'Anna'))
  await olga.http.mutation(contacts.setLegalHold, { customerId, reason: 'A claim' })
  await says(1, anna, 'Anna') // the same person of Telegram, as another bot knows them
  await says(0, ++chat, 'Boris')
  const days = { messages: 1, attachments: 1, traces: 1 }
  const preview = await olga.http.action(api.conversations.retention.preview, days)
  expect(preview.left).toEqual({ paused: 0, waiting: 0, sending: 0 })
  await olga.http.mutation(api.conversations.retention.set, days)
  await keepForATime(app.services, LATER, signal())
  expect(await namesOf()).toEqual(['Anna', 'Anna'])
  const { rows } = await sql<{ messages: number; traces: number }>`select
    (select count(*) from messages where organization_id = ${olga.organization._id})::int as messages,
    (select count(*) from turn_traces where organization_id = ${olga.organization._id})::int as traces`.execute(
    app.database.root,
  )
  expect(rows).toEqual([{ messages: 4, traces: 2 }])
  const [receipt] = await olga.http.query(api.conversations.retention.removals, {})
  expect(receipt?.counts.left).toEqual({ paused: 0, waiting: 0, sending: 0, held: 2 })
  await olga.http.mutation(contacts.liftLegalHold, { customerId })
  await keepForATime(app.services, LATER, signal())
  expect(await namesOf()).toEqual([])
})

it('refuses to erase the person, by whichever contact of theirs, until it is lifted', async () => {
  const customerId = customerOf(await says(0, ++chat, 'Anna'))
  const otherId = customerOf(await says(0, ++chat, 'Anna at work'))
  await olga.http.mutation(contacts.setLegalHold, { customerId: otherId, reason: 'A claim' })
  await olga.http.mutation(contacts.merge, { survivorId: customerId, otherId })
  for (const each of [customerId, otherId]) {
    expect(await codeOf(olga.http.mutation(contacts.erase, { customerId: each }))).toBe('contact_on_legal_hold')
  }
  expect(await namesOf()).toEqual(['Anna', 'Anna'])
  await olga.http.mutation(contacts.liftLegalHold, { customerId })
  expect(await codeOf(olga.http.mutation(contacts.erase, { customerId }))).toBeNull()
  expect(await namesOf()).toEqual([])
})

it('keeps what was deleted long ago, and lets go of that of others, of which there may be many', async () => {
  const held = await says(0, ++chat, 'Anna')
  const others = [await says(0, ++chat, 'Boris'), await says(0, ++chat, 'Vera')]
  await olga.http.mutation(contacts.setLegalHold, { customerId: customerOf(held), reason: 'A claim' })
  const conversationIds = [held, ...others].map(({ _id }) => _id)
  await olga.http.mutation(api.conversations.bulk.place, { conversationIds, folder: 'deleted' })
  await removeDeleted(app.services, LATER, signal())
  expect(await namesOf('deleted')).toEqual(['Anna'])
  await olga.http.mutation(contacts.liftLegalHold, { customerId: customerOf(held) })
  await removeDeleted(app.services, LATER, signal())
  expect(await namesOf('deleted')).toEqual([])
})

it.each(['before', 'after'])(
  'is of both contacts when it was ordered %s a merge, and of both when they are separated',
  async (order) => {
    const anna = customerOf(await says(0, ++chat, 'Anna'))
    const bella = customerOf(await says(0, ++chat, 'Bella'))
    const hold = () => olga.http.mutation(contacts.setLegalHold, { customerId: bella, reason: 'A claim' })
    if (order === 'before') await hold()
    await olga.http.mutation(contacts.merge, { survivorId: anna, otherId: bella })
    if (order === 'after') await hold()
    await olga.http.mutation(contacts.separate, { customerId: bella })
    for (const customerId of [anna, bella]) expect((await contactOf(customerId)).legalHold?.reason).toBe('A claim')
    await olga.http.mutation(api.conversations.retention.set, { messages: 1, attachments: 1, traces: 1 })
    await keepForATime(app.services, LATER, signal())
    expect(await namesOf()).toEqual(['Anna', 'Bella'])
    await olga.http.mutation(contacts.liftLegalHold, { customerId: anna })
    await keepForATime(app.services, LATER, signal())
    expect(await namesOf()).toEqual(['Bella'])
  },
)

it('keeps notifications, notes and questions of the person, and lets go of those of others', async () => {
  const held = await says(0, ++chat, 'Anna')
  const other = await says(0, ++chat, 'Boris')
  const notes = []
  for (const { _id: conversationId } of [held, other]) {
    const note = { conversationId, text: 'Remember', mentions: [] }
    notes.push((await olga.http.mutation(api.conversations.notes.add, note)).noteId)
    await sql`insert into knowledge_queries (organization_id, turn_id, position, conversation_id, channel, space_ids, query, gist, is_weak, found, has_found_little)
      select organization_id, id, 0, conversation_id, 'telegram', '[]', conversation_id, 'gist', false, '[]', false
      from turns where conversation_id = ${conversationId}`.execute(app.database.root)
  }
  await olga.http.mutation(contacts.setLegalHold, { customerId: customerOf(held), reason: 'A claim' })
  const [ofHeld, ofOther] = await Promise.all(
    notes.map((noteId) => codeOf(olga.http.mutation(api.conversations.notes.remove, { noteId }))),
  )
  expect([ofHeld, ofOther]).toEqual(['contact_on_legal_hold', null])
  await forgetQueries(app.services.database, LATER)
  await olga.http.mutation(api.conversations.retention.set, { messages: 1, attachments: null, traces: null })
  await sql`update inbound_events set received_at = now() - interval '50 days' where organization_id = ${olga.organization._id}`.execute(
    app.database.root,
  )
  await keepForATime(app.services, new Date(Date.now() - 10 * DAY_MS), signal())
  const { rows } = await sql`select
    (select count(*) from knowledge_queries where conversation_id = ${held._id})::int as questions,
    (select count(*) from knowledge_queries where conversation_id = ${other._id})::int as others,
    (select jsonb_agg(payload <> '{}') from inbound_events i join messages m on m.id = i.message_id
      where m.conversation_id = ${held._id}) as notifications,
    (select jsonb_agg(payload <> '{}') from inbound_events i join messages m on m.id = i.message_id
      where m.conversation_id = ${other._id}) as "othersNotifications"`.execute(app.database.root)
  expect(rows).toEqual([{ questions: 1, others: 0, notifications: [true], othersNotifications: [false] }])
})

it('keeps the organization: its owner lifts it before they can delete their account', async () => {
  const customerId = customerOf(await says(0, ++chat, 'Anna'))
  await olga.http.mutation(contacts.setLegalHold, { customerId, reason: 'A claim' })
  const leave = () => app.auth('/delete-user', { token: olga.sessionToken, body: { password: PASSWORD } })
  const refused = await leave()
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ code: 'ORGANIZATION_ON_LEGAL_HOLD' })
  expect(await namesOf()).toEqual(['Anna'])
  await olga.http.mutation(contacts.liftLegalHold, { customerId })
  expect((await leave()).status).toBe(200)
})

it('is confirmed only when nothing is being removed any more', async () => {
  const { _id: conversationId, ...rest } = await says(0, ++chat, 'Anna')
  const customerId = customerOf({ _id: conversationId, ...rest })
  const organizationId = olga.organization._id
  const ended: string[] = []
  const begun = Promise.withResolvers<void>()
  const removing = app.services.database.organization(
    organizationId,
    async (db) => {
      expect(await holdCalm({ db, organizationId }, conversationId)).toBe(true)
      begun.resolve()
      await someoneWaits(db)
      ended.push('removed')
    },
    { isolation: 'read committed' },
  )
  await begun.promise
  const ordered = olga.http.mutation(contacts.setLegalHold, { customerId, reason: 'A claim' })
  await Promise.all([removing, ordered.then(() => ended.push('confirmed'))])
  expect(ended).toEqual(['removed', 'confirmed'])
})

it('keeps the organization: it is not deleted while a person is on hold', async () => {
  const customerId = customerOf(await says(0, ++chat, 'Kept'))
  await olga.http.mutation(contacts.setLegalHold, { customerId, reason: 'A claim' })
  const { name } = olga.organization
  const removal = olga.http.action(api.organizations.remove, { name, password: PASSWORD })
  expect(await codeOf(removal)).toBe('organization_on_legal_hold')
  expect(await namesOf()).toContain('Kept')
})
