// The flag of voice messages in the pipeline: off is neither fetched nor paid for, an exception wins, another server obeys at once, and no answer
// costs a query for it.
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { setFlag, setOverride } from '#server/domain/flags/flags.store.ts'
import { createMedia } from '#server/integrations/media/create.ts'
import type { Database } from '#server/platform/db/database.ts'
import { createDiskStore } from '#server/platform/files/disk-store.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeSpeech, SPEECH_KEY, startFakeSpeech } from '#tests/fakes/speech.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { type Bot, PipelineWorld } from '#tests/pipeline-world.ts'

const OGG = new TextEncoder().encode('OggS a recording')
const VOICE = { voice: { file_id: '$file', duration: 60, mime_type: 'audio/ogg' } }
let test: TestDatabase
let telegram: FakeTelegram
let speech: FakeSpeech
let world: PipelineWorld
let bot: Bot
let folder: string
let chat = 7000
/** Statements of the server's transactions that read flags. */
let reading: string[] = []

beforeAll(async () => {
  test = await openTestDatabase()
  telegram = await startFakeTelegram()
  speech = await startFakeSpeech()
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'parley-voice-flag-'))
  world = new PipelineWorld(watched(test.database), telegram)
  const openai = { apiKey: SPEECH_KEY, baseUrl: speech.url }
  const none = { apiKey: undefined, baseUrl: undefined }
  const media = createMedia({ openai, groq: none, deepgram: none, elevenlabs: none, anthropic: none, google: none })
  Object.assign(world.services, { media, files: await createDiskStore(folder) })
  await world.start()
  bot = await world.addBot()
})
afterAll(async () => {
  await world.stop()
  await Promise.all([telegram.close(), speech.close()])
  await test.close()
  await fs.rm(folder, { recursive: true })
})
beforeEach(() => {
  chat++
  reading = []
})

/** As another server does it, on connections of its own. */
const setVoice = (isEnabled: boolean) =>
  test.database.system('test: flag', (db) =>
    setFlag({ db }, { key: 'voice', isEnabled, description: undefined, now: new Date() }),
  )
const except = (isEnabled: boolean | null) =>
  test.database.system('test: exception', (db) =>
    setOverride({ db }, { key: 'voice', organizationId: bot.organizationId, isEnabled, now: new Date() }),
  )

async function answerTo(content: Record<string, unknown>, bytes?: Uint8Array): Promise<string> {
  telegram.customerSends(bot.token, chat, content, bytes)
  const [answer] = await telegram.waitForSent(chat)
  await world.pipeline.settle()
  return answer?.text ?? ''
}

it('off: a recording is neither fetched nor transcribed, and the customer is answered', async () => {
  await setVoice(false)
  expect(await answerTo(VOICE, OGG)).toContain('[Voice message: you cannot open it.')
  expect([telegram.downloads, speech.calls]).toEqual([[], 0])
})

it('an exception of the organization wins, and on is on', async () => {
  await except(true)
  expect(await answerTo(VOICE, OGG)).toBe('You said: [Voice message] hello')
  await setVoice(true)
  await except(false)
  chat++
  expect(await answerTo(VOICE, OGG)).toContain('[Voice message: you cannot open it.')
  await except(null)
  chat++
  expect(await answerTo(VOICE, OGG)).toBe('You said: [Voice message] hello')
})

it('an answer costs no query for it: flags are read by the statement that reads the turn', async () => {
  expect(await answerTo({ text: 'Hello' })).toBe('You said: Hello')
  expect(reading.length).toBeGreaterThan(0)
  expect(reading.filter((statement) => !statement.includes('conversation_summaries'))).toEqual([])
})

function watched(database: Database): Database {
  return new Proxy(database, {
    get(target, name) {
      if (name !== 'organization') return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name)
      const organization: Database['organization'] = (id, run, options) =>
        target.organization(id, (db) => run(db.withPlugin(recorder)), options)
      return organization
    },
  })
}

const recorder: Parameters<Parameters<Parameters<Database['organization']>[1]>[0]['withPlugin']>[0] = {
  transformQuery({ node }) {
    const statement = JSON.stringify(node)
    if (/\bflags\b|flag_overrides/.test(statement.replaceAll('as flags', ''))) reading.push(statement)
    return node
  },
  transformResult: async ({ result }) => result,
}
