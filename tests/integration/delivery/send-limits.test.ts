// Hourly and daily caps of connections, and the pace between two messages. Time passes by moving what is stored
// into the past.
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as connections from '#server/domain/channels/connections/channel-connections.functions.ts'
import { saveSpacing } from '#server/domain/channels/send-limits/caps.store.ts'
import * as conversations from '#server/domain/messaging/inbox/conversations.functions.ts'
import type { Database } from '#server/platform/db/database.ts'
import { openDatabase } from '#server/platform/db/engine/open.ts'
import { type EnteredCaps, HOUR_MS, type Sending, WARM_UP_DAYS } from '#shared/channels/caps.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { type Bot, echo, METRICS_TOKEN, PipelineWorld } from '#tests/pipeline-world.ts'

const CUSTOMERS = 100

let test: TestDatabase
let telegram: FakeTelegram
/** Two servers on one database. */
let servers: PipelineWorld[]
let world: PipelineWorld
let second: Database
let bot: Bot
let chat = 7000

beforeAll(async () => {
  test = await openTestDatabase()
  telegram = await startFakeTelegram()
  world = new PipelineWorld(test.database, telegram)
  second = await openDatabase({ databaseUrl: test.url, dataDir: '' }, pino({ level: 'silent' }))
  servers = [world, new PipelineWorld(second, telegram)]
  for (const server of servers) await server.start()
})
afterAll(async () => {
  for (const server of servers) await server.stop()
  await telegram.close()
  await second.close()
  await test.close()
})
beforeEach(async () => {
  for (const server of servers) server.model = echo
  bot = await world.addBot()
})

const settle = () => Promise.all(servers.map((server) => server.pipeline.settle()))

const setCaps = (caps: Partial<EnteredCaps>) =>
  world.call(bot.organizationId, connections.setCaps, {
    connectionId: bot.connectionId,
    caps: { perHour: null, perDay: null, warmUp: 'off', ...caps },
  }) as Promise<Sending>

const sending = () =>
  world.call(bot.organizationId, connections.sending, { connectionId: bot.connectionId }) as Promise<Sending>

/** Customers write, each in a chat of their own. @returns the chats */
async function says(customers: number): Promise<number[]> {
  const chats = Array.from({ length: customers }, () => ++chat)
  for (const each of chats) telegram.customerSays(bot.token, each, `hello from ${each}`)
  await telegram.waitFor(() => telegram.isQuiet(), 'the webhooks')
  await settle()
  return chats
}

const sentTo = (chats: number[]) => telegram.sent.filter(({ chatId }) => chats.includes(Number(chatId)))

const parts = () =>
  world.read((db) =>
    db
      .selectFrom('outbox')
      .where('organization_id', '=', bot.organizationId)
      .orderBy('sequence')
      .select(['status', 'error', 'attempt', 'not_before', 'first_tried_at'])
      .execute(),
  )

const count = async (status: string) => (await parts()).filter((part) => part.status === status).length

/** Moves the connection and what waits for it hours into the past. */
async function pass(hours: number): Promise<void> {
  const ago = sql`${hours} * interval '1 hour'`
  await test.database.system('test: let time pass', async (db) => {
    const { connectionId } = bot
    await sql`update sent_counts set hour_from = hour_from - ${ago}, day_from = day_from - ${ago}, last_at = last_at - ${ago}
      where connection_id = ${connectionId}`.execute(db)
    await sql`update outbox set not_before = not_before - ${ago} where connection_id = ${connectionId} and status = 'queued'`.execute(
      db,
    )
    await sql`update channel_connections set caps = jsonb_set(caps, '{warmUpSince}', to_jsonb((caps->>'warmUpSince')::float8 - ${hours * HOUR_MS}::float8))
      where id = ${connectionId} and caps->>'warmUpSince' is not null`.execute(db)
  })
  await settle()
}

/** Records this many sends since now. */
const hasSent = (inDay: number) =>
  test.database.system('test: as it has sent', (db) =>
    sql`update sent_counts set day_from = now(), in_day = ${inDay}::int where connection_id = ${bot.connectionId}`.execute(
      db,
    ),
  )

describe('a connection with a cap of 20 an hour', () => {
  it('sends exactly 20, by agents or people; people’s messages go first when the hour turns, and nothing is lost', async () => {
    await setCaps({ perHour: 20 })
    const chats = await says(CUSTOMERS)
    expect(sentTo(chats)).toHaveLength(20)
    const waiting = (await parts()).filter(({ status }) => status === 'queued')
    expect(waiting).toHaveLength(CUSTOMERS - 20)
    expect(new Set(waiting.map(({ error }) => error))).toEqual(new Set(['cap_hour']))
    expect(new Set(waiting.map(({ attempt }) => attempt))).toEqual(new Set([0]))
    const { counts, waiting: shown, nextAt } = await sending()
    expect(shown).toBe(CUSTOMERS - 20)
    expect(counts).toMatchObject({ inHour: 20, inDay: 20 })
    expect(nextAt).toBe((counts.hourFrom ?? 0) + HOUR_MS)

    const unanswered = chats.filter((each) => sentTo([each]).length === 0).slice(-3)
    for (const each of unanswered) {
      const { id } = await world.conversation(each)
      await world.call(bot.organizationId, conversations.reply, { conversationId: id, text: `a person to ${each}` })
    }
    await settle()
    expect(sentTo(chats)).toHaveLength(20)

    await pass(1)
    expect(sentTo(chats)).toHaveLength(40)
    expect(sentTo(chats).filter(({ text }) => text.startsWith('a person'))).toHaveLength(3) // they came last

    for (let hour = 2; hour < CUSTOMERS / 20; hour++) await pass(1)
    expect(sentTo(chats)).toHaveLength(CUSTOMERS)
    expect(await count('sent')).toBe(CUSTOMERS)
    expect(await count('failed')).toBe(3) // the answers that the people’s messages withheld
  })
})

describe('a part that waits for a cap', () => {
  it('is checked again when the caps change, and is released when they are removed', async () => {
    await setCaps({ perDay: 1 })
    const chats = await says(4)
    expect(sentTo(chats)).toHaveLength(1)
    expect((await parts()).filter(({ error }) => error === 'cap_day')).toHaveLength(3)
    await setCaps({ perDay: 2 })
    await settle()
    expect(sentTo(chats)).toHaveLength(2)
    const { caps, waiting, nextAt } = await setCaps({})
    expect({ caps, waiting, nextAt }).toMatchObject({ caps: { perDay: null }, waiting: 2, nextAt: null })
    await settle()
    expect(sentTo(chats)).toHaveLength(4)
  })

  it('does not count as tried meanwhile: an earlier refusal does not make it too old', async () => {
    await setCaps({ perDay: 1 })
    const [first] = await says(1)
    telegram.rateLimit(chat + 1, 60)
    telegram.bot(bot.token).knownChats.add(String(chat + 1))
    const [limited] = await says(1)
    expect((await parts()).at(-1)).toMatchObject({ status: 'queued', error: 'cap_day', first_tried_at: null })
    telegram.faults.rateLimitedUntil.clear()
    await pass(25)
    expect(sentTo([first ?? 0, limited ?? 0])).toHaveLength(2)
  })

  it('keeps its first-try time if it may have arrived: the provider recognizes repeats only for a time', async () => {
    await setCaps({ perDay: 1 })
    await says(1)
    telegram.rateLimit(chat + 1, 60)
    telegram.bot(bot.token).knownChats.add(String(chat + 1))
    await says(1)
    await test.database.system('test: it may have arrived', (db) =>
      sql`update outbox set may_have_arrived = true, first_tried_at = now() - interval '1 hour', not_before = now()
        where connection_id = ${bot.connectionId} and status = 'queued'`.execute(db),
    )
    await settle()
    expect((await parts()).at(-1)).toMatchObject({
      status: 'queued',
      error: 'cap_day',
      first_tried_at: expect.any(Date),
    })
    telegram.faults.rateLimitedUntil.clear()
  })

  it('uses the capacity of sends that definitely did not arrive', async () => {
    await setCaps({ perHour: 1 })
    telegram.rateLimit(chat + 1, 60)
    telegram.bot(bot.token).knownChats.add(String(chat + 1))
    const [limited] = await says(1)
    expect(telegram.callsTo(limited ?? 0)).toHaveLength(1)
    expect((await sending()).counts).toMatchObject({ inHour: 0, inDay: 0 })
    const [other] = await says(1)
    expect(sentTo([other ?? 0])).toHaveLength(1)
    telegram.faults.rateLimitedUntil.clear()
  })

  it('keeps the order of its chat', async () => {
    await setCaps({ perHour: 1 })
    for (const server of servers)
      server.model = () => ['one', 'two', 'three'].map((word) => word.repeat(1300)).join('\n\n')
    const [one] = await says(1)
    for (let hour = 0; hour < 2; hour++) await pass(1)
    expect(sentTo([one ?? 0]).map(({ text }) => text.slice(0, 3))).toEqual(['one', 'two', 'thr'])
  })
})

describe('a warm-up', () => {
  it('lets a new number send more each day, never more than its own cap, and continues when it is chosen again', async () => {
    const [one = 0, two = 0] = WARM_UP_DAYS.careful
    const begun = (await setCaps({ warmUp: 'careful' })).caps.warmUpSince
    await hasSent(one - 1)
    const chats = await says(3)
    expect(sentTo(chats)).toHaveLength(1)
    await pass(24)
    expect(sentTo(chats)).toHaveLength(3)
    await hasSent(two - 1)
    chats.push(...(await says(2)))
    expect(sentTo(chats)).toHaveLength(4)
    const { caps } = await setCaps({ warmUp: 'careful', perDay: two - 5 })
    expect(caps.warmUpSince).toBe((begun ?? 0) - 24 * HOUR_MS)
    await settle()
    expect(sentTo(chats)).toHaveLength(4)
  })
})

describe('a connection with a pace', () => {
  it('sends one message, and the next after the interval', async () => {
    await test.database.organization(bot.organizationId, (db) =>
      saveSpacing({ db, organizationId: bot.organizationId }, bot.connectionId, HOUR_MS),
    )
    const chats = await says(3)
    expect(sentTo(chats)).toHaveLength(1)
    expect((await parts()).filter(({ error }) => error === 'cap_pace')).toHaveLength(2)
    await pass(1)
    expect(sentTo(chats)).toHaveLength(2)
    await pass(1)
    expect(sentTo(chats)).toHaveLength(3)
  })
})

describe('the metrics', () => {
  const ask = (token: string) => fetch(`${world.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  const figure = async (name: string) =>
    Number(
      (await (await ask(METRICS_TOKEN)).text())
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1],
    )

  it('show the waiting, sent and failed parts to holders of the token only', async () => {
    expect((await ask('a guess')).status).toBe(404)
    expect((await fetch(`${world.url}/metrics`)).status).toBe(404)
    const names = [
      'parley_parts{channel="telegram",state="waiting"}',
      'parley_parts{channel="telegram",state="failed"}',
      'parley_parts{channel="telegram",state="unknown"}',
    ]
    const before = await Promise.all(names.map(figure))
    await setCaps({ perHour: 2 })
    telegram.dropAnswers(1)
    await says(1)
    telegram.block(chat + 1)
    await says(1)
    const chats = await says(3)
    expect(sentTo(chats)).toHaveLength(1)
    const now = await Promise.all(names.map(figure))
    expect(now.map((value, index) => value - (before[index] ?? 0))).toEqual([2, 1, 1])
    expect(await figure('parley_parts_sent_total{channel="telegram"}')).toBeGreaterThan(0)
    expect(await figure('parley_parts{channel="whatsapp",state="waiting"}')).toBe(0)
  })
})
