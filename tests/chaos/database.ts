// Two servers under load whose database goes away repeatedly, judged by a messenger outside: connections are terminated,
// PostgreSQL is restarted, and a proxy cuts and corrupts every tenth connection. No server may exit; no message may be lost, doubled or unanswered.
// Run: node tests/chaos/database.ts [--terminations=100] [--restarts=30] [--spoilt=60]
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { createDatabase } from '#tests/database.ts'
import { type Befalls, type DatabaseProxy, startDatabaseProxy } from '#tests/fakes/database-proxy.ts'
import { type RestartablePostgres, startOwnPostgres } from '#tests/postgres.ts'
import { type CustomerMessages, write } from './customers.ts'
import { tokensOf } from './judge.ts'
import { type KillReport, settle } from './kill.ts'
import { type Messenger, telegramMessenger } from './messengers.ts'
import { type Spread, spreadOf } from './spread.ts'
import { openWorld, type World } from './world.ts'

/** About thirteen messages a second. */
const PACE_MS = 75
/** Time for the first replies to arrive before the first fault. */
const CALM_MS = 1500
const BETWEEN_MS = { least: 400, most: 1600 }
const LOOK_MS = 10
/** Longest wait for an answer before the trial gives up. */
const RETURN_LIMIT_MS = 60_000
/** Share of connections, in each round of the proxy, so that new ones are opened. */
const CUT_SHARE = 0.3
const FAULT_EVERY = 10
const FATES: Befalls[] = ['cut', 'spoilt', 'fatal']

/** How many faults of each kind to inject. */
export type Trial = { terminations: number; restarts: number; spoilt: number }

export type OutageReport = KillReport & {
  /** Connections that the proxy has cut or corrupted. */
  befallen: number
  /** Milliseconds from the return of the database to the next answer on a phone. */
  untilAnswer: Spread
  /** Milliseconds from a message being stored to its answer on a phone. */
  untilReplied: Spread
}

/** Lets customers write while the database goes away, and judges the outcome. */
export async function runOutages(postgres: RestartablePostgres, trial: Trial): Promise<OutageReport> {
  const fresh = await createDatabase(postgres.url)
  const proxy = await startDatabaseProxy(fresh.url)
  const faults = [] as const
  const open = (origins: () => string[]) => telegramMessenger({ delivery: 'webhook', faults, origins })
  const world = await openWorld({ databaseUrl: proxy.url, delivery: 'webhook' }, open)
  const arrivals = watchArrivals(world.messenger)
  try {
    const strikes = strikeAll({ world, proxy, postgres, database: fresh.url }, trial)
    const customerMessages = await write(world.messenger, strikes.done, {
      faults,
      delivery: 'webhook',
      paceMs: PACE_MS,
    })
    proxy.befalls = () => 'nothing'
    const times = trial.terminations + trial.restarts + trial.spoilt
    // As after clean stops: no process exits while it sends, so no send may have an unknown outcome.
    const found = await settle(world, customerMessages, {
      strike: 'stop',
      times,
      channel: 'telegram',
      delivery: 'webhook',
      faults,
    })
    return {
      ...found,
      befallen: proxy.befallen,
      untilAnswer: spreadOf(strikes.returns),
      untilReplied: spreadOf(delays(world.messenger, customerMessages, arrivals.times)),
    }
  } finally {
    arrivals.stop()
    await world.close()
    await proxy.close()
    await fresh.drop()
  }
}

type Place = { world: World; proxy: DatabaseProxy; postgres: RestartablePostgres; database: string }

/** `returns`: milliseconds until the next answer, one for each time the database came back. */
function strikeAll(
  place: Place,
  { terminations, restarts, spoilt }: Trial,
): { done: Promise<void>; returns: number[] } {
  const returns: number[] = []
  const strikeOnce = async (strike: () => Promise<void>) => {
    await sleep(randomInt(BETWEEN_MS.least, BETWEEN_MS.most))
    await strike()
    returns.push(await untilAnswered(place.world))
    for (const server of place.world.servers)
      if (server.hasEnded) throw new Error(`a server has ended:\n${server.lastWords}`)
  }
  const all = async () => {
    await sleep(CALM_MS)
    for (let time = 0; time < terminations; time++) await strikeOnce(() => terminate(place.database))
    for (let time = 0; time < restarts; time++)
      await strikeOnce(() => place.postgres.restart(time % 2 === 0 ? 'fast' : 'immediate'))
    let connections = 0
    if (spoilt > 0)
      place.proxy.befalls = () => {
        const isTenth = connections++ % FAULT_EVERY === 0
        return isTenth ? (FATES[randomInt(FATES.length)] as Befalls) : 'nothing'
      }
    for (let time = 0; time < spoilt; time++) await strikeOnce(async () => place.proxy.cut(CUT_SHARE))
  }
  return { done: all(), returns }
}

/** Every connection to the database. */
async function terminate(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await client.end()
}

async function untilAnswered({ messenger }: World): Promise<number> {
  const begunAt = performance.now()
  const before = messenger.sent().length
  while (messenger.sent().length === before) {
    const tookMs = performance.now() - begunAt
    if (tookMs > RETURN_LIMIT_MS) throw new Error('nothing is answered any more')
    await sleep(LOOK_MS)
  }
  return performance.now() - begunAt
}

/** When each message was answered, by its text. */
function watchArrivals(messenger: Messenger): { times: Map<string, number>; stop(): void } {
  const times = new Map<string, number>()
  let seen = 0
  const timer = setInterval(() => {
    const sent = messenger.sent()
    for (const { text } of sent.slice(seen)) for (const token of tokensOf(text)) times.set(token, performance.now())
    seen = sent.length
  }, LOOK_MS)
  return { times, stop: () => clearInterval(timer) }
}

function delays(messenger: Messenger, customerMessages: CustomerMessages, arrivedAt: Map<string, number>): number[] {
  return [...customerMessages].flatMap(([token, message]) => {
    const takenAt = messenger.passageOf(message)?.takenAt
    const at = arrivedAt.get(token)
    return takenAt && at ? [Math.max(0, at - takenAt)] : []
  })
}

if (import.meta.main) {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { terminations: text, restarts: text, spoilt: text } })
  const { terminations = '100', restarts = '30', spoilt = '60' } = values
  const nothing: Trial = { terminations: 0, restarts: 0, spoilt: 0 }
  const trials: Trial[] = [
    { ...nothing, terminations: Number(terminations) },
    { ...nothing, restarts: Number(restarts) },
    { ...nothing, spoilt: Number(spoilt) },
  ]
  for (const trial of trials.filter((each) => Object.values(each).some((times) => times > 0))) {
    const postgres = await startOwnPostgres({ isDurable: true })
    const { complaints, ...figures } = await runOutages(postgres, trial)
    console.log(trial, figures, complaints.length === 0 ? 'all promises hold' : complaints)
    if (complaints.length > 0) process.exitCode = 1
    await postgres.stop()
  }
  process.exit()
}
