// The health of the installation: each part is true of real servers, jobs, messages, notifications and letters, and what can be done about it
// is done.
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { appErrorData } from '#shared/errors.ts'
import type { AuditEntry } from '#shared/organizations/audit.ts'
import type { Health } from '#shared/organizations/health.ts'
import { api, type Person, startApp } from '#tests/app.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type Shop, Stage } from '../situations/stage.ts'

const PATIENT = { timeout: 45_000 }
/** Written by a customer, and part of an error: what may not be shown. */
const PRIVATE = '+7 701 000 00 00'

let database: TestDatabase
let stage: Stage
let admin: Person
let shop: Shop
beforeAll(async () => {
  database = await openTestDatabase()
  stage = await Stage.open({ database })
  admin = await stage.app.signUp({ organization: 'Root' })
  shop = await stage.openShop()
  await shop.owner.http.mutation(api.organizations.update, { patch: { displayName: 'Чайная лавка' } })
})
afterAll(async () => {
  await stage.close()
  await database.close()
})

afterEach(async () => {
  await sql`delete from servers where version = '0.0.1'`.execute(root())
  await sql`delete from jobs.job where state <> 'active'`.execute(root())
})

const get = (): Promise<Health> => admin.http.action(api.admin.health.get, {})
const root = () => stage.app.database.root
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => appErrorData(error)?.code,
  )
async function lastEntry(): Promise<AuditEntry | undefined> {
  const paginationOpts = { numItems: 1, cursor: null }
  const { page } = await admin.http.query(api.admin.audit.list, { range: '24h', paginationOpts })
  return page[0]
}

describe('an installation that works', () => {
  it('has nothing that calls for anybody, and its one server', async () => {
    const { servers, problems, ...health } = await get()
    expect(problems).toEqual([])
    expect(servers).toMatchObject([
      { version: expect.stringMatching(/^\d+\.\d+\.\d+/), isGone: false, isReplaced: false },
    ])
    expect(health).toMatchObject({
      failing: [],
      deliveries: { waiting: 0, failed: 0, unknown: 0, oldestAt: null, organizations: [] },
      quarantine: { count: 0, connections: [], latest: [] },
      mail: { isConfigured: false, waiting: 0, failed: 0 },
    })
  })

  it('measures its database, its files and its disk', async () => {
    const { database: size, files, statements } = await admin.http.action(api.admin.health.storage, {})
    expect(size.sizeBytes).toBeGreaterThan(1_000_000)
    expect(size.tables).toHaveLength(10)
    expect(size.tables[0]?.sizeBytes).toBeGreaterThanOrEqual(size.tables[9]?.sizeBytes ?? 0)
    expect(files).toMatchObject({ count: 0, sizeBytes: 0, host: expect.any(String) })
    expect(files.freeBytes).toBeLessThanOrEqual(files.totalBytes)
    expect(statements).toEqual({ state: 'off' })
  })
})

describe('servers', () => {
  it('come with their start and go with their stop', async () => {
    const other = await startApp({ database })
    expect((await get()).servers.map(({ isGone }) => isGone)).toEqual([false, false])
    await other.close()
    expect((await get()).servers).toHaveLength(1)
  })

  it('that die are gone, until another has taken their place', async () => {
    const [running] = (await get()).servers
    if (!running) throw new Error('no server runs')
    const died = (host: string) =>
      sql`insert into servers (id, host, version, started_at, seen_at)
        values (${host}, ${host}, '0.0.1', now() - interval '2 hours', clock_timestamp() - interval '31 seconds')`.execute(
        root(),
      )
    await died('elsewhere')
    await died(running.host)
    const { servers, problems } = await get()
    expect(servers.map(({ _id, isGone, isReplaced }) => ({ _id, isGone, isReplaced }))).toEqual([
      { _id: running._id, isGone: false, isReplaced: false },
      ...[running.host, 'elsewhere'].map((host) => ({ _id: host, isGone: true, isReplaced: host === running.host })),
    ])
    expect(problems).toEqual(['serverGone']) // the version of one that is gone is no matter
  })

  it('of different versions are named', async () => {
    await sql`insert into servers (id, host, version) values ('old', 'old', '0.0.1')`.execute(root())
    expect((await get()).problems).toEqual(['versionsDiffer'])
  })
})

describe('background jobs', () => {
  it('that no server runs are late', async () => {
    const queue = await queueOfAnother()
    await sql`insert into jobs.job (name, data, start_after) values (${queue}, '{}', now() - interval '6 minutes')`.execute(
      root(),
    )
    const { queues, problems } = await get()
    expect(queues.find(({ name }) => name === queue)).toMatchObject({ waiting: 1, running: 0, failed: 0 })
    expect(problems).toEqual(['queueLate'])
  })

  it('that have failed are named with their cause and no word of a customer, and run again', async () => {
    const { rows } = await sql<{ id: string }>`
      insert into jobs.job (name, data, state, completed_on, output, retry_count) values ('letters.send', '{"letterId":"none"}', 'failed', now(),
        ${JSON.stringify({ name: 'error', code: '23505', message: `Key (phone)=(${PRIVATE})`, stack: PRIVATE })}, 5)
      returning id`.execute(root())
    const jobId = rows[0]?.id ?? ''
    const health = await get()
    expect(health.problems).toEqual(['jobsFailed'])
    expect(health.failing).toMatchObject([
      { queue: 'letters.send', jobId, attempts: 6, nextAt: null, cause: { kind: 'database', detail: '23505' } },
    ])
    expect(JSON.stringify(health)).not.toContain(PRIVATE)
    await admin.http.mutation(api.admin.health.retryJob, { queue: 'letters.send', jobId })
    expect(await lastEntry()).toMatchObject({
      action: 'admin/health:retryJob',
      resource: { kind: 'job', id: jobId, name: 'letters.send' },
    })
    await expect.poll(async () => (await get()).failing, PATIENT).toEqual([])
    expect(await codeOf(admin.http.mutation(api.admin.health.retryJob, { queue: 'letters.send', jobId }))).toBe(
      'not_found',
    )
  })

  /** The queue of a server that keeps its files elsewhere, and has stopped. */
  async function queueOfAnother(): Promise<string> {
    const names = async () => {
      const { rows } = await sql<{
        name: string
      }>`select name from jobs.queue where name like 'knowledge.ingest.%'`.execute(root())
      return rows.map(({ name }) => name)
    }
    const before = await names()
    await (await startApp({ database })).close()
    const [added] = (await names()).filter((name) => !before.includes(name))
    if (!added) throw new Error('the other server has made no queue of its own')
    return added
  }
})

describe('deliveries', () => {
  it('that failed are counted with their organizations; those that a customer prevents are not', async () => {
    const [refused, blocked] = [stage.newChat(), stage.newChat()]
    stage.telegram.faults.refusals = { count: 1, status: 400 }
    await stage.says(shop, refused, 'Hello')
    stage.telegram.block(blocked)
    await stage.says(shop, blocked, 'Hello')
    const { deliveries, problems } = await get()
    expect(deliveries).toEqual({
      ...{ waiting: 0, failed: 1, unknown: 0, oldestAt: null },
      organizations: [{ _id: shop.organizationId, name: 'Чайная лавка', waiting: 0, failed: 1, unknown: 0 }],
    })
    expect(problems).toEqual(['deliveriesFailed'])
  })

  it('that were cut off, or wait for long, are named; those of yesterday are not', async () => {
    const change = (set: ReturnType<typeof sql>) =>
      stage.app.database.system('test', (db) => sql`update outbox set ${set} where status <> 'sent'`.execute(db))
    await change(sql`status = 'unknown', error = null`)
    expect(await get()).toMatchObject({ deliveries: { failed: 0, unknown: 2 }, problems: ['deliveriesUnknown'] })
    await change(sql`updated_at = now() - interval '25 hours'`)
    expect(await get()).toMatchObject({ deliveries: { unknown: 0, organizations: [] }, problems: [] })
  })
})

describe('notifications that were not understood', () => {
  const chat = 5150

  it('are counted without what they say, and answered when a version that understands them takes them in', async () => {
    const { telegram } = stage.app.services.channels
    const parse = vi.spyOn(telegram, 'parse').mockImplementation(() => ({ kind: 'unknown', externalKey: 'strange' }))
    await stage.sends(shop, chat, PRIVATE)
    parse.mockRestore()
    const health = await get()
    expect(health.problems).toEqual(['quarantined'])
    expect(health.quarantine).toMatchObject({
      count: 1,
      connections: [
        { _id: shop.connectionId, organization: { name: 'Чайная лавка' }, channel: 'telegram', count: 1, requested: 0 },
      ],
      latest: [{ connectionId: shop.connectionId, isRequested: false }],
    })
    expect(JSON.stringify(health)).not.toContain(PRIVATE)
    const eventId = health.quarantine.latest[0]?.eventId ?? ''
    await admin.http.mutation(api.admin.health.replay, { eventId })
    expect(await lastEntry()).toMatchObject({
      action: 'admin/health:replay',
      resource: { kind: 'notification', id: eventId },
      organization: { _id: shop.organizationId },
    })
    const [answer] = await stage.telegram.waitForSent(chat)
    expect(answer?.text).toContain(PRIVATE)
    await expect.poll(async () => (await get()).quarantine.count, PATIENT).toBe(0)
    expect(await codeOf(admin.http.mutation(api.admin.health.replay, { eventId }))).toBe('not_found')
    expect(await ofConnection()).toMatchObject({ quarantined: 0, quarantinedAt: null })
  })

  it('stay where they are as long as nothing understands them, and are not lost', async () => {
    await putAside(3)
    expect(await admin.http.mutation(api.admin.health.replayConnection, { connectionId: shop.connectionId })).toEqual({
      count: 3,
    })
    expect(await lastEntry()).toMatchObject({ action: 'admin/health:replayConnection', after: { count: 3 } })
    await expect.poll(requested, PATIENT).toBe(0)
    expect((await get()).quarantine).toMatchObject({ count: 3 })
    expect(await ofConnection()).toMatchObject({ quarantined: 3 })
  })

  it('of a connection that is gone, or without their content, cannot be taken in', async () => {
    await stage.app.database.system('test', (db) =>
      sql`update inbound_events set payload = '{}' where status = 'quarantined'`.execute(db),
    )
    expect((await get()).quarantine.count).toBe(0)
    const { connectionId } = shop
    expect(await codeOf(admin.http.mutation(api.admin.health.replayConnection, { connectionId }))).toBe('not_found')
  })

  async function putAside(count: number): Promise<void> {
    const { telegram } = stage
    const webhook = telegram.reachable(telegram.bot(shop.token).webhook ?? { url: '', secret: '' })
    for (let number = 0; number < count; number++) {
      expect(await telegram.post(webhook, telegram.update(shop.token, { telepathy: { number } }))).toBe(true)
    }
    expect((await get()).quarantine.count).toBe(count)
  }

  async function requested(): Promise<number> {
    const { rows } =
      await sql`select from inbound_events where replay_requested_at is not null or external_key like 'replay:%'`.execute(
        root(),
      )
    return rows.length
  }

  const ofConnection = () => shop.owner.http.query(api.channelConnections.health, { connectionId: shop.connectionId })
})

describe('letters', () => {
  const letter = (id: string, values: string) =>
    sql`insert into letters (id, recipient, kind, language, state, attempts, next_attempt_at, created_at, sent_at)
      values (${id}, 'anna@example.com', 'invitation', 'ru', ${sql.raw(values)})`.execute(root())

  it('that wait, have failed or are only written are counted without their recipients', async () => {
    await sql`delete from letters`.execute(root())
    await letter('sent', `'sent', 1, now(), now(), now() - interval '1 minute'`)
    await letter('late', `'waiting', 2, now() + interval '1 hour', now(), null`)
    await letter('failed', `'failed', 7, now(), now(), null`)
    await letter('kept', `'kept', 1, now(), now(), now()`)
    const health = await get()
    expect(health.mail).toMatchObject({ isConfigured: false, waiting: 1, tried: 1, failed: 1, kept: 1 })
    expect(health.mail.lastSentAt).toBeLessThan(Date.now() - 30_000)
    expect(health.problems).toEqual(['lettersLate', 'lettersFailed', 'lettersKept'])
    expect(JSON.stringify(health)).not.toContain('anna@example.com')
    await sql`delete from letters`.execute(root())
  })
})
