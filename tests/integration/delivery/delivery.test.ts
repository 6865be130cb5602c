// Outbound delivery: limits, refusals, unknown outcomes, and what crashed or stopping servers leave behind.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { disconnect, setConnectionError } from '#server/domain/channels/connections/connections.store.ts'
import { recordActivity } from '#server/domain/channels/health/activity.store.ts'
import { logAttempts } from '#server/domain/channels/health/delivery-attempts.store.ts'
import { recordAndBegin } from '#server/domain/messaging/outbox/deliver.store.ts'
import { requeue, withholdConnection } from '#server/domain/messaging/outbox/outbox.store.ts'
import { applyReceipt } from '#server/domain/messaging/outbox/receipts.store.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { someoneWaits } from '#tests/locks.ts'
import { type Bot, echo, PipelineWorld } from '#tests/pipeline-world.ts'

/** The id of a server that does not exist. */
const DEAD = 1_999_999_999

let test: TestDatabase
let telegram: FakeTelegram
let world: PipelineWorld
let bot: Bot
let chat = 2000

beforeAll(async () => {
  test = await openTestDatabase()
  telegram = await startFakeTelegram()
  world = new PipelineWorld(test.database, telegram)
  await world.start()
  bot = await world.addBot()
})
afterAll(async () => {
  await world.stop()
  await telegram.close()
  await test.close()
})
beforeEach(() => {
  world.model = echo
  chat++
})

async function says(text: string): Promise<void> {
  telegram.customerSays(bot.token, chat, text)
  await telegram.waitFor(() => telegram.isQuiet(), 'the webhook')
}

function idOf<Row extends { id: string }>(row: Row | undefined): Row['id'] {
  if (!row) throw new Error('there is no such row')
  return row.id
}

/** The state of a part that a server is about to send, or is sending. */
function setStatus(part: { id: Id<'outbox'> } | undefined, status: 'claimed' | 'sending', owner: number | null = DEAD) {
  return test.database.system('test: as a server left it', (db) =>
    db
      .updateTable('outbox')
      .set({ status, owner, lease_until: new Date(Date.now() + 30_000) })
      .where('id', '=', idOf(part))
      .execute(),
  )
}

describe('sending', () => {
  it('waits as long as Telegram asks, and delays no other chat', async () => {
    telegram.bot(bot.token).knownChats.add(String(chat))
    telegram.rateLimit(chat, 60)
    const until = telegram.faults.rateLimitedUntil.get(String(chat)) ?? 0
    await says('one')
    await telegram.waitFor(() => telegram.callsTo(chat).length === 1, 'the refused send')
    const limited = chat++
    await says('another chat')
    await telegram.waitForSent(chat)
    await world.pipeline.settle()
    expect(telegram.callsTo(limited)).toHaveLength(1)
    const [part] = await world.parts(limited)
    expect(part).toMatchObject({ status: 'queued' })
    expect(part?.not_before.getTime()).toBeGreaterThanOrEqual(until)
    telegram.faults.rateLimitedUntil.clear()
    await test.database.system('test: the wait is over', (db) =>
      db.updateTable('outbox').set({ not_before: sql`now()` }).where('id', '=', idOf(part)).execute(),
    )
    await telegram.waitForSent(limited)
    expect(telegram.sentTo(limited)).toHaveLength(1)
  })

  it('to a customer who blocked the bot fails, visibly, and is not retried', async () => {
    telegram.block(chat)
    await says('hello')
    await world.pipeline.settle()
    expect(await world.parts(chat)).toMatchObject([{ status: 'failed', attempt: 1 }])
    expect((await world.parts(chat))[0]?.error).toContain('blocked')
  })

  it('without an answer is unknown: shown, not repeated, and sent again only on demand', async () => {
    telegram.dropAnswers(1)
    await says('hello')
    await world.pipeline.settle()
    const [part] = await world.parts(chat)
    expect(part).toMatchObject({ status: 'unknown', attempt: 1 })
    expect(telegram.sentTo(chat)).toHaveLength(1)
    await test.database.organization(bot.organizationId, (db) =>
      requeue({ db, organizationId: bot.organizationId }, idOf(part)),
    )
    await telegram.waitForSent(chat, 2)
    await world.pipeline.settle()
    expect(await world.parts(chat)).toMatchObject([{ status: 'sent', attempt: 2 }])
  })

  it('of an answer stops at the part that failed, and continues there on demand', async () => {
    world.model = () => Array.from({ length: 3 }, (_, index) => `${index}`.repeat(4000)).join('\n\n')
    telegram.bot(bot.token).knownChats.add(String(chat))
    telegram.faults.refusals = { count: 1, status: 400 }
    await says('everything')
    await world.pipeline.settle()
    const parts = await world.parts(chat)
    expect(parts).toMatchObject([
      { status: 'failed' },
      { status: 'failed', error: 'earlier_part' },
      { status: 'failed' },
    ])
    await test.database.organization(bot.organizationId, (db) =>
      requeue({ db, organizationId: bot.organizationId }, idOf(parts[0])),
    )
    await telegram.waitForSent(chat, 3)
    expect(telegram.sentTo(chat).map((sent) => sent.text[0])).toEqual(['0', '1', '2'])
  })

  it('with a revoked token is reported on the connection and stops model calls; everything is answered with the next token', async () => {
    const revoked = await world.addBot()
    telegram.customerSays(revoked.token, chat, 'hello')
    await telegram.waitForSent(chat)
    const webhook = telegram.bot(revoked.token).webhook
    const [first, second] = ['one', 'two'].map((text) => telegram.textUpdate(revoked.token, chat, text))
    telegram.revoke(revoked.token)
    await world.deliver(webhook, first)
    await world.pipeline.settle()
    const connection = await world.read((db) =>
      db.selectFrom('channel_connections').where('id', '=', revoked.connectionId).selectAll().executeTakeFirstOrThrow(),
    )
    expect(connection).toMatchObject({ status: 'error' })
    expect(connection.last_error).toContain('401')
    const asked = world.requests.length
    await world.deliver(webhook, second)
    await world.pipeline.settle()
    expect(world.requests).toHaveLength(asked)
    expect((await world.turns(chat)).at(-1)).toMatchObject({ status: 'done', outcome: 'connection_error' })

    telegram.addBot(revoked.token).knownChats.add(String(chat))
    const quiet = { messages: 0, recovered: 0, sendError: null, webhookMs: null, hasRejectedSignature: false }
    const accepted = { ...quiet, connectionId: revoked.connectionId, hasSent: true }
    const noteAccepted = (acceptedAt: Date) =>
      test.database.system('test: accepted', (db) => recordActivity({ db }, [{ ...accepted, acceptedAt }]))
    await noteAccepted(new Date(0)) // began before the refusal: proves nothing
    await world.pipeline.settle()
    expect(world.requests).toHaveLength(asked)
    expect((await world.parts(chat)).at(-1)).toMatchObject({ status: 'queued', error: expect.stringContaining('401') })
    await noteAccepted(new Date(Date.now() + 60_000))
    const [, ...later] = await telegram.waitForSent(chat, 3)
    expect(later.map(({ text }) => text)).toEqual([expect.stringContaining('one'), expect.stringContaining('two')])
  })

  it('with a replaced token may be refused, which proves nothing about the current one', async () => {
    const { connectionId, organizationId } = bot
    const begunAt = new Date(Date.now() + 60_000)
    await test.database.organization(organizationId, (db) =>
      setConnectionError({ db, organizationId }, connectionId, 'unauthorized', begunAt, 'of before'),
    )
    const { status } = await world.read((db) =>
      db.selectFrom('channel_connections').where('id', '=', connectionId).select('status').executeTakeFirstOrThrow(),
    )
    expect(status).toBe('connected')
  })

  it('that is refused late proves nothing about a connection that was accepted since', async () => {
    const { connectionId, organizationId } = bot
    const [early, late] = [new Date(Date.now() + 1000), new Date(Date.now() + 2000)]
    const quiet = { messages: 0, recovered: 0, sendError: null, webhookMs: null, hasRejectedSignature: false }
    const accepted = { ...quiet, connectionId, acceptedAt: late, hasSent: true }
    await test.database.system('test: accepted', (db) => recordActivity({ db }, [accepted]))
    await test.database.organization(organizationId, (db) =>
      setConnectionError({ db, organizationId }, connectionId, 'unauthorized', early),
    )
    const state = () =>
      world.read((db) =>
        db.selectFrom('channel_connections').where('id', '=', connectionId).select('status').executeTakeFirst(),
      )
    expect(await state()).toEqual({ status: 'connected' })
    const refused = (reason: string | null, begunAt: Date) => {
      const attempt = { organizationId, connectionId, outboxId: null, attempt: 1, httpStatus: null, latencyMs: 1 }
      return { ...attempt, outcome: reason ? ('failed' as const) : ('sent' as const), reason, begunAt }
    }
    await test.database.system('test: in the order in which they ended', (db) =>
      logAttempts({ db }, [
        refused(null, new Date(late.getTime() + 2)),
        refused('unauthorized', new Date(late.getTime() + 1)),
      ]),
    )
    expect(await state()).toEqual({ status: 'connected' })
  })

  it('that is recorded while its connection is switched off waits for the switch, without a deadlock', async () => {
    const other = await world.addBot()
    telegram.customerSays(other.token, chat, 'hello')
    await telegram.waitForSent(chat)
    await world.pipeline.settle()
    const [part] = await world.parts(chat)
    const { organizationId, connectionId } = other
    const attempt = { organizationId, connectionId, outboxId: idOf(part), attempt: 1, begunAt: new Date() }
    const logged = { ...attempt, outcome: 'sent' as const, httpStatus: 200, latencyMs: 1, reason: null }
    const end = { status: 'sent' as const, externalMessageId: '1', error: null, mayHaveArrived: false, delayMs: 0 }
    await setStatus(part, 'sending', null)
    const held = Promise.withResolvers<void>()
    let runs = 0
    const off = test.database.organization(organizationId, async (db) => {
      const ctx = { db, organizationId }
      runs++
      await disconnect(ctx, connectionId, new Date())
      held.resolve()
      await someoneWaits(db)
      await withholdConnection(ctx, connectionId)
    })
    await held.promise
    const record = (db: Db) => {
      runs++
      return recordAndBegin({ db }, DEAD, [{ id: idOf(part), ...end, isPaced: false, hasReceipts: true, logged }], [])
    }
    await Promise.all([off, test.database.system('test: record', record, { isolation: 'read committed' })])
    expect(runs).toBe(2)
    expect(await world.parts(chat)).toMatchObject([{ status: 'sent' }])
  })

  it('and its receipt are both recorded when they are concurrent', async () => {
    await says('hello')
    await telegram.waitForSent(chat)
    await world.pipeline.settle()
    const [part] = await world.parts(chat)
    await setStatus(part, 'sending', null)
    const { organizationId, connectionId } = bot
    const externalMessageId = `later ${chat}`
    const end = { status: 'sent' as const, externalMessageId, error: null, mayHaveArrived: false, delayMs: 0 }
    const held = Promise.withResolvers<void>()
    const record = async (db: Db) => {
      await recordAndBegin(
        { db },
        DEAD,
        [{ id: idOf(part), ...end, isPaced: false, hasReceipts: true, logged: null }],
        [],
      )
      held.resolve()
      await someoneWaits(db)
    }
    const recorded = test.database.system('test: record', record, { isolation: 'read committed' })
    await held.promise
    const receipt = { connectionId, externalMessageId, state: 'read' as const, reason: null }
    const tell = (db: Db) => applyReceipt({ db, organizationId }, receipt)
    await Promise.all([recorded, test.database.organization(organizationId, tell, { isolation: 'read committed' })])
    const [after] = await world.parts(chat)
    expect(after?.read_at).toBeInstanceOf(Date)
  })
})

describe('a receipt for everything up to a part', () => {
  /** Sends three parts, and applies a read receipt before any of them is recorded as sent. @returns which are recorded as read */
  async function tells(of: number, recorded: number[]): Promise<boolean[]> {
    for (const text of ['one', 'two', 'three']) {
      await says(text)
      await telegram.waitFor(() => telegram.sentTo(chat).some((message) => message.text.includes(text)), text)
      await world.pipeline.settle()
    }
    const parts = await world.parts(chat)
    const { organizationId, connectionId } = bot
    const named = (at: number) => `up to ${chat} ${at}`
    for (const part of parts) await setStatus(part, 'sending', null)
    await test.database.system('test: not known yet', (db) =>
      db.updateTable('outbox').set({ external_message_id: null }).where('id', 'in', parts.map(idOf)).execute(),
    )
    const receipt = { connectionId, externalMessageId: named(of), state: 'read' as const, reason: null, isUpTo: true }
    const tell = (db: Db) => applyReceipt({ db, organizationId }, receipt)
    await test.database.organization(organizationId, tell, { isolation: 'read committed' })
    for (const at of recorded) {
      const end = { status: 'sent' as const, error: null, mayHaveArrived: false, delayMs: 0, isPaced: false }
      const outcome = { id: idOf(parts[at]), ...end, externalMessageId: named(at), hasReceipts: true, logged: null }
      const record = (db: Db) => recordAndBegin({ db }, DEAD, [outcome], [])
      await test.database.system('test: record', record, { isolation: 'read committed' })
    }
    return (await world.parts(chat)).map((part) => part.read_at !== null)
  }

  it('that comes before its part is recorded applies to all parts up to it, once it is', async () => {
    expect(await tells(1, [0, 1, 2])).toEqual([true, true, false])
  })

  it('applies to all parts up to it that are recorded by then', async () => {
    expect(await tells(2, [0, 1, 2])).toEqual([true, true, true])
  })
})

describe('what a crashed server leaves behind', () => {
  it('is answered by another: its turn is requeued, and its own late result is discarded', async () => {
    const asked = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    let calls = 0
    world.model = async () => {
      if (++calls > 1) return 'from the one that took over'
      asked.resolve()
      await go.promise
      return 'from the one that was thought dead'
    }
    await says('hello')
    await asked.promise
    await test.database.system('test: the owner dies', (db) =>
      db.updateTable('turns').set({ owner: DEAD }).where('status', '=', 'running').execute(),
    )
    const [answer] = await telegram.waitForSent(chat)
    expect(answer?.text).toBe('from the one that took over')
    go.resolve()
    await world.pipeline.settle()
    expect(telegram.sentTo(chat)).toHaveLength(1)
    expect(await world.messages(chat)).toHaveLength(2)
    expect(await world.turns(chat)).toMatchObject([{ status: 'done', epoch: 2 }])
  })

  it('and answers too late is not counted in place of the server that took over', async () => {
    const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const go = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let calls = 0
    world.model = async () => {
      const call = calls++
      asked[call]?.resolve()
      await go[call]?.promise
      return `answer ${call + 1}`
    }
    await says('hello')
    await asked[0]?.promise
    await says('one more thing')
    await test.database.system('test: the turn goes back', async (db) => {
      await db.updateTable('turns').set({ status: 'merged' }).where('status', '=', 'pending').execute()
      await db.updateTable('turns').set({ status: 'pending', owner: null }).where('status', '=', 'running').execute()
    })
    await asked[1]?.promise
    go[0]?.resolve()
    // Time for the late answer to be discarded; there is nothing to wait for.
    for (let look = 0; look < 30; look++) await world.turns(chat)
    go[1]?.resolve()
    await world.pipeline.settle()
    expect(telegram.sentTo(chat).map((sent) => sent.text)).toEqual(['answer 2'])
    const [turn] = await world.turns(chat)
    const counted = await test.database.system('test: look', (db) =>
      db.selectFrom('usage_events').select('messages').where('source_id', '=', idOf(turn)).execute(),
    )
    expect(counted).toEqual([{ messages: 1 }])
  })

  it('and cannot be stored at all is given up after a few tries, visibly, and delays no other', async () => {
    world.model = (request) => (request.messages.at(-1)?.text === 'poison' ? 'unstorable' : 'fine')
    await sql`create function refuse_answer() returns trigger language plpgsql as $$
      begin if new.text = 'unstorable' then raise 'cannot be stored'; end if; return new; end $$`.execute(
      test.database.root,
    )
    await sql`create trigger refuse_answer before insert or update on messages
      for each row execute function refuse_answer()`.execute(test.database.root)
    await says('poison')
    const poisoned = chat++
    await says('hello')
    expect(await telegram.waitForSent(chat)).toMatchObject([{ text: 'fine' }])
    for (let claims = 0; claims < 10; claims++) {
      await test.database.system('test: the wait is over', (db) =>
        db.updateTable('turns').set({ not_before: sql`now()` }).where('status', '=', 'pending').execute(),
      )
      await world.pipeline.settle()
    }
    expect(await world.turns(poisoned)).toMatchObject([{ status: 'failed', outcome: 'gave_up', epoch: 9, crashes: 8 }])
    expect((await world.messages(poisoned)).at(-1)).toMatchObject({
      author: 'agent',
      status: 'failed',
      reason: 'gave_up',
    })
  })

  it('claimed parts are sent, parts that were being sent are unknown', async () => {
    await says('hello')
    await telegram.waitForSent(chat)
    await world.pipeline.settle()
    const [part] = await world.parts(chat)
    await setStatus(part, 'claimed')
    await telegram.waitForSent(chat, 2)
    await world.pipeline.settle()
    await setStatus(part, 'sending')
    await world.pipeline.settle()
    expect(await world.parts(chat)).toMatchObject([{ status: 'unknown', error: 'interrupted' }])
    expect(telegram.sentTo(chat)).toHaveLength(2)
  })

  it('and another has claimed since is sent by that one only', async () => {
    await says('hello')
    await telegram.waitForSent(chat)
    await world.pipeline.settle()
    const id = idOf((await world.parts(chat))[0])
    const permitted = await test.database.system('test: claimed by another', async (db) => {
      const update = (row: { status: 'claimed' | 'sent'; owner: number | null }) =>
        db.updateTable('outbox').set(row).where('id', '=', id).execute()
      const begin = async (owner: number) => (await recordAndBegin({ db }, owner, [], [id])).permitted.length
      await update({ status: 'claimed', owner: DEAD })
      const counts = [await begin(DEAD - 1), await begin(DEAD), await begin(DEAD)]
      await update({ status: 'sent', owner: null })
      return counts
    })
    expect(permitted).toEqual([0, 1, 0])
  })

  it('whose lease expired is taken over even if the server seems alive', async () => {
    const asked = Promise.withResolvers<void>()
    let calls = 0
    world.model = (request) => {
      if (++calls > 1) return 'answered'
      asked.resolve()
      return new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)))
    }
    await says('hello')
    await asked.promise
    // Repeated until it is noticed: the server is alive and renews its leases meanwhile.
    const askedAfter = async () => {
      await test.database.system('test: the lease ran out', (db) =>
        db
          .updateTable('turns')
          .set({ lease_until: new Date(0) })
          .where('status', '=', 'running')
          .execute(),
      )
      return calls
    }
    await expect.poll(askedAfter).toBeGreaterThan(1)
    const [answer] = await telegram.waitForSent(chat)
    expect(answer?.text).toBe('answered')
  })
})

describe('a clean stop', () => {
  it('requeues what is being generated; the next start answers it once', async () => {
    const asked = Promise.withResolvers<void>()
    world.model = (request) => {
      asked.resolve()
      return new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)))
    }
    await says('hello')
    await asked.promise
    await world.stop()
    expect(await world.turns(chat)).toMatchObject([{ status: 'pending', owner: null }])
    world = new PipelineWorld(test.database, telegram)
    await world.start()
    const [answer] = await telegram.waitForSent(chat)
    expect(answer?.text).toBe('You said: hello')
    await world.pipeline.settle()
    expect(telegram.sentTo(chat)).toHaveLength(1)
  })

  it('waits for sends under way, and leaves none unknown', async () => {
    bot = await world.addBot()
    const chats = Array.from({ length: 30 }, () => ++chat)
    telegram.faults.answerDelayMs = 150
    for (const each of chats) telegram.customerSays(bot.token, each, 'hello')
    await telegram.waitFor(() => telegram.sent.length > 0 && telegram.isQuiet(), 'the webhooks')
    await world.stop()
    telegram.faults.answerDelayMs = 0
    const states = await world.read((db) =>
      db.selectFrom('outbox').where('organization_id', '=', bot.organizationId).select('status').execute(),
    )
    expect(new Set(states.map((part) => part.status))).not.toContain('unknown')
    expect(new Set(states.map((part) => part.status))).not.toContain('sending')
    world = new PipelineWorld(test.database, telegram)
    await world.start()
    for (const each of chats) await telegram.waitForSent(each)
    await world.pipeline.settle()
    for (const each of chats) expect(telegram.sentTo(each)).toHaveLength(1)
  })
})
