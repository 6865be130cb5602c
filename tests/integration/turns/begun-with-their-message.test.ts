// Work that starts in the transaction that writes it: the reply to a message, and the first part of its answer. What delays them, and
// commits whose outcome is unknown.
import type { Updateable } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { BEGUN_BELOW } from '#server/domain/messaging/replies/runner.ts'
import type { Database } from '#server/platform/db/database.ts'
import { CommitUnknownError } from '#server/platform/db/engine/engine.ts'
import type { ChannelConnectionsTable } from '#server/platform/db/tables/channels.ts'
import { AppError } from '#shared/errors.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { type Bot, echo, PipelineWorld } from '#tests/pipeline-world.ts'

const CLAIMS = 'pipeline: claim turns'
const BEGINS = 'pipeline: record and begin sends'

let test: TestDatabase
let telegram: FakeTelegram
let world: PipelineWorld
let bot: Bot
let chat = 7000
let purposes: string[] = []
/** Transactions of the organization. */
let transactions = 0
/** The next write, whose commit response is lost. */
let unseen: 'message' | 'answer' | 'late answer' | null = null
/** A transaction that was in flight when its connection was lost, and is committed only after the server has looked for its outcome. */
let late: (() => Promise<unknown>) | null = null
/** The purpose of a transaction whose commit response is lost. */
let unseenPurpose: string | null = null
/** Shorter than a lease. */
const SOON = { timeout: 20_000 }

beforeAll(async () => {
  test = await openTestDatabase()
  telegram = await startFakeTelegram()
  world = new PipelineWorld(watched(test.database), telegram)
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
  purposes = []
  transactions = 0
  chat++
})

describe('a reply', () => {
  it('starts with the commit that stores its message', async () => {
    await ask()
    expect(purposes).not.toContain(CLAIMS)
    expect(await world.turns(chat)).toMatchObject([{ status: 'done', outcome: 'replied', epoch: 1 }])
  })

  it('is read by the commit that stores its message: besides reading the secret it costs two transactions', async () => {
    await ask() // the channel fetches its bot's name, once
    transactions = 0
    await ask()
    expect(transactions).toBe(3)
  })

  it('is requeued when it is unknown whether its message was stored, and is given once', async () => {
    unseen = 'message'
    await ask()
    expect(unseen).toBe(null)
    expect(world.telegram.sentTo(chat)).toHaveLength(1)
    expect(await world.turns(chat)).toMatchObject([{ status: 'done', outcome: 'replied', epoch: 2 }])
  })

  it('waits for a slot when many are under way', async () => {
    const crowd = Array.from({ length: BEGUN_BELOW + 1 }, () => ++chat)
    const all = Promise.withResolvers<void>()
    let asked = 0
    world.model = async (request) => {
      if (++asked === crowd.length) all.resolve()
      await all.promise
      return echo(request)
    }
    for (const each of crowd) telegram.customerSays(bot.token, each, 'Do you deliver?')
    await telegram.waitFor(() => telegram.isQuiet(), 'the webhooks')
    await world.pipeline.settle()
    expect(purposes).toContain(CLAIMS)
    for (const each of crowd) expect(world.telegram.sentTo(each)).toHaveLength(1)
  })
})

describe('the first part of an answer', () => {
  it('is sent right after the commit that writes it', async () => {
    await ask()
    expect(world.telegram.sentTo(chat)).toHaveLength(1)
    expect(await world.parts(chat)).toMatchObject([{ status: 'sent', attempt: 1 }])
    expect(purposes).not.toContain(BEGINS)
  })

  it('is requeued when it is unknown whether it was written, and is sent once', async () => {
    unseen = 'answer'
    await ask()
    expect(unseen).toBe(null)
    expect(world.telegram.sentTo(chat)).toHaveLength(1)
    expect(await world.parts(chat)).toMatchObject([{ status: 'sent', may_have_arrived: false }])
  })

  it('waits if the account was frozen while the model was generating', async () => {
    world.model = async (request) => {
      await setFrozen(true)
      return echo(request)
    }
    await ask()
    expect(world.telegram.sentTo(chat)).toHaveLength(0)
    expect(await world.parts(chat)).toMatchObject([{ status: 'queued' }])
    await setFrozen(false)
  })

  it('is counted first if its connection has caps', async () => {
    await setConnection({
      caps: JSON.stringify({ perHour: 20, perDay: null, warmUp: 'off', warmUpSince: null, spacingMs: null }),
    })
    await ask()
    expect(purposes).toContain('pipeline: begin capped sends')
    expect(world.telegram.sentTo(chat)).toHaveLength(1)
    await setConnection({ caps: null })
  })

  it('fails if the connection was switched off while the model was generating', async () => {
    world.model = async (request) => {
      await setConnection({ disconnected_at: new Date() })
      return echo(request)
    }
    await ask()
    expect(world.telegram.sentTo(chat)).toHaveLength(0)
    expect(await world.parts(chat)).toMatchObject([{ status: 'failed', error: 'connection_off' }])
  })
})

describe('work that this server holds without knowing it', () => {
  beforeEach(async () => {
    await setConnection({ disconnected_at: null })
  })
  afterEach(() => {
    expect(unseenPurpose).toBe(null)
  })

  it('may be a turn whose claim commit was lost: it is requeued at once, and not counted as a failure', async () => {
    let tries = 0
    world.model = (request) => {
      if (tries++ > 0) return echo(request)
      unseenPurpose = CLAIMS
      throw new AppError('model_failed', { reason: 'timeout' })
    }
    telegram.customerSays(bot.token, chat, 'Do you deliver?')
    await expect.poll(() => world.telegram.sentTo(chat).length, SOON).toBe(1)
    await world.pipeline.settle()
    expect(await world.turns(chat)).toMatchObject([{ status: 'done', outcome: 'replied', crashes: 0 }])
  })

  it.each(['pipeline: claim parts', BEGINS])(
    'may be a part whose "%s" commit was lost: it is sent, once',
    async (purpose) => {
      await setFrozen(true)
      await ask()
      unseenPurpose = purpose
      await setFrozen(false)
      await test.database.root
        .updateTable('outbox')
        .set({ not_before: new Date() })
        .where('status', '=', 'queued')
        .execute()
      await expect.poll(() => world.telegram.sentTo(chat).length, SOON).toBe(1)
      await world.pipeline.settle()
      expect(await world.parts(chat)).toMatchObject([{ status: 'sent', may_have_arrived: false }])
    },
  )

  it('may be a part whose commit came only after it was requeued: it is sent, once', async () => {
    unseen = 'late answer'
    telegram.customerSays(bot.token, chat, 'Do you deliver?')
    await expect.poll(() => world.telegram.sentTo(chat).length, SOON).toBe(1)
    await world.pipeline.settle()
    expect(await world.parts(chat)).toMatchObject([{ status: 'sent', may_have_arrived: false }])
    expect(await world.turns(chat)).toMatchObject([{ status: 'done', outcome: 'replied', epoch: 1 }])
  })

  it('may be a part whose count against the caps of its connection was lost', async () => {
    await setConnection({
      caps: JSON.stringify({ perHour: 20, perDay: null, warmUp: 'off', warmUpSince: null, spacingMs: null }),
    })
    unseenPurpose = 'pipeline: begin capped sends'
    telegram.customerSays(bot.token, chat, 'Do you deliver?')
    await expect.poll(() => world.telegram.sentTo(chat).length, SOON).toBe(1)
    await world.pipeline.settle()
    expect(await world.parts(chat)).toMatchObject([{ status: 'sent', may_have_arrived: false }])
    await setConnection({ caps: null })
  })
})

async function ask(): Promise<void> {
  telegram.customerSays(bot.token, chat, 'Do you deliver?')
  await telegram.waitFor(() => telegram.isQuiet(), 'the webhook')
  await world.pipeline.settle()
}

function setFrozen(isFrozen: boolean) {
  return setConnection({ is_frozen: isFrozen })
}

function setConnection(values: Updateable<ChannelConnectionsTable>) {
  return test.database.root.updateTable('channel_connections').set(values).where('id', '=', bot.connectionId).execute()
}

/** The database, with the purposes of its transactions recorded. */
function watched(database: Database): Database {
  return {
    ...database,
    async system(purpose, run, options) {
      purposes.push(purpose)
      const value = await database.system(purpose, run, options)
      if (purpose !== unseenPurpose) return value
      unseenPurpose = null
      throw new CommitUnknownError('The connection was lost during a commit.')
    },
    async organization(id, run, options) {
      transactions++
      if (late && !options?.readOnly) {
        await expect.poll(() => purposes, SOON).toContain('pipeline: record sends')
        await late()
        late = null
      }
      if (unseen === 'late answer' && options?.statements) {
        unseen = null
        late = () => database.organization(id, run, options)
        throw new CommitUnknownError('The connection was lost during a commit.')
      }
      const value = await database.organization(id, run, options)
      const written = options?.statements ? 'answer' : 'message'
      if (options?.readOnly || unseen !== written) return value
      unseen = null
      throw new CommitUnknownError('The connection was lost during a commit.')
    },
  }
}
