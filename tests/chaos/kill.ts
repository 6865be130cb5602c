// Servers killed, stopped or frozen under load, or the embedded PostgreSQL killed under one: one server on the embedded database, or two on
// one PostgreSQL, with a messenger and the model outside as judges.
// Run: node tests/chaos/kill.ts [times] [embedded|postgres] [kill|stop|freeze|kill-postgres]
//   [--answerMs=150, of Telegram: how long it takes to answer a send] [--channel=telegram|whatsapp] [--delivery=webhook|polling] [--faults=all|lostAnswers,lostReceipts,refusals,disorder,poison]
// messengers.ts lists the faults; none by default. Figures are against fakes, not against Telegram.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createDatabase } from '#tests/database.ts'
import { startPostgres } from '#tests/postgres.ts'
import { type CustomerMessages, write } from './customers.ts'
import { countHarm, type Harm, judge } from './judge.ts'
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
import { type Spread, spreadOf } from './spread.ts'
import { type Kept, openWorld, type World } from './world.ts'

/** Interval of messages over all customers: WhatsApp delivers its notifications one at a time. */
const PACE_MS = { telegram: 25, whatsapp: 50 }
const POISONS = 200
/** Sends that one server has under way at most. */
const SENDS_AT_ONCE = 16
const QUIET_MS = 3000
const QUIET_LIMIT_MS = 240_000
/** Longer than a lease: another server has taken over the work of a killed one by then, on a busy machine too. */
const STALL_MS = 180_000
/** Longer than a lease, and shorter than `STALL_MS`. */
const FREEZE_MS = 35_000

/** Database engine that a strike needs, where it does not work on both. */
const ONLY_ON: Partial<Record<Strike, string[]>> = { freeze: ['postgres'], 'kill-postgres': ['embedded'] }
/** Every nth kill of PostgreSQL hits a process that serves a connection, the others hit the postmaster. */
const BACKEND_EVERY = 3
/** Strikes that may end a process, or outlast its lease, while a send is under way. */
const ENDS_MID_SEND = new Set<Strike>(['kill', 'freeze'])

/**
 * `kill`: SIGKILL of a server. `stop`: SIGTERM, after which nothing may be unknown. `freeze`: SIGSTOP for longer than a lease; the other
 * server takes over, and the frozen one resumes with work that it no longer owns. `kill-postgres`: SIGKILL of a process of the
 * embedded PostgreSQL while its server lives on, after which nothing may be unknown either.
 */
export type Strike = 'kill' | 'stop' | 'freeze' | 'kill-postgres'
/** `databaseUrl`: as of `openWorld`. By default customers write over Telegram, which delivers, and there are no faults. */
export type TrialOptions = {
  strike: Strike
  times: number
  databaseUrl?: string | undefined
  channel?: Channel
  delivery?: Delivery
  faults?: readonly Fault[]
  /** Notifications of unknown shape when `poison` is among the faults; 200 by default. */
  poisons?: number
  /** How long Telegram takes to answer a send, in ms; by default as fast as it can. */
  answerMs?: number
}
export type Trial = Required<Omit<TrialOptions, 'databaseUrl' | 'poisons' | 'answerMs'>> &
  Pick<TrialOptions, 'poisons' | 'answerMs'>

export type KillReport = Harm & {
  kills: number
  messages: number
  answers: number
  /** Sends of unknown outcome; those among them whose answer the fake withheld. */
  unknown: number
  unanswered: number
  /** Sent after an earlier attempt that did not arrive. */
  retried: number
  quarantined: number
  complaints: string[]
}
/** `nextStartMs`: until a server is ready after each strike, or PostgreSQL answers after a strike on it. */
export type TrialReport = KillReport & { nextStartMs: Spread }

/** Lets customers write while servers are struck, and judges the outcome. */
export async function runTrial({ databaseUrl, ...given }: TrialOptions): Promise<TrialReport> {
  const trial: Trial = { channel: 'telegram', delivery: 'webhook', faults: [], poisons: POISONS, ...given }
  const { channel, delivery, faults, poisons, answerMs = 0 } = trial
  const open = (origins: () => string[]): Promise<Messenger> =>
    (channel === 'telegram' ? telegramMessenger : whatsappMessenger)({ delivery, faults, origins, answerMs })
  const world = await openWorld({ databaseUrl, delivery }, open)
  try {
    const pace = { faults, delivery, paceMs: PACE_MS[channel], ...(poisons !== undefined && { poisons }) }
    const starts: number[] = []
    const customerMessages = await write(world.messenger, strikeAll(world, trial, starts), pace)
    const report = await settle(world, customerMessages, trial)
    const failures = world.servers.flatMap(({ failedRequests }) => failedRequests.map((line) => `in the log: ${line}`))
    const complaints = [...report.complaints, ...failures, ...(await findRemains(world))]
    return { ...report, complaints, nextStartMs: spreadOf(starts) }
  } finally {
    await world.close()
  }
}

/** Strikes one server after another. */
async function strikeAll(world: World, { strike, times }: Trial, starts: number[]): Promise<void> {
  for (let time = 0; time < times; time++) {
    await sleep(300 + Math.random() * 900)
    const victim = world.servers[time % world.servers.length] as ServerProcess
    if (strike === 'freeze') await freeze(world, victim)
    else if (strike === 'kill-postgres') starts.push(await killPostgres(world, victim, time))
    else starts.push(await restart(world, victim, strike))
  }
}

async function freeze({ servers }: World, victim: ServerProcess): Promise<void> {
  if (servers.length === 1) throw new Error('Only one of two servers can be frozen.')
  victim.freeze()
  await sleep(FREEZE_MS)
  victim.thaw()
}

async function restart({ embedded }: World, victim: ServerProcess, strike: 'kill' | 'stop'): Promise<number> {
  embedded?.note()
  if (strike === 'kill') await victim.kill()
  else if ((await victim.stop()) !== 0) throw new Error('The server did not stop in time.')
  return victim.start()
}

async function killPostgres({ embedded }: World, server: ServerProcess, time: number): Promise<number> {
  if (!embedded) throw new Error('Only the PostgreSQL that a server runs itself can be killed.')
  const isBackend = time % BACKEND_EVERY === 1
  const tookMs = await (isBackend ? embedded.killBackend() : embedded.killPostmaster())
  if (server.hasEnded) throw new Error(`the server has ended with its database:\n${server.lastWords}`)
  return tookMs
}

/** Nothing of the embedded PostgreSQL is left after a clean stop, nor soon after a kill of its server. */
async function findRemains({ embedded, servers: [server] }: World): Promise<string[]> {
  if (!embedded || !server) return []
  const afterStop = await embedded.remains()
  await server.start()
  embedded.note()
  await server.kill()
  const afterKill = await embedded.remains()
  return [
    ...afterStop.map((each) => `left by a clean stop: ${each}`),
    ...afterKill.map((each) => `left by a kill: ${each}`),
  ]
}

/** What is judged: servers, the contents of their database, and what the messenger has seen. */
export type Judged = Pick<World, 'servers' | 'evidence'> & {
  messenger: Pick<Messenger, 'isTaken' | 'waitFor' | 'sent' | 'passageOf' | 'takenPoisons' | 'refusals'>
}

/** Judges once the servers are idle. While complaints remain they may go on, as long as they make progress. */
export async function settle(world: Judged, customerMessages: CustomerMessages, trial: Trial): Promise<KillReport> {
  const { messenger, servers } = world
  for (let sent = -1, movedAt = Date.now(); ; ) {
    await waitForQuiet(messenger, customerMessages)
    await Promise.all(servers.map((server) => server.stop()))
    const found = report(messenger, customerMessages, trial, await world.evidence())
    const count = messenger.sent().length
    if (count !== sent) movedAt = Date.now()
    if (found.complaints.length === 0 || Date.now() - movedAt > STALL_MS) return found
    sent = count
    await Promise.all(servers.map((server) => server.start()))
  }
}

/** Waits until everything is acknowledged and nothing has been sent for a while. */
async function waitForQuiet(messenger: Judged['messenger'], customerMessages: CustomerMessages): Promise<void> {
  const messages = [...customerMessages.values()]
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

function report(
  messenger: Judged['messenger'],
  customerMessages: CustomerMessages,
  { strike, times, channel, faults }: Trial,
  kept: Kept,
): KillReport {
  const sent = messenger.sent()
  const unanswered = sent.filter(({ isUnanswered }) => isUnanswered).length
  const passages = [...customerMessages].flatMap(([token, message]) => {
    const passage = messenger.passageOf(message)
    const chatId = chatIdOf(channel, Number(token.slice(1).split('n')[0]))
    return passage ? [{ token, chatId, ...passage }] : []
  })
  const complaints = judge({
    ...kept,
    acknowledged: [...customerMessages].filter(([, message]) => messenger.isTaken(message)).map(([text]) => text),
    sent,
    passages,
    isOrdered: !faults.includes('disorder'),
    poisons: messenger.takenPoisons(),
    refusals: messenger.refusals,
    unknownAllowed: (ENDS_MID_SEND.has(strike) ? times * SENDS_AT_ONCE : 0) + unanswered,
  })
  return {
    ...countHarm(complaints),
    kills: times,
    messages: customerMessages.size,
    answers: sent.length,
    unknown: kept.parts.filter((part) => part.status === 'unknown').length,
    unanswered,
    retried: kept.parts.filter((part) => part.status === 'sent' && part.attempt > 1).length,
    quarantined: kept.quarantined,
    complaints,
  }
}

if (import.meta.main) {
  const text = { type: 'string' } as const
  const options = { channel: text, delivery: text, faults: text, answerMs: text }
  const { positionals, values } = parseArgs({ options, allowPositionals: true })
  const [count = '50', only, strike = 'kill'] = positionals
  const { channel = 'telegram', delivery = 'webhook', faults = '', answerMs = '0' } = values
  const trial = {
    ...{ strike: strike as Strike, times: Number(count), channel: channel as Channel, delivery: delivery as Delivery },
    answerMs: Number(answerMs),
    faults: faults === 'all' ? FAULTS : FAULTS.filter((fault) => faults.split(',').includes(fault)),
  }
  const engines = only ? [only] : (ONLY_ON[trial.strike] ?? ['embedded', 'postgres'])
  for (const engine of engines) {
    const postgres = engine === 'postgres' ? await startPostgres() : undefined
    const fresh = postgres && (await createDatabase(postgres.url))
    const { complaints, ...figures } = await runTrial({ ...trial, databaseUrl: fresh?.url })
    if (complaints.length > 0) process.exitCode = 1
    for (const complaint of complaints) console.log(complaint)
    const name = [
      engine,
      strike,
      channel,
      delivery,
      ...trial.faults,
      ...(trial.answerMs > 0 ? [`${answerMs} ms`] : []),
    ].join(' ')
    const verdict = complaints.length === 0 ? 'all promises hold' : `${complaints.length} complaints`
    console.log(`${name}: ${verdict} ${JSON.stringify(figures)}`) // one line: the deep run shows the last
    await fresh?.drop()
    await postgres?.stop()
  }
  process.exit()
}
