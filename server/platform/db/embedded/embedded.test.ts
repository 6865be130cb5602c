// The life of the embedded PostgreSQL, on the binaries that users get: made, stopped, killed, taken over, refused.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { StartError } from '#server/platform/lib/start-error.ts'
import { canEnter } from './account.ts'
import { type EmbeddedPostgres, openEmbeddedPostgres } from './embedded.ts'
import { installedPackage } from './package.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const log = pino({ level: 'silent' })
const MODULE = path.join(import.meta.dirname, 'embedded.ts')
const isRoot = process.getuid?.() === 0
/** Any id without a name. */
const NAMELESS = { uid: 47_110, gid: 47_110 }
const canBeNameless =
  isRoot &&
  [MODULE, installedPackage(), fs.realpathSync(process.execPath)].every((file) =>
    canEnter({ kind: 'user', ...NAMELESS }, path.dirname(file)),
  )
const canDropRights = isRoot && spawnSync('setpriv', ['--version']).status === 0

/** For root: a folder that no other user can enter. */
let base: string
/** The data folder of one test. */
let dataDir: string
let opened: EmbeddedPostgres[] = []
let children: ChildProcess[] = []

beforeAll(async () => {
  base = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-embedded-'))
  const made = await open(path.join(base, 'made'))
  await query(made.url, 'create table marks (n integer)')
  await made.close()
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  await Promise.all(opened.map((each) => each.close()))
  opened = []
  children = []
})
afterAll(() => fs.rmSync(base, { recursive: true, force: true }))

/** A copy of a database that was made and stopped before. */
function copyOfMade(): string {
  dataDir = fs.mkdtempSync(path.join(base, 'copy-'))
  fs.cpSync(path.join(base, 'made'), dataDir, { recursive: true })
  return dataDir
}

async function open(folder: string, options: Partial<Parameters<typeof openEmbeddedPostgres>[0]> = {}) {
  const database = await openEmbeddedPostgres({ dataDir: folder, log, onRestart: () => {}, ...options })
  opened.push(database)
  return database
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

const dataOf = (folder: string) => path.join(folder, 'postgres', 'data')
const postmaster = (folder: string) =>
  Number.parseInt(fs.readFileSync(path.join(dataOf(folder), 'postmaster.pid'), 'utf8'), 10)

function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-p', String(pid), '-o', 'stat='], { encoding: 'utf8' })
  return /^[^ZX]/.test(stdout.trim())
}

function watcherOf(pid: number): number {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
  const line = stdout.split('\n').find((each) => each.includes('/bin/sh') && each.endsWith(`parley-watcher ${pid}`))
  return Number.parseInt(line ?? '', 10)
}

type Parley = { process: ChildProcess; url: string; output(): string }

/** Another process that has the database open. */
async function startParley(folder: string, command: string[] = [process.execPath], ids = {}): Promise<Parley> {
  const source = `const { openEmbeddedPostgres } = await import(${JSON.stringify(MODULE)})
    process.on('SIGINT', () => console.log('interrupted'))
    const log = { info() {}, warn() {}, error() {}, debug() {} }
    try {
      const { url } = await openEmbeddedPostgres({ dataDir: ${JSON.stringify(folder)}, log, onRestart() {} })
      console.log('open ' + url)
      setInterval(() => {}, 1000)
    } catch (error) { console.log('refused ' + error.name + ': ' + error.message) }`
  const [file = '', ...args] = [...command, '--input-type=module', '-e', source]
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, ...ids })
  children.push(child)
  let output = ''
  child.stdout.on('data', (bytes) => {
    output += bytes
  })
  child.stderr.on('data', (bytes) => {
    output += bytes
  })
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  return { process: child, url: /^open (\S+)$/m.exec(output)?.[1] ?? '', output: () => output }
}

async function kill(pid: number | undefined): Promise<void> {
  if (pid === undefined || Number.isNaN(pid)) throw new Error('There is no such process.')
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => isRunning(pid)).toBe(false)
}

const countMarks = (url: string) => query(url, 'select count(*)::int as marks from marks')

describe('a database', () => {
  it('is made at the first start, durable, and keeps what was committed', async () => {
    dataDir = path.join(base, 'first', 'start')
    const first = await open(dataDir)
    await query(first.url, 'create table marks (n integer); insert into marks values (1)')
    const names = ['fsync', 'synchronous_commit', 'jit', 'data_checksums', 'server_encoding']
    const [settings] = await query(first.url, `select ${names.map((name) => `current_setting('${name}') as ${name}`)}`)
    expect(settings).toEqual({
      fsync: 'on',
      synchronous_commit: 'on',
      jit: 'off',
      data_checksums: 'on',
      server_encoding: 'UTF8',
    })
    expect(await query(first.url, "select lower('ЁЖ') as word")).toEqual([{ word: 'ёж' }])
    const pid = postmaster(dataDir)
    await first.close()
    expect(isRunning(pid)).toBe(false)
    const second = await open(dataDir)
    expect(await countMarks(second.url)).toEqual([{ marks: 1 }])
  })

  it('is made again when a kill left it half made', async () => {
    dataDir = fs.mkdtempSync(path.join(base, 'half-'))
    fs.mkdirSync(`${dataOf(dataDir)}.new`, { recursive: true })
    fs.writeFileSync(path.join(`${dataOf(dataDir)}.new`, 'PG_VERSION'), '18')
    const { url } = await open(dataDir)
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(fs.existsSync(`${dataOf(dataDir)}.new`)).toBe(false)
  })

  it('says nothing on the console, and what is wrong in a log of its own', async () => {
    const parley = await startParley(copyOfMade())
    await query(parley.url, 'select 1/0').catch(() => {})
    expect(parley.output()).toBe(`open ${parley.url}\n`)
    expect(fs.readFileSync(path.join(dataDir, 'postgres', 'postgres.log'), 'utf8')).toContain('division by zero')
  })

  it('hands PostgreSQL none of the keys in the environment', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-secret')
    await open(copyOfMade())
    vi.unstubAllEnvs()
    expect(fs.readFileSync(`/proc/${postmaster(dataDir)}/environ`, 'utf8')).not.toContain('sk-secret')
  })

  it('opens in a folder whose path is longer than a socket address', async () => {
    dataDir = path.join(copyOfMade(), 'x'.repeat(120))
    fs.mkdirSync(dataDir)
    fs.renameSync(path.join(dataDir, '..', 'postgres'), path.join(dataDir, 'postgres'))
    const { url } = await open(dataDir)
    expect(await countMarks(url)).toEqual([{ marks: 0 }])
  })

  it('opens when it was copied without its owner and modes', async () => {
    copyOfMade()
    if (isRoot) spawnSync('chown', ['-R', '0:0', dataOf(dataDir)])
    spawnSync('chmod', ['-R', 'go+rX', dataOf(dataDir)])
    const { url } = await open(dataDir)
    expect(await countMarks(url)).toEqual([{ marks: 0 }])
  })

  it('asks for a password where it is reached through the network of the machine', async () => {
    const { url } = await open(copyOfMade(), { network: 'loopback' })
    expect(await countMarks(url)).toEqual([{ marks: 0 }])
    await expect(countMarks(url.replace(/:[^:@]+@/, ':guess@'))).rejects.toMatchObject({ code: '28P01' })
  })
})

describe('its process', () => {
  it('is ended with transactions open', async () => {
    const { url, close } = await open(copyOfMade())
    const client = new pg.Client({ connectionString: url })
    const lost = once(client, 'error')
    client.on('error', () => {})
    await client.connect()
    await client.query('begin; insert into marks values (1)')
    const pid = postmaster(dataDir)
    await close()
    await lost
    expect(isRunning(pid)).toBe(false)
    expect(Number.isNaN(watcherOf(pid))).toBe(true)
  })

  it('is started again when it dies, with everything that was committed', async () => {
    const onRestart = vi.fn()
    const { url } = await open(copyOfMade(), { onRestart })
    for (const times of [1, 2]) {
      await query(url, 'insert into marks values (1)')
      await kill(postmaster(dataDir))
      await expect.poll(() => onRestart.mock.calls.length).toBe(times)
      expect(await countMarks(url)).toEqual([{ marks: times }])
    }
  })

  it('is started again when it dies while one of its processes computes for ever', async () => {
    const onRestart = vi.fn()
    const { url } = await open(copyOfMade(), { onRestart })
    const endless = query(url, 'do $$ begin loop end loop; end $$').catch(() => 'lost')
    await expect
      .poll(() => query(url, "select 1 from pg_stat_activity where query like 'do %' and state = 'active'"))
      .toHaveLength(1)
    await kill(postmaster(dataDir))
    expect(await endless).toBe('lost')
    await expect.poll(() => onRestart.mock.calls.length).toBe(1)
    expect(await countMarks(url)).toEqual([{ marks: 0 }])
  })

  it('is not started again once it is to stop', async () => {
    const onRestart = vi.fn()
    const { close } = await open(copyOfMade(), { onRestart })
    await kill(postmaster(dataDir))
    await close()
    expect(findServers(dataDir)).toEqual([])
    expect(onRestart).not.toHaveBeenCalled()
  })

  it('does not hear the Ctrl-C of Parley’s terminal', async () => {
    const parley = await startParley(copyOfMade())
    process.kill(-(parley.process.pid ?? 0), 'SIGINT')
    await expect.poll(() => parley.output()).toContain('interrupted')
    expect(await countMarks(parley.url)).toEqual([{ marks: 0 }])
  })
})

/** Servers that run on a data folder. */
function findServers(folder: string): string[] {
  const { stdout } = spawnSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' })
  return stdout.split('\n').filter((line) => /^[^ZX]/.test(line) && line.includes(`-D ${dataOf(folder)} `))
}

describe('after a kill -9 of Parley', () => {
  it('PostgreSQL ends by itself', async () => {
    const parley = await startParley(copyOfMade())
    await query(parley.url, 'insert into marks values (1)')
    const pid = postmaster(dataDir)
    const watcher = watcherOf(pid)
    await kill(parley.process.pid)
    await expect.poll(() => isRunning(pid)).toBe(false)
    await expect.poll(() => isRunning(watcher)).toBe(false)
    const { url } = await open(dataDir)
    expect(await countMarks(url)).toEqual([{ marks: 1 }])
  })

  it('the next start does not wait for that', async () => {
    const parley = await startParley(copyOfMade())
    await query(parley.url, 'insert into marks values (1)')
    const pid = postmaster(dataDir)
    process.kill(parley.process.pid ?? 0, 'SIGKILL')
    await once(parley.process, 'exit')
    const { url } = await open(dataDir)
    expect(await countMarks(url)).toEqual([{ marks: 1 }])
    expect(isRunning(pid)).toBe(false)
  })

  it('a PostgreSQL that is left is ended by the next start', async () => {
    const parley = await startParley(copyOfMade())
    await query(parley.url, 'insert into marks values (1)')
    const pid = postmaster(dataDir)
    await kill(watcherOf(pid))
    await kill(parley.process.pid)
    expect(isRunning(pid)).toBe(true)
    const { url } = await open(dataDir)
    expect(isRunning(pid)).toBe(false)
    expect(await countMarks(url)).toEqual([{ marks: 1 }])
  })

  it('a process that has got the id of the former server is left alone, and does not hinder the start', async () => {
    const parley = await startParley(copyOfMade())
    const pid = postmaster(dataDir)
    await kill(watcherOf(pid))
    await kill(parley.process.pid)
    await kill(pid)
    const { uid, gid } = fs.statSync(dataOf(dataDir)) // PostgreSQL takes only processes of its user for a server
    const other = spawn('sleep', ['60'], { stdio: 'ignore', cwd: '/', ...(isRoot && { uid, gid }) })
    children.push(other)
    for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
      const file = path.join(dataOf(dataDir), name)
      fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/^\d+/, String(other.pid)))
    }
    const { url } = await open(dataDir)
    expect(await countMarks(url)).toEqual([{ marks: 0 }])
    expect(isRunning(other.pid ?? 0)).toBe(true)
  })
})

describe('a start is refused', () => {
  async function refusal(folder: string): Promise<string> {
    const error: unknown = await open(folder).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(StartError)
    return (error as Error).message
  }

  it('while another process has the folder', async () => {
    const parley = await startParley(copyOfMade())
    expect(await refusal(dataDir)).toContain(`in use by process ${parley.process.pid}`)
    expect(await countMarks(parley.url)).toEqual([{ marks: 0 }])
  })

  it('on data of another version of PostgreSQL', async () => {
    fs.writeFileSync(path.join(dataOf(copyOfMade()), 'PG_VERSION'), '17\n')
    expect(await refusal(dataDir)).toContain('is of PostgreSQL 17')
  })

  it('on data of the former engine', async () => {
    const former = fs.mkdtempSync(path.join(base, 'former-'))
    fs.mkdirSync(path.join(former, 'db', 'pgdata'), { recursive: true })
    fs.writeFileSync(path.join(former, 'db', 'pgdata', 'PG_VERSION'), '18\n')
    expect(await refusal(former)).toContain('former WebAssembly engine')
    expect(fs.existsSync(path.join(former, 'postgres', 'data'))).toBe(false)
  })

  it('where a file has the name of the folder', async () => {
    const file = path.join(base, 'file')
    fs.writeFileSync(file, '')
    expect(await refusal(file)).toContain('Set DATA_DIR to a folder')
  })

  it('on damaged data, with the end of the log', async () => {
    const control = path.join(dataOf(copyOfMade()), 'global', 'pg_control')
    fs.renameSync(control, `${control}.away`)
    expect(await refusal(dataDir)).toMatch(/its log: .*postgres\.log\)[\s\S]*pg_control/)
    fs.renameSync(`${control}.away`, control)
    const { url } = await open(dataDir) // nothing was left locked
    expect(await countMarks(url)).toEqual([{ marks: 0 }])
  })

  it.skipIf(!canBeNameless)('where its user may not write, or does not own the data', async () => {
    fs.chmodSync(base, 0o711)
    copyOfMade()
    const closed = await startParley(dataDir, undefined, NAMELESS)
    expect(closed.output()).toContain('may not write to')
    for (const folder of [dataDir, path.join(dataDir, 'postgres')]) fs.chownSync(folder, NAMELESS.uid, NAMELESS.gid)
    const foreign = await startParley(dataDir, undefined, NAMELESS)
    expect(foreign.output()).toMatch(/refused StartError: The database in .* belongs to the user with id/)
  })

  it.skipIf(!canDropRights)('to a root that may not become another user', async () => {
    const parley = await startParley(copyOfMade(), ['setpriv', '--bounding-set=-all', process.execPath])
    expect(parley.output()).toContain('refused StartError: PostgreSQL does not run as root')
  })
})

describe('runs', () => {
  it.skipIf(!isRoot)('as another user where Parley is root, below a folder that only root can enter', async () => {
    expect(fs.statSync(base).mode & 0o077).toBe(fs.statSync(base).mode & 0o011)
    fs.chmodSync(base, 0o700)
    dataDir = path.join(base, 'of-root')
    const { url } = await open(dataDir)
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(fs.statSync(`/proc/${postmaster(dataDir)}`).uid).not.toBe(0)
    expect(fs.statSync(dataOf(dataDir)).uid).not.toBe(0)
  })

  it.skipIf(!canBeNameless)('under a user id that has no name', async () => {
    fs.chmodSync(base, 0o711)
    dataDir = path.join(base, 'nameless')
    fs.mkdirSync(dataDir)
    fs.chownSync(dataDir, NAMELESS.uid, NAMELESS.gid)
    const parley = await startParley(dataDir, undefined, NAMELESS)
    expect(parley.output()).toMatch(/^open /)
    expect(fs.statSync(`/proc/${postmaster(dataDir)}`).uid).toBe(NAMELESS.uid)
    expect(fs.readdirSync(path.join(dataDir, 'postgres')).sort()).toEqual([
      'data',
      'owner.sock',
      'password',
      'postgres.log',
    ])
  })

  it.skipIf(!canDropRights)('in a user namespace where root may not change to another user', async () => {
    const command = ['setpriv', '--bounding-set=-setuid,-setgid', process.execPath]
    const parley = await startParley(copyOfMade(), command)
    expect(await countMarks(parley.url)).toEqual([{ marks: 0 }])
  })
})
