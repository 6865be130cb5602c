// `npm run test:deep`: the tests that take hours. It can be stopped at any time and resumes with the step it was at; `--again` starts over,
// and `--only=name;name` runs some. Ends with one table of all steps.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { debianPostgres } from '#tests/postgres.ts'

type Step = { name: string; command: string[]; env?: Record<string, string> }
/** `figures`: the last line it printed. */
type Done = { ok: boolean; seconds: number; figures: string; at: string }

const STATE = path.resolve(import.meta.dirname, '../.cache/deep/steps.json')
const LOGS = path.resolve(import.meta.dirname, '../.cache/deep')
const FIFTEEN = debianPostgres(15)

const steps: Step[] = [
  { name: 'simulation, 10,000 seeds', command: ['node', 'tests/simulation/simulate.ts'] },
  ...(['embedded', 'postgres'] as const).flatMap((database) => [
    { name: `50 kills, every fault, ${database}`, command: chaos('50', database, 'kill', '--faults=all') },
    { name: `30 clean stops, ${database}`, command: chaos('30', database, 'stop') },
    {
      name: `every moment 20 times, ${database}`,
      command: ['node', 'tests/chaos/failpoints.ts', '20', database],
    },
    { name: `1,000 files under kills, ${database}`, command: ['node', 'tests/chaos/files.ts', '1000', '10', database] },
  ]),
  { name: '50 kills of the embedded PostgreSQL', command: chaos('50', 'embedded', 'kill-postgres') },
  { name: '20 power cuts, embedded', command: ['node', 'tests/chaos/power-loss.ts', '20'] },
  { name: 'outages of the database', command: ['node', 'tests/chaos/database.ts'] },
  { name: '20 freezes', command: chaos('20', 'postgres', 'freeze') },
  {
    name: '50 kills, every fault, WhatsApp',
    command: chaos('50', 'postgres', 'kill', '--faults=all', '--channel=whatsapp'),
  },
  {
    name: '20 kills, polling',
    command: chaos('20', 'postgres', 'kill', '--delivery=polling', '--faults=lostAnswers,lostReceipts,refusals'),
  },
  { name: 'every story in every look', command: ['playwright', 'test', '--reporter=line'], env: { EVERY_LOOK: '1' } },
  { name: '10,000 messages of one visitor', command: vitest('cost-of-a-flood'), env: { FLOOD: '10000' } },
  { name: '10,000 events of analytics', command: vitest('analytics/agreement'), env: { EVENTS: '10000' } },
  { name: '10,000 written tables', command: vitest('written-tables'), env: { TABLES: '10000' } },
  { name: 'every trouble of a model, 12 rounds', command: vitest('turns/model-failures'), env: { ROUNDS: '12' } },
  { name: '5,000 guesses at a password', command: vitest('security/guesses'), env: { GUESSES: '5000' } },
  { name: 'guards switched off', command: ['node', 'tests/guards/run.ts'] },
  ...(FIFTEEN ? [{ name: 'all tests on PostgreSQL 15', command: vitest(), env: { POSTGRES_BINARIES: FIFTEEN } }] : []),
]

const only = process.argv
  .find((option) => option.startsWith('--only='))
  ?.slice('--only='.length)
  .split(';')
const done: Record<string, Done> = process.argv.includes('--again') ? {} : readState()
fs.mkdirSync(LOGS, { recursive: true })
for (const step of steps) {
  if (only ? !only.some((name) => step.name.includes(name)) : done[step.name]) continue
  console.log(`── ${step.name}`)
  done[step.name] = await run(step)
  fs.writeFileSync(STATE, JSON.stringify(done, null, 2))
}
printTable()

function chaos(...args: string[]): string[] {
  return ['node', 'tests/chaos/kill.ts', ...args]
}

function vitest(...files: string[]): string[] {
  return ['vitest', 'run', '--reporter=dot', '--project', 'node', ...files]
}

function readState(): Record<string, Done> {
  return fs.existsSync(STATE) ? (JSON.parse(fs.readFileSync(STATE, 'utf8')) as Record<string, Done>) : {}
}

/** Its output goes to a log of its own. */
async function run({ name, command: [program = '', ...args], env }: Step): Promise<Done> {
  const log = path.join(LOGS, `${name.replaceAll(/\W+/g, '-')}.log`)
  const output = fs.openSync(log, 'w')
  const started = Date.now()
  const child = spawn(program, args, { stdio: ['ignore', output, output], env: { ...process.env, ...env } })
  const code = await new Promise<number>((resolve) => {
    child.on('error', () => resolve(127))
    child.on('exit', (exit) => resolve(exit ?? 1))
  })
  fs.closeSync(output)
  const lines = fs.readFileSync(log, 'utf8').trim().split('\n')
  const result = { ok: code === 0, seconds: Math.round((Date.now() - started) / 1000), figures: lines.at(-1) ?? '' }
  console.log(`${result.ok ? 'ok    ' : 'FAILED'} ${result.seconds} s: ${result.figures} (${path.relative('.', log)})`)
  return { ...result, at: new Date().toISOString() }
}

function printTable(): void {
  console.log('\n| step | result | seconds | figures |\n|---|---|---|---|')
  for (const { name } of steps) {
    const { ok, seconds, figures } = done[name] ?? { ok: null, seconds: '', figures: '' }
    const result = ok === null ? 'not run' : ok ? 'ok' : '**failed**'
    console.log(`| ${name} | ${result} | ${seconds} | ${String(figures).replaceAll('|', '/').slice(0, 300)} |`)
  }
  if (!FIFTEEN) console.log('PostgreSQL 15 was not found: apt-get install postgresql-15 brings it.')
  process.exitCode = steps.every(({ name }) => done[name]?.ok) ? 0 : 1
}
