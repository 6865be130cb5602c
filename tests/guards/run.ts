// Switches the guards of guards.ts off, one at a time and in a copy of the project, and expects the tests named for each to fail.
// `--only=word,word` takes the guards whose name holds one of the words. Ends with a table of all, and what was not noticed.
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { RunReport } from '#tests/run/run-reporter.ts'
import { GUARDS, type Guard } from './guards.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** `caughtBy`: the first test that failed; null: none has. */
type Judgement = { guard: Guard; isCaught: boolean; caughtBy: string | null; reason: string }

const only = process.argv
  .find((option) => option.startsWith('--only='))
  ?.slice('--only='.length)
  .split(',')
const guards = GUARDS.filter(({ name }) => !only || only.some((word) => name.includes(word)))
const copy = copyProject()
try {
  const sound = runTests([...new Set(guards.flatMap(({ tests }) => tests))], { mayStop: false })
  if (sound.failed.length > 0 || !sound.hasRun) {
    console.log(`The tests fail with every guard on:\n${sound.failed.join('\n')}`)
    process.exitCode = 1
  } else report(guards.map(judge))
} finally {
  fs.rmSync(copy, { recursive: true, force: true })
}

/** The files as they are now, without what git ignores, with the pages built; the packages are those of the project itself. */
function copyProject(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-guards-'))
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
  for (const file of list.toString().split('\0').filter(Boolean)) {
    const source = path.join(ROOT, file)
    if (fs.existsSync(source)) fs.cpSync(source, path.join(folder, file))
  }
  fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  execFileSync(process.execPath, ['scripts/build-if-stale.ts'], { cwd: folder, stdio: 'inherit' })
  return folder
}

function judge(guard: Guard): Judgement {
  const file = path.join(copy, guard.file)
  const before = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''
  const found = before.split(guard.text).length - 1
  if (found !== 1) return noted({ guard, isCaught: false, caughtBy: null, reason: `its text stands ${found} times` })
  fs.writeFileSync(file, before.split(guard.text).join(guard.off))
  try {
    const { failed, broken, hasRun } = runTests(guard.tests, { mayStop: true })
    const [caughtBy = null] = failed
    // A file that cannot be loaded says nothing about the guard.
    const reason = !hasRun || broken ? 'the tests could not be run' : caughtBy ? '' : 'no test fails'
    return noted({ guard, isCaught: reason === '', caughtBy, reason })
  } finally {
    fs.writeFileSync(file, before)
  }
}

function noted(judgement: Judgement): Judgement {
  const { guard, isCaught, reason } = judgement
  console.log(`${isCaught ? 'caught    ' : 'NOT CAUGHT'} ${guard.name}${reason && `: ${reason}`}`)
  return judgement
}

type Run = { hasRun: boolean; failed: string[]; broken: boolean }

/** Runs test files in the copy. `mayStop`: with the first failure. */
function runTests(files: string[], { mayStop }: { mayStop: boolean }): Run {
  const missing = files.filter((file) => !fs.existsSync(path.join(copy, file)))
  if (missing.length > 0) return { hasRun: false, failed: missing.map((file) => `${file} is missing`), broken: true }
  const file = path.join(copy, 'guards-report.json')
  fs.rmSync(file, { force: true })
  const options = ['run', '--reporter=./tests/run/run-reporter.ts', ...(mayStop ? ['--bail=1'] : [])]
  const env = { ...process.env, RUN_REPORT: file }
  spawnSync('vitest', [...options, ...files], { cwd: copy, env, stdio: 'ignore' })
  if (!fs.existsSync(file)) return { hasRun: false, failed: [], broken: true }
  const { files: ran, errors } = JSON.parse(fs.readFileSync(file, 'utf8')) as RunReport
  const failed = ran.flatMap(({ path, tests }) =>
    tests.filter(({ state }) => state === 'failed').map(({ name }) => `${path} › ${name}`),
  )
  const outside = [...errors, ...ran.flatMap((each) => each.errors)]
  if (!mayStop) failed.push(...outside)
  return { hasRun: ran.length > 0, failed, broken: failed.length === 0 && outside.length > 0 }
}

function report(judgements: Judgement[]): void {
  console.log('\n| guard | caught by | result |\n|---|---|---|')
  for (const { guard, isCaught, caughtBy, reason } of judgements)
    console.log(`| ${guard.name} | ${caughtBy ?? ''} | ${isCaught ? 'caught' : `**not caught**: ${reason}`} |`)
  const missed = judgements.filter(({ isCaught }) => !isCaught).length
  console.log(`\n${judgements.length} guards switched off, ${missed} not caught`)
  process.exitCode = missed > 0 ? 1 : 0
}
