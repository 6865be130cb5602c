// What becomes of replies and sends when the database goes away while they are made: nothing waits for a lease, nothing counts as an
// accident of the turn, and only what may have left a server has an unknown outcome.
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import { openDatabase } from '#server/platform/db/engine/open.ts'
import { createMigratedDatabase } from '#tests/database.ts'
import { type DatabaseProxy, startDatabaseProxy } from '#tests/fakes/database-proxy.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { type Bot, echo, PipelineWorld } from '#tests/pipeline-world.ts'

/** Of one server after another, more than a turn and its answer have. */
const COMMITS = 6

describe('when the database goes away', () => {
  let drop: () => Promise<void>
  let proxy: DatabaseProxy
  let databases: Database[] = []
  let telegram: FakeTelegram
  let worlds: PipelineWorld[] = []
  let world: PipelineWorld
  let bot: Bot
  let chat = 9000
  beforeAll(async () => {
    const fresh = await createMigratedDatabase()
    drop = fresh.drop
    proxy = await startDatabaseProxy(fresh.url)
    const open = () => openDatabase({ databaseUrl: proxy.url, dataDir: '' }, pino({ level: 'silent' }))
    databases = [await open(), await open()]
    telegram = await startFakeTelegram()
    worlds = databases.map((database) => new PipelineWorld(database, telegram))
    for (const each of worlds) await each.start()
    world = worlds[0] as PipelineWorld
    bot = await world.addBot()
  })
  afterAll(async () => {
    for (const each of worlds) await each.stop()
    for (const database of databases) await database.close()
    await telegram.close()
    await proxy.close()
    await drop()
  })
  beforeEach(() => {
    chat += 100
  })
  afterEach(() => {
    proxy.away = false
    proxy.commitsToHide = 0
    for (const each of worlds) each.model = echo
  })

  const answered = (chats: number[]) => chats.map((each) => telegram.sentTo(each).length)
  const soundly = async (each: number) => {
    const [turns, parts] = [await world.turns(each), await world.parts(each)]
    expect(turns.map(({ status, outcome, crashes }) => [status, outcome, Number(crashes)])).toEqual([
      ['done', 'replied', 0],
    ])
    expect(parts.map(({ status }) => status)).toEqual(['sent'])
  }

  it.each(Array.from({ length: COMMITS }, (_, index) => index))(
    'and the answer to commit %i is lost, every question is answered once',
    async (first) => {
      const chats = [chat, chat + 1, chat + 2]
      for (const each of chats) telegram.customerSays(bot.token, each, 'Do you deliver?')
      await sleep(first * 3)
      proxy.commitsToHide = 2
      await expect.poll(() => answered(chats), { timeout: 25_000 }).toEqual([1, 1, 1])
      proxy.commitsToHide = 0
      await world.pipeline.settle()
      for (const each of chats) await soundly(each)
    },
  )

  it('while answers are made, they are given when it is back', async () => {
    const chats = [chat, chat + 1, chat + 2]
    const asked = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    let requests = 0
    for (const each of worlds)
      each.model = async (request) => {
        if (++requests === chats.length) asked.resolve()
        await goOn.promise
        return echo(request)
      }
    for (const each of chats) telegram.customerSays(bot.token, each, 'Do you deliver?')
    await asked.promise
    proxy.away = true
    goOn.resolve()
    await sleep(6000) // longer than a transaction waits by itself
    proxy.away = false
    await expect.poll(() => answered(chats), { timeout: 25_000 }).toEqual([1, 1, 1])
    await world.pipeline.settle()
    for (const each of chats) await soundly(each)
  })

  it('again and again, nothing is taken for the work of a dead server', async () => {
    const chats = Array.from({ length: 12 }, (_, index) => chat + index)
    for (const each of chats) {
      telegram.customerSays(bot.token, each, 'Do you deliver?')
      await sleep(50)
      proxy.cut()
    }
    await expect.poll(() => answered(chats), { timeout: 25_000 }).toEqual(chats.map(() => 1))
    await world.pipeline.settle()
    for (const each of chats) {
      const turns = await world.turns(each)
      expect(turns.map(({ crashes }) => Number(crashes))).toEqual([0])
    }
  })
})
