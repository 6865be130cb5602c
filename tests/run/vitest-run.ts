// One run of the tests that vitest knows, and a second one of the files that failed in it.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { execute } from './execute.ts'
import type { FileReport, RunReport } from './run-reporter.ts'
import { toleratedSecondTries } from './second-tries.ts'

/** `flaky`: what passed at the second try only, with what failed first. */
export type Result = { passed: number; failed: number; skipped: number; failures: string[]; flaky?: string[] }
export type VitestRun = { options?: string[]; files?: string[] }
type Attempt = RunReport & { code: number; order: string[] }

/** With more failed files than these, a busy machine is not the reason. */
const SECOND_TRIES_MAX = 3
/** As many files as ran before it in its process are run again before a file that failed: what they left behind may be the reason. */
const NEIGHBOURS = 3

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-test-'))

/** What the last run reported of each file, for the ledger. */
export const filesRun: FileReport[] = []

/**
 * Runs tests. A shared machine may stand still for longer than a test waits, so a few files that failed run once more, after the files that
 * ran before them. A test that needed it is a failure all the same unless tests/second-tries.json names it, and so is an error outside of
 * tests in either run.
 */
export async function vitest({ options = [], files = [] }: VitestRun): Promise<Result> {
  const first = await attempt('first', [...options, ...files])
  if (!first) return failure('vitest left no report')
  filesRun.push(...first.files)
  const broken = first.files.filter(hasFailed)
  if (broken.length === 0 || broken.length > SECOND_TRIES_MAX) return count(first)
  console.log(`\n── ${broken.length} failed, and run once more`)
  const repeated = withNeighbours(broken, first)
  const second = await attempt('second', [...options, ...repeated], repeated)
  return second ? judge(first, second, toleratedSecondTries(new Date())) : count(first)
}

/** What two runs together come to. `tolerated`: beginnings of the lines of tests that may need the second. */
export function judge(first: RunReport, second: RunReport & { code?: number }, tolerated: string[]): Result {
  const broken = first.files.filter(hasFailed)
  const still = new Set(second.files.filter(hasFailed).map(({ path }) => path))
  const flaky = broken.filter(({ path }) => !still.has(path)).flatMap(listFailures)
  const sound = first.files.filter((file) => !hasFailed(file))
  const names = new Set(broken.map(({ path }) => path))
  const again = second.files.filter((file) => names.has(file.path) || hasFailed(file))
  const errors = [...first.errors, ...second.errors]
  const result = count({ files: [...sound, ...again], errors, code: second.code ?? 0 })
  const refused = flaky.filter((each) => !tolerated.some((name) => each.startsWith(name)))
  const failures = [...result.failures, ...refused.map((each) => `needed a second try: ${each}`)]
  return { ...result, failed: result.failed + refused.length, failures, flaky }
}

/** Files of a second run in the order of the first: each that failed, and before it those that ran before it in the same process. */
function withNeighbours(broken: FileReport[], { order }: Attempt): string[] {
  const workers = new Map<string, string[]>()
  for (const line of order) {
    const [worker = '', file = ''] = line.split('\t')
    workers.set(worker, [...(workers.get(worker) ?? []), file])
  }
  const wanted = broken.flatMap(({ path }) => {
    const files = [...workers.values()].find((each) => each.includes(path)) ?? [path]
    const at = files.indexOf(path)
    return files.slice(Math.max(0, at - NEIGHBOURS), at + 1)
  })
  return [...new Set(wanted)]
}

/** `order`: of the files, one after another in one process; by default as the sequencer has it. */
async function attempt(name: string, args: string[], order?: string[]): Promise<Attempt | undefined> {
  const report = path.join(folder, `${name}.json`)
  const log = path.join(folder, `${name}.order`)
  const alone = order ? ['--maxWorkers=1', '--no-file-parallelism'] : []
  const env = { RUN_REPORT: report, ORDER_LOG: log, ...(order && { TEST_ORDER: order.join(',') }) }
  const reporters = ['--reporter=dot', '--reporter=./tests/run/run-reporter.ts']
  const code = await execute('vitest', ['run', ...reporters, ...alone, ...args], env)
  if (!fs.existsSync(report)) return undefined
  const begun = fs.existsSync(log) ? fs.readFileSync(log, 'utf8').trim().split('\n') : []
  return { ...(JSON.parse(fs.readFileSync(report, 'utf8')) as RunReport), code, order: begun }
}

function hasFailed({ errors, tests }: FileReport): boolean {
  return errors.length > 0 || tests.some(({ state }) => state === 'failed')
}

function count({ files, errors, code }: RunReport & { code: number }): Result {
  const tests = files.flatMap((file) => file.tests)
  const having = (...states: string[]) => tests.filter(({ state }) => states.includes(state)).length
  const outside = errors.map((error) => `outside of tests: ${shorten(error)}`)
  const failures = [...files.flatMap(listFailures), ...outside]
  if (failures.length === 0 && code !== 0) failures.push('vitest failed without a failed test, see above')
  return { passed: having('passed'), skipped: having('skipped', 'pending'), failed: failures.length, failures }
}

function failure(reason: string): Result {
  return { passed: 0, failed: 1, skipped: 0, failures: [reason] }
}

/** What failed in a file, with the beginning of its reason: the last lines are enough to begin with. */
function listFailures({ path, errors, tests }: FileReport): string[] {
  const failed = tests.filter(({ state }) => state === 'failed')
  const inTests = failed.map(({ name, errors }) => `${path} › ${name}: ${shorten(errors.join('\n'))}`)
  return [...errors.map((error) => `${path}: ${shorten(error)}`), ...inTests]
}

/** The first lines of a reason, without colours. */
export function shorten(reason: string): string {
  return stripVTControlCharacters(reason).split('\n').slice(0, 24).join('\n    ')
}
