// The allowance under concurrency: never exceeded by any number of concurrent turns, reserved once per turn, and released however a turn ends.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordUsage } from '#server/domain/billing/billing.store.ts'
import { openQuotas, recountQuotas } from '#server/domain/billing/quotas.store.ts'
import { pause } from '#server/domain/messaging/conversations/conversation-state.store.ts'
import { returnTurns } from '#server/domain/messaging/turns/runner.store.ts'
import { stopTurns } from '#server/domain/messaging/turns/turn-requests.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { type Bot, echo, PipelineWorld } from '#tests/pipeline-world.ts'
import { seededRandom } from '#tests/random.ts'

let test: TestDatabase
let telegram: FakeTelegram
let world: PipelineWorld
let chat = 9000

beforeAll(async () => {
  test = await openTestDatabase()
  telegram = await startFakeTelegram()
  world = new PipelineWorld(test.database, telegram)
  await world.start()
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

/** A bot of an organization with an allowance. When it is used up, a person is called and the customer receives nothing. */
async function addLimitedBot(monthlyLimit: number, settings: Partial<AgentSettings> = {}): Promise<Bot> {
  const bot = await world.addBot('webhook', settings)
  await test.database.system('test: a limit', (db) =>
    db
      .updateTable('organizations')
      .set({ monthly_limit: monthlyLimit, at_limit: 'handoff' })
      .where('id', '=', bot.organizationId)
      .execute(),
  )
  return bot
}

/** A transaction like those of the pipeline. */
function inOrganization<T>(organizationId: Id<'organizations'>, run: (ctx: OrgStoreContext) => Promise<T>): Promise<T> {
  return test.database.organization(organizationId, (db) => run({ db, organizationId }), {
    isolation: 'read committed',
  })
}

/** This many customers with an open question, created at once. */
async function addWaiting(bot: Bot, count: number): Promise<void> {
  await test.database.system('test: many customers', async (db) => {
    const ids = Array.from({ length: count }, () => newId())
    const prefix = `crowd-${newId()}-`
    await sql`insert into conversations (id, organization_id, agent_id, channel, connection_id, external_chat_id)
      select id, ${bot.organizationId}, ${bot.agentId}, 'telegram', ${bot.connectionId}, ${prefix}::text || id
      from unnest(${ids}::text[]) as new (id)`.execute(db)
    await sql`insert into messages (id, organization_id, conversation_id, author, text)
      select 'm' || id, ${bot.organizationId}, id, 'customer', 'Me first!' from unnest(${ids}::text[]) as new (id)`.execute(
      db,
    )
    await sql`insert into turns (id, organization_id, conversation_id, status)
      select 't' || id, ${bot.organizationId}, id, 'pending' from unnest(${ids}::text[]) as new (id)`.execute(db)
  })
}

/** The month of an organization; undefined until it was first requested. */
async function month(bot: Bot): Promise<{ used: number; reserved: number } | undefined> {
  return world.read((db) =>
    db
      .selectFrom('quotas')
      .where('organization_id', '=', bot.organizationId)
      .where('period', '=', new Date().toISOString().slice(0, 7))
      .select(['used', 'reserved'])
      .executeTakeFirst(),
  )
}

/** Invariant of every period: used as the events say, reserved as often as open turns hold it. */
async function findWrongQuotas(organizationId: string): Promise<unknown[]> {
  return world.read(async (db) => {
    const result = await sql`
      select q.period, q.used, q.reserved, truth.used as "usedInTruth", held.count as "heldInTruth"
      from quotas q, lateral (select coalesce(sum(messages), 0) as used from usage_events e
          where e.organization_id = q.organization_id and e.category <> 'system_message'
            and to_char(e.occurred_at, 'YYYY-MM') = q.period) truth,
        lateral (select count(*) as count from turns t where t.organization_id = q.organization_id
          and t.status in ('pending', 'running') and t.reserved_period = q.period) held
      where q.organization_id = ${organizationId} and length(q.period) = 7
        and (q.used, q.reserved::bigint) is distinct from (truth.used, held.count)`.execute(db)
    return result.rows
  })
}

function heldModel() {
  const asked = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  world.model = async (request) => {
    asked.resolve()
    await Promise.race([go.promise, aborted(request.signal)])
    return echo(request)
  }
  return { asked: asked.promise, answer: go.resolve }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

const quiet = () => telegram.waitFor(() => telegram.isQuiet(), 'the webhook')

const AT_ONCE = 1000

describe('concurrent turns', () => {
  it('with one message left answer exactly one', async () => {
    const bot = await addLimitedBot(3)
    for (let used = 0; used < 2; used++) {
      chat++
      telegram.customerSays(bot.token, chat, 'before')
      await telegram.waitForSent(chat)
    }
    world.requests.length = 0
    await addWaiting(bot, AT_ONCE)
    await world.pipeline.settle()
    expect(world.requests).toHaveLength(1)
    expect(await month(bot)).toEqual({ used: 3, reserved: 0 })
    const turns = await world.read((db) =>
      db
        .selectFrom('turns')
        .where('organization_id', '=', bot.organizationId)
        .select(({ fn }) => ['outcome', fn.countAll<number>().as('count')])
        .groupBy('outcome')
        .execute(),
    )
    expect(Object.fromEntries(turns.map(({ outcome, count }) => [outcome, Number(count)]))).toEqual({
      replied: 3,
      allowance_used_up: AT_ONCE - 1,
    })
    const paused = await world.read((db) =>
      db
        .selectFrom('conversations')
        .where('organization_id', '=', bot.organizationId)
        .where('pause_reason', '=', 'limit')
        .select('id')
        .execute(),
    )
    expect(paused).toHaveLength(AT_ONCE - 1)
    expect(await findWrongQuotas(bot.organizationId)).toEqual([])
  }, 240_000)

  it('with one message left answer exactly one while the plan changes to others with as many', async () => {
    const bot = await addLimitedBot(1)
    const plans = ['races-one', 'races-two'].map((slug) => ({
      slug,
      name: slug,
      monthly_messages: 1,
      sort_order: 9,
      features: '{"ru": [], "en": []}',
    }))
    await test.database.system('test: plans', (db) => db.insertInto('plans').values(plans).execute())
    const change = (slug: string) =>
      test.database.system('test: another plan', (db) =>
        db
          .updateTable('organizations')
          .set({ plan: slug, monthly_limit: null })
          .where('id', '=', bot.organizationId)
          .execute(),
      )
    await change('races-one')
    world.requests.length = 0
    let isOver = false
    const changing = (async () => {
      for (let turn = 0; !isOver; turn++) await change(turn % 2 === 0 ? 'races-two' : 'races-one')
    })()
    await addWaiting(bot, AT_ONCE)
    await world.pipeline.settle()
    isOver = true
    await changing
    expect(world.requests).toHaveLength(1)
    expect(await month(bot)).toEqual({ used: 1, reserved: 0 })
    expect(await findWrongQuotas(bot.organizationId)).toEqual([])
  }, 240_000)
})

describe('a hundred turns at once', () => {
  it('that open their month and day stop at the lower of both limits', async () => {
    const spam = { agentDailyLimit: 5, customerDailyLimit: null, warningPercent: 80, text: '' }
    const bot = await addLimitedBot(7, { spam })
    await addWaiting(bot, 100)
    await world.pipeline.settle()
    expect(world.requests).toHaveLength(5)
    expect(await month(bot)).toEqual({ used: 5, reserved: 0 })
    const warnings = await world.read((db) =>
      db
        .selectFrom('messages')
        .where('organization_id', '=', bot.organizationId)
        .where('reason', '=', 'agent_limit_near')
        .select('id')
        .execute(),
    )
    expect(warnings).toHaveLength(1)
  })
})

describe('a reserved message', () => {
  /** Whatever ends, aborts or interrupts the turn of the chat while its answer is generated. */
  type End = (ctx: OrgStoreContext, conversationId: Id<'conversations'>) => Promise<unknown>
  const ends: [string, End][] = [
    ['a pause', (ctx, id) => pause(ctx, [{ id, reason: 'operator' }])],
    ['a stop', (ctx, id) => stopTurns(ctx, id, new Date())],
    ['the removal of the conversation', ({ db }, id) => db.deleteFrom('conversations').where('id', '=', id).execute()],
  ]

  it.each(ends)('is released after %s', async (_, end) => {
    const bot = await addLimitedBot(5)
    const model = heldModel()
    telegram.customerSays(bot.token, chat, 'Hello')
    await model.asked
    expect(await month(bot)).toEqual({ used: 0, reserved: 1 })
    const { id } = await world.conversation(chat)
    await inOrganization(bot.organizationId, (ctx) => end(ctx, id))
    model.answer()
    await world.pipeline.settle()
    expect(telegram.sentTo(chat)).toEqual([])
    expect(await month(bot)).toEqual({ used: 0, reserved: 0 })
  })

  it('counts as used with the answer', async () => {
    const bot = await addLimitedBot(5)
    telegram.customerSays(bot.token, chat, 'Hello')
    await telegram.waitForSent(chat)
    await world.pipeline.settle()
    expect(await month(bot)).toEqual({ used: 1, reserved: 0 })
  })

  it('is released after a permanent failure', async () => {
    const bot = await addLimitedBot(5)
    world.model = () => {
      throw new AppError('model_failed', { reason: 'invalid_key' })
    }
    telegram.customerSays(bot.token, chat, 'Hello')
    await quiet()
    await world.pipeline.settle()
    expect(world.requests).toHaveLength(1)
    expect(await month(bot)).toEqual({ used: 0, reserved: 0 })
  })

  it('is reserved once by a turn that is retried, and the retry needs no other', async () => {
    const bot = await addLimitedBot(1)
    const seen: unknown[] = []
    world.model = async (request) => {
      seen.push(await month(bot))
      if (seen.length === 1) throw new AppError('model_failed', { reason: 'unavailable' })
      return echo(request)
    }
    telegram.customerSays(bot.token, chat, 'Hello')
    await telegram.waitForSent(chat)
    await world.pipeline.settle()
    expect(seen).toEqual([
      { used: 0, reserved: 1 },
      { used: 0, reserved: 1 },
    ])
    expect(await month(bot)).toEqual({ used: 1, reserved: 0 })
  })

  it('is charged once when the customer writes again while the answer is generated', async () => {
    const bot = await addLimitedBot(5)
    const model = heldModel()
    telegram.customerSays(bot.token, chat, 'first')
    await model.asked
    telegram.customerSays(bot.token, chat, 'second')
    await quiet()
    model.answer()
    await telegram.waitForSent(chat)
    await world.pipeline.settle()
    expect(telegram.sentTo(chat).map((sent) => sent.text)).toEqual(['You said: first\n\nsecond'])
    expect(await month(bot)).toEqual({ used: 1, reserved: 0 })
  })

  it('survives a crash of its server with the turn', async () => {
    const bot = await addLimitedBot(1)
    const model = heldModel()
    telegram.customerSays(bot.token, chat, 'Hello')
    await model.asked
    const [turn] = await world.turns(chat)
    if (!turn?.owner) throw new Error('the turn has no owner')
    const owner = turn.owner
    await test.database.system('test: the server is dead', (db) => returnTurns({ db }, { deadOwners: [owner] }))
    expect(await month(bot)).toEqual({ used: 0, reserved: 1 })
    world.model = echo
    model.answer()
    await telegram.waitForSent(chat)
    await world.pipeline.settle()
    expect(telegram.sentTo(chat)).toHaveLength(1)
    expect(await month(bot)).toEqual({ used: 1, reserved: 0 })
    expect(await findWrongQuotas(bot.organizationId)).toEqual([])
  })
})

describe('what is used', () => {
  const event = (
    category: 'agent_response' | 'test_message' | 'system_message' | 'follow_up',
    occurredAt = new Date(),
  ) => ({
    sourceId: newId(),
    agentId: null,
    category,
    channel: 'telegram' as const,
    messages: 1,
    call: null,
    occurredAt,
  })

  it('includes messages from before and after the limit was first requested, except those of the system', async () => {
    const organizationId = await world.addOrganization()
    const record = (...events: ReturnType<typeof event>[]) =>
      inOrganization(organizationId, async (ctx) => {
        for (const each of events) await recordUsage(ctx, each)
      })
    const period = new Date().toISOString().slice(0, 7)
    await record(event('agent_response'), event('test_message'), event('system_message'))
    await record(event('agent_response', new Date('2026-01-15T00:00Z')))
    await inOrganization(organizationId, (ctx) => openQuotas(ctx, [period]))
    await record(event('follow_up'), event('system_message'))
    const rows = await world.read((db) =>
      db.selectFrom('quotas').where('organization_id', '=', organizationId).select(['period', 'used']).execute(),
    )
    expect(rows).toEqual([{ period, used: 3 }])
  })

  it('is deleted long after its month, unless an open turn still holds a reservation', async () => {
    const organizationId = await world.addOrganization()
    const old = [
      { period: '2026-01', reserved: 0 },
      { period: '2026-01-15 agent', reserved: 0 },
      { period: '2026-02', reserved: 1 },
    ]
    const period = new Date().toISOString().slice(0, 7)
    await inOrganization(organizationId, async (ctx) => {
      const rows = old.map((row) => ({ ...row, organization_id: organizationId }))
      await ctx.db.insertInto('quotas').values(rows).execute()
      await openQuotas(ctx, [period])
    })
    const left = await world.read((db) =>
      db
        .selectFrom('quotas')
        .where('organization_id', '=', organizationId)
        .select('period')
        .orderBy('period')
        .execute(),
    )
    expect(left.map((row) => row.period)).toEqual(['2026-02', period])
  })

  it('is recounted when the time zone of the month changes', async () => {
    const organizationId = await world.addOrganization()
    const used = async () => {
      const rows = await world.read((db) =>
        db
          .selectFrom('quotas')
          .where('organization_id', '=', organizationId)
          .select(['period', 'used'])
          .orderBy('period')
          .execute(),
      )
      return rows.map((row) => [row.period, row.used])
    }
    await inOrganization(organizationId, (ctx) =>
      recordUsage(ctx, event('agent_response', new Date('2026-03-31T20:00Z'))),
    )
    await inOrganization(organizationId, (ctx) => openQuotas(ctx, ['2026-03', '2026-04']))
    expect(await used()).toEqual([
      ['2026-03', 1],
      ['2026-04', 0],
    ])
    await test.database.system('test: another clock', (db) =>
      db.updateTable('organizations').set({ time_zone: 'Asia/Almaty' }).where('id', '=', organizationId).execute(),
    )
    await inOrganization(organizationId, recountQuotas)
    expect(await used()).toEqual([
      ['2026-03', 0],
      ['2026-04', 1],
    ])
  })
})

/** The id of a server that does not exist. */
const DEAD = 1_999_999_999

describe('any mixture of answers, failures, pauses, additions and crashes', () => {
  it('leaves nothing reserved, nothing uncounted and nothing beyond the allowance', async () => {
    const random = seededRandom(20261121)
    const bot = await addLimitedBot(30)
    world.model = async (request) => {
      await new Promise((resolve) => setTimeout(resolve, random.below(20)))
      if (random.chance(0.15)) throw new AppError('model_failed', { reason: 'invalid_key' })
      if (random.chance(0.1)) throw new AppError('model_failed', { reason: 'unavailable' })
      return echo(request)
    }
    const chats = Array.from({ length: 20 }, () => ++chat)
    for (let step = 0; step < 250; step++) {
      if (random.chance(0.8)) telegram.customerSays(bot.token, random.pick(chats), `step ${step}`)
      else await disturb(bot, random.chance(0.4) ? 'pause' : 'death')
      if (step % 10 === 0) expect(await overdrawn(bot)).toBe(false)
    }
    await quiet()
    await comeToRest(bot)
    expect(await findWrongQuotas(bot.organizationId)).toEqual([])
    expect((await month(bot))?.reserved).toBe(0)
    expect((await month(bot))?.used).toBeLessThanOrEqual(30)
  })

  /** Advances time past retries and pauses until nothing is open. */
  async function comeToRest({ organizationId }: Bot): Promise<void> {
    for (;;) {
      await world.pipeline.settle()
      const waiting = await test.database.system('test: let time pass', async (db) => {
        await sql`update conversations set resume_at = now()
          where organization_id = ${organizationId} and status = 'paused' and resume_at > now()`.execute(db)
        const { rows } = await sql`update turns set not_before = now()
          where organization_id = ${organizationId} and status = 'pending' returning id`.execute(db)
        return rows.length
      })
      if (waiting === 0) return
    }
  }

  async function overdrawn(bot: Bot): Promise<boolean> {
    const { used, reserved } = (await month(bot)) ?? { used: 0, reserved: 0 }
    return used + reserved > 30
  }

  /** Pauses a conversation for a moment, or expires the leases of all turns. */
  async function disturb({ organizationId }: Bot, how: 'pause' | 'death'): Promise<void> {
    const running = sql`organization_id = ${organizationId} and status = 'running'`
    await test.database.system(
      'test: disturb',
      (db) =>
        how === 'death'
          ? sql`update turns set owner = ${DEAD}::int where ${running}`.execute(db)
          : sql`update conversations set status = 'paused', pause_epoch = pause_epoch + 1,
              resume_at = now() + interval '30 milliseconds'
              where id in (select conversation_id from turns where ${running} limit 1)`.execute(db),
      { isolation: 'read committed' },
    )
  }
})
