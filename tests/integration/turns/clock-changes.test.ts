// A server whose clock jumps while it runs, back and forth: the database's clock decides, and customers notice nothing.
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import * as conversations from '#server/domain/messaging/inbox/conversations.functions.ts'
import { setFailure } from '#server/platform/lib/failpoints.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { type Bot, echo, PipelineWorld } from '#tests/pipeline-world.ts'

let test: TestDatabase
let telegram: FakeTelegram
let world: PipelineWorld
let bot: Bot
let chat = 7000
let ticking: NodeJS.Timeout | undefined

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
afterEach(() => {
  clearInterval(ticking) // otherwise the clock of every later test is wrong
  vi.useRealTimers()
  vi.restoreAllMocks()
  setFailure(undefined)
})

function setClock(byMinutes: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + byMinutes * 60_000 })
  // It continues from there.
  clearInterval(ticking)
  ticking = setInterval(() => vi.setSystemTime(Date.now() + 5), 5)
}

const says = (text: string) => telegram.customerSays(bot.token, chat, text)

describe.each([-10, 10])('%i minutes', (minutes) => {
  it('customers are answered at once', async () => {
    says('Hello')
    await telegram.waitForSent(chat)
    setClock(minutes)
    says('And now?')
    await telegram.waitForSent(chat, 2)
  })

  it('a pause ends when it is over by the clock of the database, and not before', async () => {
    says('Hello')
    await telegram.waitForSent(chat)
    setClock(minutes)
    const { id: conversationId } = await world.conversation(chat)
    await world.call(bot.organizationId, conversations.pause, { conversationId, resumeAfterMs: 5 * 60_000 })
    says('Are you there?')
    await telegram.waitFor(() => telegram.isTaken(bot.token), 'the message to be taken')
    await world.pipeline.settle()
    expect(telegram.sentTo(chat)).toHaveLength(1)
    const { rows } = await sql<{ left: number }>`
      select extract(epoch from resume_at - now())::float8 as left from conversations where id = ${conversationId}`.execute(
      test.database.root,
    )
    expect(rows[0]?.left).toBeGreaterThan(4 * 60)
    expect(rows[0]?.left).toBeLessThanOrEqual(5 * 60)
    await sql`update conversations set resume_at = now() where id = ${conversationId}`.execute(test.database.root)
    await telegram.waitForSent(chat, 2)
  })
})

it('a server that froze before sending a part leaves it to its new owner when it resumes', async () => {
  const now = performance.now.bind(performance)
  let stoodStillMs = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now() + stoodStillMs)
  const freeze = vi.spyOn(process, 'kill').mockImplementation(() => {
    stoodStillMs += 31_000
    return true
  })
  setFailure({ failure: 'freeze', at: 'part-sending', pass: 1 })
  says('Hello')
  await telegram.waitForSent(chat)
  await world.pipeline.settle()
  expect(freeze).toHaveBeenCalledOnce()
  expect(telegram.sentTo(chat)).toHaveLength(1)
  expect(await world.parts(chat)).toMatchObject([{ status: 'sent', attempt: 2 }]) // nothing was sent at the first try
})
