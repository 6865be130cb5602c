// Commits that skip the dispatcher: the committer itself handles all work that they enqueue. If any other work is due, they signal it.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { recordAndBegin } from '#server/domain/messaging/outbox/deliver.store.ts'
import { requestTurns } from '#server/domain/messaging/turns/turn-requests.store.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { type Bot, echo, PipelineWorld } from '#tests/pipeline-world.ts'

let test: TestDatabase
let telegram: FakeTelegram
let world: PipelineWorld
let bot: Bot
let chat = 7000

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
beforeEach(async () => {
  world.model = echo
  bot = await world.addBot()
  chat++
})

/** Signals of the commits that belong to one answer: those of the clock come at any time, and always signal. */
async function quietCommits(run: () => Promise<unknown>): Promise<number> {
  let count = 0
  const stop = test.database.onCommit(({ skipsDispatch }) => {
    if (skipsDispatch) count += 1
  })
  await run()
  await world.pipeline.settle()
  stop()
  return count
}

const says = (text: string) => telegram.customerSays(bot.token, chat, text)

async function answered(text: string): Promise<void> {
  says(text)
  await telegram.waitForSent(chat)
}

it('a message, its answer and its sending enqueue no other work', async () => {
  expect(await quietCommits(() => answered('hello'))).toBe(3)
})

it('a message whose turn waits for the customer to finish enqueues later work', async () => {
  await world.setSettings(bot, { buffer: { seconds: 1 } })
  // The claim of the turn signals; answer and sending do not.
  expect(await quietCommits(() => answered('hello'))).toBe(2)
})

it('an answer behind which another turn waits signals it', async () => {
  world.model = async () => {
    const { id, organizationId } = await world.conversation(chat)
    await test.database.organization(organizationId, (db) => requestTurns({ db, organizationId }, [id]))
    world.model = echo
    return 'Hello.'
  }
  expect(await quietCommits(() => answered('hello'))).toBe(2)
  expect((await world.turns(chat)).map(({ status }) => status)).toEqual(['done', 'done'])
})

it('an answer with a typing delay is due after the delay', async () => {
  await world.setSettings(bot, { replies: { splitByParagraphs: true, pace: 'human' } })
  world.model = () => 'First.\n\nSecond.'
  const run = async () => {
    says('hello')
    await telegram.waitFor(() => telegram.sentTo(chat).length === 2, 'both parts')
  }
  // The message, the start of each send, and the outcome of the last one do not signal. The answer and the outcome of the first part do.
  expect(await quietCommits(run)).toBe(4)
})

it('a send signals whether another part is queued behind it', async () => {
  await answered('hello')
  await world.pipeline.settle()
  const [part] = await world.parts(chat)
  if (!part) throw new Error('there is no part')
  const end = { status: 'sent' as const, externalMessageId: null, error: null, mayHaveArrived: false, delayMs: 0 }
  const outcome = { ...end, id: part.id, isPaced: false, hasReceipts: false, logged: null }
  const record = async (isQueued: boolean) => {
    await test.database.system('test: as it is being sent', async (db) => {
      await db.updateTable('outbox').set({ status: 'sending' }).where('id', '=', part.id).execute()
      const { organization_id, connection_id, conversation_id, external_chat_id, message_id } = part
      const behind = { organization_id, connection_id, conversation_id, external_chat_id, message_id }
      const later = { not_before: new Date(Date.now() + 3_600_000), status: 'queued' as const }
      if (isQueued)
        await db
          .insertInto('outbox')
          .values({ ...behind, ...later, id: newId('outbox'), part: 1, text: 'behind' })
          .execute()
    })
    const recorded = await test.database.system('test: record', (db) => recordAndBegin({ db }, 1, [outcome], []), {
      isolation: 'read committed',
    })
    return recorded.hasNext
  }
  expect(await record(false)).toBe(false)
  expect(await record(true)).toBe(true)
  await test.database.system('test: nothing is left', (db) =>
    db.updateTable('outbox').set({ status: 'failed' }).where('status', '=', 'queued').execute(),
  )
})
