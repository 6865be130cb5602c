// `npm run simulate`: SEEDS seeds (10,000) on PostgreSQL, in one process for each core, each with a server of its own, so that none waits
// for another's locks; both stay on that core, where one wakes the other at a fraction of the cost. `SEED=123` replays one, PLAYS times (10): in the order of events that was recorded when it
// failed, and without a record as it comes. FIRST_SEED=… begins elsewhere than at 1; `today` begins at another seed every day.
import { type ForkOptions, fork } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startPostgres } from '#tests/postgres.ts'
import { openDatabasePool } from './database-pool.ts'
import { fileOf, keep, readOrder, tell } from './failing-seed.ts'
import type { FailingSeed } from './judge.ts'
import { playSeeds, replaySeed } from './play.ts'

const SEEDS = Number(process.env.SEEDS ?? 10_000)
const PLAYS = Number(process.env.PLAYS ?? 10)
const PROCESSES = os.availableParallelism()
/** Present on every Linux; elsewhere processes are not pinned. */
const TASKSET = '/usr/bin/taskset'
/** Objects that live for one turn of a conversation are dead before the next collection. */
const GARBAGE_OPTIONS = ['--max-semi-space-size=64']
/** Automatic statistics would make every statement be planned again; the tables are analysed at set times (play.ts). */
const SETTINGS = ['autovacuum=off']
const REPORT_EVERY = 1000
const DAY_MS = 24 * 3_600_000
/** Keeps the seeds of successive days apart. */
const FIRST =
  process.env.FIRST_SEED === 'today' ? Math.floor(Date.now() / DAY_MS) * SEEDS : Number(process.env.FIRST_SEED ?? 1)
/** Exit codes are one byte. */
const MAX_EXIT_CODE = 100

const part = process.argv.find((argument) => argument.startsWith('--part='))?.slice('--part='.length)
const seed = Number(process.env.SEED)
if (part !== undefined) await withServer(() => playPart(part))
else if (seed) await withServer(() => replay(seed))
else process.exitCode = (await playAll()) > 0 ? 1 : 0

/** `run` returns the number of failing seeds, which is also the exit code. */
async function withServer(run: () => Promise<number>): Promise<void> {
  const server = await startPostgres({ settings: SETTINGS })
  process.env.TEST_DATABASE_URL = server.socketUrl
  try {
    process.exitCode = Math.min(await run(), MAX_EXIT_CODE)
  } finally {
    await server.stop()
  }
}

async function playAll(): Promise<number> {
  const started = Date.now()
  const counts = await Promise.all(Array.from({ length: PROCESSES }, (_, index) => playElsewhere(index)))
  const guilty = counts.reduce((sum, count) => sum + count, 0)
  console.log(
    `${SEEDS} seeds from ${FIRST} on played in ${Math.round((Date.now() - started) / 1000)} s, ${guilty} guilty`,
  )
  return guilty
}

/** Plays one part in a process of its own, whose exit code is its number of failing seeds; a crash counts as one. */
function playElsewhere(index: number): Promise<number> {
  return new Promise((resolve) => {
    fork(import.meta.filename, [`--part=${index}/${PROCESSES}`], onCore(index)).on('exit', (code) => resolve(code ?? 1))
  })
}

function onCore(index: number): ForkOptions {
  const execArgv = [...process.execArgv, ...GARBAGE_OPTIONS]
  const core = ownCores()[index]
  if (core === undefined || !fs.existsSync(TASKSET)) return { execArgv }
  return { execPath: TASKSET, execArgv: ['--cpu-list', String(core), process.execPath, ...execArgv] }
}

/** Numbers of the cores that this process may run on; empty where the system does not report them. */
function ownCores(): number[] {
  const status = '/proc/self/status'
  const allowed = fs.existsSync(status)
    ? /^Cpus_allowed_list:\s*(\S+)$/m.exec(fs.readFileSync(status, 'utf8'))?.[1]
    : ''
  return (allowed ?? '')
    .split(',')
    .filter(Boolean)
    .flatMap((range) => {
      const [first = 0, last = first] = range.split('-').map(Number)
      return Array.from({ length: last - first + 1 }, (_, at) => first + at)
    })
}

/** @param part such as `0/2` */
async function playPart(part: string): Promise<number> {
  const [index, parts = 1] = part.split('/').map(Number)
  const seeds = Array.from({ length: SEEDS }, (_, at) => FIRST + at).filter((each) => each % parts === index)
  const test = await openDatabasePool()
  let played = 0
  const onPlayed = (found: FailingSeed | null) => {
    if (found) report(found)
    if (++played % REPORT_EVERY === 0) console.log(`${played} of ${seeds.length}`)
  }
  const guilty = await playSeeds(test.database, seeds, onPlayed)
  await test.close()
  if (played < seeds.length) throw new Error(`only ${played} of ${seeds.length} seeds were played`)
  return guilty.length
}

function report(guilty: FailingSeed): void {
  keep(guilty)
  const kept = path.relative(process.cwd(), fileOf(guilty.seed))
  console.log(`\n${tell(guilty)}\nkept in ${kept}; to play it again: SEED=${guilty.seed} npm run simulate\n`)
}

async function replay(again: number): Promise<number> {
  const record = readOrder(again)
  console.log(`seed ${again}, ${record ? `in its order of ${record.length} events` : 'as it comes'}`)
  const test = await openDatabasePool()
  const replays = await replaySeed(test.database, { seed: again, record, plays: PLAYS })
  await test.close()
  for (const { guilty, missed } of replays) {
    const verdict = guilty?.complaints.join('; ') ?? 'all promises hold'
    console.log(record ? `${verdict} (${missed} events out of order)` : verdict)
  }
  const count = replays.filter(({ guilty }) => guilty !== null).length
  console.log(`guilty ${count} times of ${replays.length}`)
  return count
}
