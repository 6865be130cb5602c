// Servers killed, stopped or frozen under load: one on the embedded database, or two on one PostgreSQL, with a messenger and the model
// outside as judges. Run: node tests/chaos/kill.ts [times] [embedded|postgres] [kill|stop|freeze]
//   [--channel=telegram|whatsapp] [--delivery=webhook|polling] [--faults=all|lostAnswers,lostReceipts,refusals,disorder,poison]
// What the faults are stands in messengers.ts; without the word there are none. Figures are against fakes, not against Telegram.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createDatabase } from '#tests/database.ts'
import { startPostgres } from '#tests/postgres.ts'
import { type Said, write } from './customers.ts'
import { judge } from './judge.ts'
import {
  type Channel,
  chatIdOf,
  type Delivery,
  FAULTS,
  type Fault,
  type Messenger,
  telegramMessenger,
  whatsappMessenger,
} from './messengers.ts'
import type { ServerProcess } from './servers.ts'
import { type Kept, openWorld, type World } from './world.ts'

/** Between two messages of all customers together: the real ones of WhatsApp come one after another. */
const PACE_MS = { telegram: 25, whatsapp: 50 }
const POISONS = 200
/** Sends that one server has under way at most. */
const SENDS_AT_ONCE = 16
const QUIET_MS = 3000
const QUIET_LIMIT_MS = 240_000
/** Longer than a lease: what a killed server had in hand is taken over by then, on a busy machine too. */
const STALL_MS = 180_000
/** Longer than a lease, and shorter than `STALL_MS`. */
const FREEZE_MS = 35_000

/**
 * What befalls a server. `kill`: SIGKILL. `stop`: SIGTERM, after which nothing may be unknown. `freeze`: SIGSTOP for longer than a lease;
 * the other server takes over, and it wakes up with work in hand that is not its own any more.
 */
export type Blow = 'kill' | 'stop' | 'freeze'
/** `databaseUrl`: as of `openWorld`. By default customers write over Telegram, which delivers, and nothing else is amiss. */
export type Ordeal = {
  blow: Blow
  times: number
  databaseUrl?: string | undefined
  channel?: Channel
  delivery?: Delivery
  faults?: readonly Fault[]
  /** Notifications that nobody understands, where `poison` is among the faults: by default 200. */
  poisons?: number
}
export type Trial = Required<Omit<Ordeal, 'databaseUrl' | 'poisons'>> & { poisons?: number }

export type KillReport = {
  kills: number
  said: number
  answers: number
  /** Sends whose outcome nobody knows; those among them whose answer the provider has lost. */
  unknown: number
  unanswered: number
  /** Sent after an attempt that did not arrive. */
  retried: number
  quarantined: number
  complaints: string[]
}

/** Lets customers write while servers are killed, stopped or frozen, and judges. */
export async function runOrdeal({ databaseUrl, ...given }: Ordeal): Promise<KillReport> {
  const trial: Trial = { channel: 'telegram', delivery: 'webhook', faults: [], poisons: POISONS, ...given }
  const { channel, delivery, faults, poisons } = trial
  const open = (origins: () => string[]): Promise<Messenger> =>
    (channel === 'telegram' ? telegramMessenger : whatsappMessenger)({ delivery, faults, origins })
  const world = await openWorld({ databaseUrl, delivery }, open)
  try {
    const pace = { faults, delivery, poisons, paceMs: PACE_MS[channel] }
    const said = await write(world.messenger, strikeAll(world, trial), pace)
    return await settle(world, said, trial)
  } finally {
    await world.close()
  }
}

/** One server after another is struck. */
async function strikeAll({ servers }: World, { blow, times }: Trial): Promise<void> {
  for (let time = 0; time < times; time++) {
    await sleep(300 + Math.random() * 900)
    await strike(servers, servers[time % servers.length] as ServerProcess, blow)
  }
}

async function strike(servers: ServerProcess[], victim: ServerProcess, blow: Blow): Promise<void> {
  if (blow === 'freeze') {
    if (servers.length === 1) throw new Error('Only one of two servers can be frozen.')
    victim.freeze()
    await sleep(FREEZE_MS)
    victim.thaw()
    return
  }
  if (blow === 'kill') await victim.kill()
  else if ((await victim.stop()) !== 0) throw new Error('The server did not stop in time.')
  await victim.start()
}

/** Judges once the servers have come to rest. While something is amiss they may go on, as long as they do get further. */
export async function settle(world: World, said: Said, trial: Trial): Promise<KillReport> {
  const { messenger, servers } = world
  for (let sent = -1, movedAt = Date.now(); ; ) {
    await waitForQuiet(messenger, said)
    await Promise.all(servers.map((server) => server.stop()))
    const found = report(messenger, said, trial, await world.evidence())
    const count = messenger.sent().length
    if (count !== sent) movedAt = Date.now()
    if (found.complaints.length === 0 || Date.now() - movedAt > STALL_MS) return found
    sent = count
    await Promise.all(servers.map((server) => server.start()))
  }
}

/** Everything is taken, and nothing has been sent for a while. */
async function waitForQuiet(messenger: Messenger, said: Said): Promise<void> {
  const messages = [...said.values()]
  await messenger.waitFor(
    () => messages.every((message) => messenger.isTaken(message)),
    'all notifications to be taken',
    QUIET_LIMIT_MS,
  )
  for (let count = -1; count !== messenger.sent().length; ) {
    count = messenger.sent().length
    await sleep(QUIET_MS)
  }
}

function report(messenger: Messenger, said: Said, { blow, times, channel, faults }: Trial, kept: Kept): KillReport {
  const sent = messenger.sent()
  const unanswered = sent.filter(({ isUnanswered }) => isUnanswered).length
  const passages = [...said].flatMap(([token, message]) => {
    const passage = messenger.passageOf(message)
    const chatId = chatIdOf(channel, Number(token.slice(1).split('n')[0]))
    return passage ? [{ token, chatId, ...passage }] : []
  })
  return {
    kills: times,
    said: said.size,
    answers: sent.length,
    unknown: kept.parts.filter((part) => part.status === 'unknown').length,
    unanswered,
    retried: kept.parts.filter((part) => part.status === 'sent' && part.attempt > 1).length,
    quarantined: kept.quarantined,
    complaints: judge({
      ...kept,
      acknowledged: [...said].filter(([, message]) => messenger.isTaken(message)).map(([text]) => text),
      sent,
      passages,
      isOrdered: !faults.includes('disorder'),
      poisons: messenger.takenPoisons(),
      // Whoever is frozen holds the rows of the chats that it was writing: what is said there meanwhile is put off, and comes again.
      refusals: blow === 'freeze' ? [] : messenger.refusals,
      unknownAllowed: (blow === 'stop' ? 0 : times * SENDS_AT_ONCE) + unanswered,
    }),
  }
}

if (import.meta.main) {
  const text = { type: 'string' } as const
  const options = { channel: text, delivery: text, faults: text }
  const { positionals, values } = parseArgs({ options, allowPositionals: true })
  const [count = '50', only, blow = 'kill'] = positionals
  const { channel = 'telegram', delivery = 'webhook', faults = '' } = values
  const trial = {
    ...{ blow: blow as Blow, times: Number(count), channel: channel as Channel, delivery: delivery as Delivery },
    faults: faults === 'all' ? FAULTS : FAULTS.filter((fault) => faults.split(',').includes(fault)),
  }
  const engines = only ? [only] : blow === 'freeze' ? ['postgres'] : ['embedded', 'postgres']
  for (const engine of engines) {
    const postgres = engine === 'postgres' ? await startPostgres() : undefined
    const fresh = postgres && (await createDatabase(postgres.url))
    const { complaints, ...figures } = await runOrdeal({ ...trial, databaseUrl: fresh?.url })
    const name = [engine, blow, channel, delivery, ...trial.faults].join(' ')
    console.log(name, figures, complaints.length === 0 ? 'all promises hold' : complaints)
    if (complaints.length > 0) process.exitCode = 1
    await fresh?.drop()
    await postgres?.stop()
  }
  process.exit()
}
