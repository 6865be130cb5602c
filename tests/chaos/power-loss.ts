// Power cuts while customers write to a server on the embedded database. All its processes are stopped at one moment, the data folder is
// copied, and another server opens the copy: what was acknowledged by then is present and answered once. A copy is opened as it is
// (`kept`: all writes have reached the disk) and with losses that fsync allows: `lost`, no write to tables since the last
// checkpoint has reached it, nor any of the log beyond what was flushed; `torn`, each sector of a table has reached it or not, at random.
// Not simulated: lost directory entries and file sizes, and disks that lie about a flush.
// Run: node tests/chaos/power-loss.ts [cuts]
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { type CustomerMessages, write } from './customers.ts'
import type { Passage } from './deliveries.ts'
import { copyFolder, loseUnsynced, readCheckpoint, tearSectors } from './disk-images.ts'
import { type KillReport, settle } from './kill.ts'
import { type Arrived, telegramMessenger } from './messengers.ts'
import { ServerProcess } from './servers.ts'
import { type Spread, spreadOf } from './spread.ts'
import { evidenceIn, openWorld, type World } from './world.ts'

const PACE_MS = 25
/** Cuts between two checkpoints: later ones have more to lose. */
const CUTS_A_CHECKPOINT = 5
const LOOK_MS = 5

type TelegramWorld = World<Awaited<ReturnType<typeof telegramMessenger>>>
/** One moment: the data folder, and what the world outside had seen by then. */
type Cut = {
  folder: string
  /** Image of the same checkpoint, taken right after it: the state to which tables can fall back. */
  baseline: string
  /** Where the flushed part of the write-ahead log ends, as `0/16B3748`. */
  flushedTo: string
  acknowledged: CustomerMessages
  passages: Map<object, Passage>
  sent: Arrived[]
}
type Loss = 'kept' | 'lost' | 'torn'

export type PowerLossReport = Pick<KillReport, 'lost' | 'doubled' | 'answeredTwice' | 'unknown' | 'complaints'> & {
  cuts: number
  /** How often copies were opened with which loss. */
  opened: Record<Loss, number>
  /** Messages that were acknowledged by the last cut, and summed over all cuts. */
  acknowledged: { last: number; all: number }
  openMs: Spread
}

/** Cuts the power so many times, and judges what is left. */
export async function runPowerLoss(times: number): Promise<PowerLossReport> {
  const images = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-power-'))
  const world = await openWorld({ delivery: 'webhook' }, (origins) =>
    telegramMessenger({ delivery: 'webhook', faults: [], origins }),
  )
  try {
    const cuts = await writeUnderCuts(world, images, times)
    for (const server of world.servers) await server.stop()
    return await openAll(world, cuts)
  } finally {
    await world.close()
    fs.rmSync(images, { recursive: true, force: true })
  }
}

async function writeUnderCuts(world: TelegramWorld, images: string, times: number): Promise<Cut[]> {
  const cuts: Cut[] = []
  const customerMessages: CustomerMessages = new Map()
  const messenger = {
    ...world.messenger,
    say(chat: number, text: string) {
      const message = world.messenger.say(chat, text)
      customerMessages.set(text, message)
      return message
    },
  }
  const cutAll = async () => {
    let baseline = ''
    for (let time = 0; time < times; time++) {
      await sleep(300 + Math.random() * 900)
      if (time % CUTS_A_CHECKPOINT === 0) {
        await world.embedded?.query('checkpoint')
        baseline = (await cut(world, path.join(images, `baseline-${time}`), customerMessages)).folder
        await sleep(300 + Math.random() * 900)
      }
      cuts.push({ ...(await cut(world, path.join(images, `cut-${time}`), customerMessages)), baseline })
    }
  }
  await write(messenger, cutAll(), { faults: [], delivery: 'webhook', paceMs: PACE_MS })
  return cuts
}

/** The server is stopped first: all that it has acknowledged or sent by then was flushed before the position that is read next. */
async function cut({ embedded, servers, env, messenger }: World, folder: string, customerMessages: CustomerMessages) {
  const [server] = servers
  if (!embedded || !server) throw new Error('Power is cut for a server on the embedded database.')
  server.freeze()
  while (!server.isStandingStill) await sleep(LOOK_MS)
  const [flushed] = await embedded.query<{ position: string }>('select pg_current_wal_flush_lsn()::text as position')
  const thaw = await embedded.freeze()
  await copyFolder(env.DATA_DIR, folder) // what the server had sent by then arrives here meanwhile
  const acknowledged: CustomerMessages = new Map(
    [...customerMessages].filter(([, message]) => messenger.isTaken(message)),
  )
  const passages = [...acknowledged.values()].flatMap((message) => {
    const passage = messenger.passageOf(message)
    return passage ? [[message, { ...passage }] as const] : []
  })
  const moment = { folder, flushedTo: flushed?.position ?? '', acknowledged, passages: new Map(passages) }
  const sent = [...messenger.sent()]
  thaw()
  server.thaw()
  return { ...moment, sent }
}

async function openAll(world: TelegramWorld, cuts: Cut[]): Promise<PowerLossReport> {
  const opened: Record<Loss, number> = { kept: 0, lost: 0, torn: 0 }
  const openMs: number[] = []
  const reports: KillReport[] = []
  for (const [index, each] of cuts.entries()) {
    const losses: Loss[] = hasSameCheckpoint(each) ? ['kept', index % 2 === 0 ? 'lost' : 'torn'] : ['kept']
    for (const loss of losses) {
      const image = await imageOf(each, loss)
      const report = await judgeImage(world, each, image)
      opened[loss]++
      openMs.push(report.openMs)
      reports.push({
        ...report,
        complaints: report.complaints.map((complaint) => `cut ${index} ${loss}: ${complaint}`),
      })
      fs.rmSync(image, { recursive: true })
    }
  }
  const sum = (of: (report: KillReport) => number) => reports.reduce((total, report) => total + of(report), 0)
  const acknowledged = cuts.map((each) => each.acknowledged.size)
  return {
    cuts: cuts.length,
    opened,
    lost: sum(({ lost }) => lost),
    doubled: sum(({ doubled }) => doubled),
    answeredTwice: sum(({ answeredTwice }) => answeredTwice),
    unknown: sum(({ unknown }) => unknown),
    acknowledged: { last: acknowledged.at(-1) ?? 0, all: acknowledged.reduce((total, each) => total + each, 0) },
    openMs: spreadOf(openMs),
    complaints: reports.flatMap(({ complaints }) => complaints),
  }
}

const hasSameCheckpoint = ({ folder, baseline }: Cut) => readCheckpoint(folder) === readCheckpoint(baseline)

async function imageOf({ folder, baseline, flushedTo }: Cut, loss: Loss): Promise<string> {
  const image = `${folder}-${loss}`
  await copyFolder(folder, image)
  if (loss === 'lost') loseUnsynced({ image, baseline, flushedTo })
  if (loss === 'torn') tearSectors({ image, baseline })
  return image
}

/** Opens an image with a server and customers' phones of its own. */
async function judgeImage(world: TelegramWorld, each: Cut, image: string): Promise<KillReport & { openMs: number }> {
  const phones = await startFakeTelegram()
  const { token, telegram } = world.messenger
  phones.addBot(token).knownChats = new Set(telegram.bot(token).knownChats)
  const server = await ServerProcess.create({ ...world.env, DATA_DIR: image, TELEGRAM_API_ROOT: phones.url })
  try {
    const openMs = await server.start()
    const messenger = {
      isTaken: () => true,
      waitFor: phones.waitFor.bind(phones),
      sent: () => [...each.sent, ...phones.sent],
      passageOf: (message: object) => each.passages.get(message),
      takenPoisons: () => 0,
      refusals: [],
    }
    const evidence = () => evidenceIn({ databaseUrl: undefined, dataDir: image })
    const trial = { strike: 'kill', times: 1, channel: 'telegram', delivery: 'webhook', faults: [] } as const
    const report = await settle({ messenger, servers: [server], evidence }, each.acknowledged, trial)
    return { ...report, openMs }
  } finally {
    await server.kill()
    await phones.close()
  }
}

if (import.meta.main) {
  const { complaints, ...figures } = await runPowerLoss(Number(process.argv[2] ?? 20))
  if (complaints.length > 0) process.exitCode = 1
  for (const complaint of complaints) console.log(complaint)
  const verdict = complaints.length === 0 ? 'all promises hold' : `${complaints.length} complaints`
  console.log(`power loss: ${verdict} ${JSON.stringify(figures)}`)
  process.exit()
}
