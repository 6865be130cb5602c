// One run of the tests that vitest knows, and of the files that failed in it a second one, alone.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** `flaky`: what passed at the second try only, with what failed first. */
export type Result = { passed: number; failed: number; skipped: number; failures: string[]; flaky?: string[] }
export type VitestRun = { name: string; options?: string[]; files?: string[]; env?: Record<string, string> }

type TestReport = { testResults: TestFile[] }
type TestFile = { name: string; status: string; message: string; assertionResults: TestCase[] }
type TestCase = { fullName: string; status: string; failureMessages: string[] }
type Attempt = { code: number; files: TestFile[] }

/** Where reports of this run are left. */
export const reports = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-test-'))

/** With more files than these, it is not the machine that failed. */
const SECOND_TRIES_MAX = 3

/**
 * A machine that is shared may stand still for longer than a test waits, as stories are granted in playwright.config.ts: a few files that
 * failed run once more, and whoever passes only then is named, with what failed first.
 */
export async function vitest({ name, options = [], files = [], env = {} }: VitestRun): Promise<Result> {
  const first = await attempt(name, [...options, ...files], env)
  if (!first) return { passed: 0, failed: 1, skipped: 0, failures: ['vitest left no report'] }
  const broken = first.files.filter(failed)
  if (broken.length === 0 || broken.length > SECOND_TRIES_MAX) return count(first)
  console.log(`\n── ${name}: ${broken.length} failed, and run once more`)
  const second = await attempt(`${name}-again`, [...options, ...broken.map(pathOf)], env)
  if (!second) return count(first)
  const sound = first.files.filter((file) => !failed(file))
  const stillBroken = second.files.filter(failed).map(pathOf)
  const flaky = broken.filter((file) => !stillBroken.includes(pathOf(file))).flatMap(listFailures)
  return { ...count({ code: second.code, files: [...sound, ...second.files] }), flaky }
}

async function attempt(name: string, args: string[], env: Record<string, string>): Promise<Attempt | undefined> {
  const report = path.join(reports, `${name}.json`)
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`]
  const code = await execute('vitest', ['run', ...reporters, ...args], env)
  const read = readReport(report) as TestReport | undefined
  return read && { code, files: read.testResults }
}

function failed(file: TestFile): boolean {
  return file.status === 'failed' || file.assertionResults.some(({ status }) => status === 'failed')
}

function count({ code, files }: Attempt): Result {
  const tests = files.flatMap(({ assertionResults }) => assertionResults)
  const having = (...wanted: string[]) => tests.filter(({ status }) => wanted.includes(status)).length
  const failures = files.flatMap(listFailures)
  const counts = { passed: having('passed'), skipped: having('skipped', 'pending', 'todo'), failures }
  // A run can fail outside any test, for example by an unhandled rejection.
  if (code !== 0 && failures.length === 0)
    return { ...counts, failed: 1, failures: ['something outside the tests, printed above'] }
  return { ...counts, failed: failures.length }
}

/** What failed in a file, with the beginning of its reason: a reader of the last lines need not search the whole output. */
function listFailures(file: TestFile): string[] {
  const broken = file.assertionResults.filter((test) => test.status === 'failed')
  if (broken.length === 0) return file.status === 'failed' ? [`${pathOf(file)}: ${shorten(file.message)}`] : []
  return broken.map((test) => `${pathOf(file)} › ${test.fullName}: ${shorten(test.failureMessages.join('\n'))}`)
}

function pathOf(file: TestFile): string {
  return path.relative(process.cwd(), file.name)
}

/** The first lines of a reason, without colours. */
function shorten(reason: string): string {
  return stripVTControlCharacters(reason).split('\n').slice(0, 12).join('\n    ')
}

/** The exit code of a program of the project, whose output is shown. */
export function execute(command: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((done) => {
    const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...env } })
    child.on('error', () => done(127))
    child.on('exit', (code) => done(code ?? 1))
  })
}

export function readReport(file: string): unknown {
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : undefined
}
