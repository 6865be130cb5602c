// `npm test`: everything CI runs, in order: check, tests, simulated conversations, stories in a browser. Ends with what failed, what it cost,
// and the line "N passed, N failed". `npm test -- knowledge` runs the tests and stories whose path holds that word;
// `--only=check,tests,simulation,e2e` runs a part, `--quick` the tests that need no database; `--record` keeps the durations of files.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { execute } from '#tests/run/execute.ts'
import { printLedger, recordDurations, type StageCost } from '#tests/run/ledger.ts'
import { childrenSeconds } from '#tests/run/processor-time.ts'
import { testsWithoutDatabase } from '#tests/run/quick-tests.ts'
import { toleratedSecondTries } from '#tests/run/second-tries.ts'
import { filesRun, type Result, shorten, vitest } from '#tests/run/vitest-run.ts'
import { startYardstick } from '#tests/run/yardstick.ts'

type Outcome = Result & StageCost
type Stage = { name: string; run: () => Promise<Result> }

/** Seeds of simulated conversations; the first of them moves with the date. */
const SIMULATION = { SEEDS: '1000', FIRST_SEED: 'today' }

const options = process.argv.slice(2)
const words = options.filter((option) => !option.startsWith('--'))
const only = options.find((option) => option.startsWith('--only='))?.slice('--only='.length)
const stages: Stage[] = [
  { name: 'check', run: check },
  { name: 'tests', run: () => vitest({ files: words.length > 0 ? [...words, '--passWithNoTests'] : [] }) },
  { name: 'simulation', run: simulate },
  { name: 'e2e', run: playwright },
]

const outcomes: Outcome[] = []
for (const stage of wantedStages()) {
  console.log(`\n── ${stage.name} ${'─'.repeat(Math.max(0, 70 - stage.name.length))}`)
  const started = Date.now()
  const used = childrenSeconds()
  const stopYardstick = startYardstick()
  const result = await stage.run()
  const pieceMs = stopYardstick()
  const cpuSeconds = used === null ? null : (childrenSeconds() ?? 0) - used
  outcomes.push({
    name: stage.name,
    ...result,
    seconds: Math.round((Date.now() - started) / 1000),
    cpuSeconds,
    pieceMs,
  })
}
summarize(outcomes)

function wantedStages(): Stage[] {
  if (options.includes('--quick')) return [{ name: 'quick', run: () => vitest({ files: testsWithoutDatabase() }) }]
  const names = only?.split(',') ?? (words.length > 0 ? ['tests', 'e2e'] : stages.map(({ name }) => name))
  return stages.filter(({ name }) => names.includes(name))
}

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

/** Counts as one test. */
async function simulate(): Promise<Result> {
  const code = await execute('node', ['tests/simulation/simulate.ts'], SIMULATION)
  return code === 0
    ? { passed: 1, failed: 0, skipped: 0, failures: [] }
    : { passed: 0, failed: 1, skipped: 0, failures: ['its guilty seeds are printed above'] }
}

async function playwright(): Promise<Result> {
  const report = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'parley-e2e-report-')), 'e2e.json')
  const args = ['test', '--reporter=line,json', ...(words.length > 0 ? [...words, '--pass-with-no-tests'] : [])]
  const code = await execute('playwright', args, { PLAYWRIGHT_JSON_OUTPUT_NAME: report })
  if (!fs.existsSync(report)) return { passed: 0, failed: 1, skipped: 0, failures: ['playwright left no report'] }
  const result = JSON.parse(fs.readFileSync(report, 'utf8')) as Suite & { stats: StoryStats; errors?: Reason[] }
  const flaky = listStories(result, 'flaky')
  const tolerated = toleratedSecondTries(new Date())
  const refused = flaky.filter((title) => !tolerated.some((test) => title.startsWith(test)))
  const failures = [
    ...listStories(result, 'unexpected'),
    ...refused.map((title) => `needed a second try: ${title}`),
    ...(result.errors ?? []).map(({ message }) => `outside of stories: ${message}`),
  ]
  if (code !== 0 && failures.length === 0) failures.push('something outside of stories, printed above')
  const { expected, skipped } = result.stats
  return { passed: expected + flaky.length - refused.length, failed: failures.length, skipped, failures, flaky }
}

type Reason = { message?: string }
type StoryStats = { expected: number; unexpected: number; flaky: number; skipped: number }
type StoryStatus = 'flaky' | 'unexpected'
type Story = { status: string; results: { error?: Reason }[] }
type Suite = { suites?: Suite[]; specs?: { title: string; file?: string; tests: Story[] }[] }

/** Files and titles of the stories with that end, with the beginning of what went wrong first. */
function listStories({ suites = [], specs = [] }: Suite, wanted: StoryStatus): string[] {
  const own = specs.flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === wanted)
      .map(({ results }) => {
        const reason = results.find(({ error }) => error)?.error?.message ?? ''
        return `tests/e2e/${file} › ${title}: ${shorten(reason)}`
      }),
  )
  return [...own, ...suites.flatMap((suite) => listStories(suite, wanted))]
}

function summarize(all: Outcome[]): void {
  const sum = (key: 'passed' | 'failed' | 'skipped') => all.reduce((total, outcome) => total + outcome[key], 0)
  recordDurations(filesRun, options.includes('--record'))
  const overspent = printLedger(all)
  console.log()
  for (const { name, flaky = [] } of all)
    for (const each of flaky) console.log(`${name} at the second try only, look for the reason: ${each}`)
  for (const { name, failures } of all) for (const failure of failures) console.log(`${name} FAILED: ${failure}`)
  for (const line of overspent) console.log(`BUDGET: ${line}`)
  for (const { name, passed, failed, seconds } of all)
    console.log(`${name.padEnd(10)} ${passed} passed, ${failed} failed in ${seconds} s`)
  const skipped = sum('skipped')
  const failed = sum('failed') + overspent.length
  console.log(`${sum('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  process.exitCode = failed > 0 || sum('passed') === 0 ? 1 : 0
}
