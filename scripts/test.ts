// `npm test`: everything CI runs, in order: check, build, tests on the embedded database, the database's share of them again on
// PostgreSQL, simulated conversations, stories in a browser. Ends with what failed, and the line "N passed, N failed".
// `--only=check,node,postgres,simulation,e2e` runs a part.
import path from 'node:path'
import { startPostgres } from '#tests/postgres.ts'
import { execute, type Result, readReport, reports, vitest } from './test-run.ts'

type Outcome = Result & { name: string; seconds: number }
type Stage = { name: string; run: () => Promise<Result> }

/** Tests that a different engine can make fail. */
const DATABASE_TESTS = [
  'server/db',
  'server/features',
  'server/jobs',
  'server/retrieval',
  'tests/integration',
  'tests/chaos',
]
/** Simulated conversations, and for how long they are played: a slow machine has time for fewer, and says so. */
const SIMULATION = { SEEDS: '10000', SECONDS_MOST: '300' }
const stages: Stage[] = [
  { name: 'check', run: check },
  { name: 'node', run: () => vitest({ name: 'node' }) },
  { name: 'postgres', run: onPostgres },
  { name: 'simulation', run: simulate },
  { name: 'e2e', run: playwright },
]

const only = process.argv
  .find((argument) => argument.startsWith('--only='))
  ?.slice('--only='.length)
  .split(',')
const outcomes: Outcome[] = []
for (const stage of stages.filter(({ name }) => !only || only.includes(name))) {
  console.log(`\n── ${stage.name} ${'─'.repeat(Math.max(0, 70 - stage.name.length))}`)
  const started = Date.now()
  outcomes.push({ name: stage.name, ...(await stage.run()), seconds: Math.round((Date.now() - started) / 1000) })
}
summarize(outcomes)

/** Types, lint and format, unused code, bundle build and sizes: each counts as one test. */
async function check(): Promise<Result> {
  const commands = [
    ['tsc', '-p', '.'],
    ['biome', 'ci', '--diagnostic-level=error', '.'],
    ['knip', '--no-config-hints'],
    ['vite', 'build', '--logLevel=warn'],
    ['vite', 'build', '--logLevel=warn', '--config', 'widget/vite.config.ts'],
    ['size-limit'],
  ]
  const failures: string[] = []
  for (const [command = '', ...args] of commands) {
    const code = await execute(command, args)
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${command}`)
    if (code !== 0) failures.push([command, ...args].join(' '))
  }
  return { passed: commands.length - failures.length, failed: failures.length, skipped: 0, failures }
}

async function onPostgres(): Promise<Result> {
  const server = await startPostgres()
  try {
    const env = { TEST_DATABASE_URL: server.url }
    return await vitest({ name: 'postgres', options: ['--project', 'node'], files: DATABASE_TESTS, env })
  } finally {
    await server.stop()
  }
}

/** Counts as one test. */
async function simulate(): Promise<Result> {
  const code = await execute('node', ['tests/simulation/simulate.ts'], SIMULATION)
  return code === 0
    ? { passed: 1, failed: 0, skipped: 0, failures: [] }
    : { passed: 0, failed: 1, skipped: 0, failures: ['its guilty seeds are printed above'] }
}

async function playwright(): Promise<Result> {
  const report = path.join(reports, 'e2e.json')
  const code = await execute('playwright', ['test', '--reporter=line,json'], { PLAYWRIGHT_JSON_OUTPUT_NAME: report })
  const result = readReport(report) as (Suite & { stats: StoryStats }) | undefined
  if (!result) return { passed: 0, failed: 1, skipped: 0, failures: ['playwright left no report'] }
  const isBroken = code !== 0 && result.stats.unexpected === 0
  return {
    passed: result.stats.expected + result.stats.flaky,
    failed: isBroken ? 1 : result.stats.unexpected,
    skipped: result.stats.skipped,
    failures: isBroken ? ['something outside the stories, printed above'] : listStories(result, 'unexpected'),
    flaky: listStories(result, 'flaky'),
  }
}

type StoryStats = { expected: number; unexpected: number; flaky: number; skipped: number }
type StoryStatus = 'flaky' | 'unexpected'
type Suite = { suites?: Suite[]; specs?: { title: string; tests: { status: string }[] }[] }

/** Titles of the stories with that end. */
function listStories({ suites = [], specs = [] }: Suite, wanted: StoryStatus): string[] {
  const own = specs.filter(({ tests }) => tests.some(({ status }) => status === wanted)).map(({ title }) => title)
  return [...own, ...suites.flatMap((suite) => listStories(suite, wanted))]
}

function summarize(all: Outcome[]): void {
  const sum = (key: 'passed' | 'failed' | 'skipped') => all.reduce((total, outcome) => total + outcome[key], 0)
  console.log()
  for (const { name, flaky = [] } of all)
    for (const each of flaky) console.log(`${name} at the second try only, look for the reason: ${each}`)
  for (const { name, failures } of all) for (const failure of failures) console.log(`${name} FAILED: ${failure}`)
  for (const { name, passed, failed, seconds } of all)
    console.log(`${name.padEnd(10)} ${passed} passed, ${failed} failed in ${seconds} s`)
  const skipped = sum('skipped')
  console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  process.exitCode = sum('failed') > 0 || sum('passed') === 0 ? 1 : 0
}
