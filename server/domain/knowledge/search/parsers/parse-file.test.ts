// The guards around the child process that parses a file.
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { makeTextPdf } from '#tests/fakes/pdf.ts'
import { PARSE_LIMITS, type ParseLimits } from './limits.ts'
import { parseFile } from './parse-file.ts'
import { confinement, runGuarded } from './process/guarded-process.ts'

let folder: string
const never = new AbortController().signal

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parse-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function store(content: string | Uint8Array): Promise<string> {
  const path = join(folder, 'upload')
  await writeFile(path, content)
  return path
}
/** Heavy enough to be interrupted. */
const heavy = () => store('Длинное предложение о доставке заказов. '.repeat(200_000))

function livingParsers(): string[] {
  const processes = execFileSync('ps', ['-eo', 'ppid=,args=']).toString().split('\n')
  return processes.filter((line) => line.trim().startsWith(`${process.pid} `) && line.includes('parse-process'))
}

it('answers with chunks and ends the process', async () => {
  const document = await parseFile({ path: await store('Привет, мир.'), format: 'txt', signal: never })
  expect(document.chunks.map((chunk) => chunk.body)).toEqual(['Привет, мир.'])
  await vi.waitFor(() => expect(livingParsers()).toEqual([]), { timeout: 20_000 })
})

it('hands on why a file is refused', async () => {
  const path = await store('no pdf')
  await expect(parseFile({ path, format: 'pdf', signal: never })).rejects.toMatchObject({ reason: 'type_mismatch' })
})

it('reports how far it is', async () => {
  const path = await store(
    makeTextPdf(Array.from({ length: 400 }, () => 'Доставка по городу занимает два рабочих дня.')),
  )
  const shares: number[] = []
  await parseFile({ path, format: 'pdf', signal: never, onProgress: (share) => shares.push(share) })
  expect(shares.length).toBeGreaterThan(0)
  expect(shares.every((share) => share > 0 && share <= 1)).toBe(true)
})

it('kills a parser that takes too long', async () => {
  const limits = { ...PARSE_LIMITS, cpuMs: 100 }
  const work = parseFile({ path: await heavy(), format: 'txt', signal: never, limits })
  await expect(work).rejects.toMatchObject({ reason: 'timeout' })
  await vi.waitFor(() => expect(livingParsers()).toEqual([]), { timeout: 20_000 })
})

it('does not blame a file for a machine that gives its parser no time', async () => {
  const limits = { ...PARSE_LIMITS, cpuMs: 2_000 }
  const work = inTheChild('1', { after: 'setTimeout(answer, 2_500)', limits })
  await expect(work).resolves.toBe(1)
})

it('kills a parser that stands still', async () => {
  const work = inTheChild('1', { after: 'setInterval(() => {}, 1_000)', limits: { ...PARSE_LIMITS, wallMs: 500 } })
  await expect(work).rejects.toMatchObject({ reason: 'timeout' })
})

it('kills a parser that takes too much memory', async () => {
  const limits = { ...PARSE_LIMITS, memoryBytes: 40 * 1024 * 1024 }
  const work = parseFile({ path: await heavy(), format: 'txt', signal: never, limits })
  await expect(work).rejects.toMatchObject({ reason: 'too_large' })
  await vi.waitFor(() => expect(livingParsers()).toEqual([]), { timeout: 20_000 })
})

it('kills a parser whose work is no longer wanted', async () => {
  const abort = new AbortController()
  const work = parseFile({ path: await heavy(), format: 'txt', signal: abort.signal })
  await vi.waitFor(() => expect(livingParsers()).toHaveLength(1), { timeout: 20_000 })
  abort.abort(new Error('cancelled'))
  await expect(work).rejects.toThrow('cancelled')
  await vi.waitFor(() => expect(livingParsers()).toEqual([]), { timeout: 20_000 })
})

it.each([
  ['read another file', `fs.readFileSync(OTHER)`],
  ['write a file', `fs.writeFileSync(OTHER, '')`],
  ['start a process', `require('node:child_process').execSync('true')`],
])('may not %s', async (_, attempt) => {
  const path = await store('x')
  const other = join(folder, 'other')
  await writeFile(other, 'secret')
  const probe = `const fs = require('node:fs'); const OTHER = ${JSON.stringify(other)}; ${attempt}`
  const run = () => execFileSync(process.execPath, [...confinement(path, PARSE_LIMITS), '-e', probe], { stdio: 'pipe' })
  expect(run).toThrow(/ERR_ACCESS_DENIED/)
})

/** The value of an expression evaluated in place of a parser: in a guarded child whose program is the given file. */
async function inTheChild(
  expression: string,
  { after = 'answer()', limits = PARSE_LIMITS }: { after?: string; limits?: ParseLimits } = {},
): Promise<unknown> {
  const path = join(folder, 'probe.cjs')
  const answer = `const answer = () => process.send({ kind: 'done', result: ${expression} })`
  await writeFile(path, `const fs = require('node:fs'); ${answer}; process.once('message', () => { ${after} })`)
  return runGuarded({ entry: path, path, order: {}, signal: never, limits })
}

const root = fileURLToPath(new URL('../../../../../', import.meta.url))

it.each([
  '.env',
  'data',
  'data/secrets.json',
  'data/files',
  '.git/config',
  'tests/app.ts',
  'node_modules-of-others/package.json',
])('may not read %s next to the program', async (name) => {
  const path = JSON.stringify(join(root, name))
  const tried = ['readFileSync', 'readdirSync', 'statSync'].map((read) => `attempt(() => fs.${read}(${path}))`)
  const attempt = `(run) => { try { run(); return 'read' } catch (error) { return error.code } }`
  const codes = await inTheChild(`((attempt) => [${tried}])(${attempt})`)
  expect(codes).toEqual(['ERR_ACCESS_DENIED', 'ERR_ACCESS_DENIED', 'ERR_ACCESS_DENIED'])
})

it('receives nothing of the environment of the server', async () => {
  vi.stubEnv('AUTH_SECRET', 'secret')
  const names = await inTheChild('Object.keys(process.env)').finally(() => vi.unstubAllEnvs())
  expect((names as string[]).filter((name) => !name.startsWith('NODE_CHANNEL'))).toEqual([])
})
