// Poolers before the database: which are refused, and in which words.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import net, { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createDatabase, testServer } from '#tests/database.ts'
import { assertSessions, lendsByTransaction, type PooledSession } from './pooler-check.ts'

/** A pooler over some processes: `next` chooses which of the free ones it lends. `announced`: the process id it reports for the first. */
function pooler(processes: number[], next: (free: number[]) => number | undefined, announced: number | null = 4711) {
  const free = [...processes]
  return (): PooledSession => {
    let held: number | null = null
    return {
      announcedPid: announced,
      async begin() {
        const pid = held ?? next(free)
        if (pid === undefined) throw new Error('Query read timeout')
        held = pid
        return pid
      },
      async commit() {
        if (held !== null) free.push(held)
        held = null
      },
    }
  }
}
const newest = (free: number[]) => free.pop()
const oldest = (free: number[]) => free.shift()

describe('a pooler in transaction mode is known', () => {
  it.each([
    ['lends what was given back last', newest],
    ['lends what was given back first', oldest],
  ])('when it %s', async (_, next) => {
    const open = pooler([11, 12, 13], next)
    expect(await lendsByTransaction(open(), async () => open())).toBe(true)
  })

  it('when it has one connection only', async () => {
    const open = pooler([11], newest)
    expect(await lendsByTransaction(open(), async () => open())).toBe(true)
  })
})

it('a pooler that keeps its connections for a session is none', async () => {
  let pid = 10
  const open = (): PooledSession => {
    const own = ++pid
    return { announcedPid: 4711, begin: async () => own, commit: async () => {} }
  }
  expect(await lendsByTransaction(open(), async () => open())).toBe(false)
})

it('a direct connection is not looked at twice', async () => {
  const own: PooledSession = { announcedPid: 11, begin: async () => 11, commit: async () => {} }
  const open = () => Promise.reject(new Error('opened another one'))
  expect(await lendsByTransaction(own, open)).toBe(false)
})

it('PostgreSQL itself is taken', async () => {
  await expect(assertSessions(testServer())).resolves.toBeUndefined()
})

it('a pooler that refuses settings is named, with what to do', async () => {
  const server = net.createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(fatal('unsupported startup parameter in options: lock_timeout')))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  try {
    await expect(assertSessions(`postgres://parley@127.0.0.1:${port}/parley`)).rejects.toThrow(
      /pooler, such as PgBouncer[\s\S]*Set DATABASE_URL to the address of PostgreSQL itself/,
    )
  } finally {
    server.close()
  }
})

/** As PgBouncer says it. */
function fatal(message: string): Buffer {
  const body = Buffer.from(`SFATAL\0C08P01\0M${message}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

describe.skipIf(!isInstalled('pgbouncer'))('PgBouncer itself (skipped where it is not installed)', () => {
  it.each([
    ['as it comes', '', /refuses the settings of connections/],
    ['when it ignores settings', 'ignore_startup_parameters = options', /drops the settings of connections/],
  ])('is refused %s', async (_, setting, words) => {
    const { url, drop } = await createDatabase(testServer())
    const bouncer = await startBouncer(url, setting)
    try {
      await expect(assertSessions(bouncer.url)).rejects.toThrow(words)
    } finally {
      await bouncer.stop()
      await drop()
    }
  })
})

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function startBouncer(target: string, setting: string) {
  const { hostname, port, pathname, username } = new URL(target)
  const folder = await mkdtemp(path.join(tmpdir(), 'bouncer-'))
  await chmod(folder, 0o777)
  const own = await freePort()
  const users = path.join(folder, 'users.txt')
  const settings = path.join(folder, 'bouncer.ini')
  await writeFile(users, `"${username}" ""\n`)
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${port}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1\nlisten_port = ${own}\nunix_socket_dir =`,
    `auth_type = any\nauth_file = ${users}\npool_mode = transaction\n${setting}`,
  ]
  // Every name is let in as this one.
  lines[1] = `${pathname.slice(1)} = host=${hostname} port=${port} user=${username}`
  await writeFile(settings, `${lines.join('\n')}\n`)
  const child = spawn('pgbouncer', [...(process.getuid?.() === 0 ? ['-u', 'nobody'] : []), settings], {
    stdio: 'ignore',
  })
  await expect.poll(() => isListening(own), { timeout: 10_000 }).toBe(true)
  return {
    url: `postgres://${username}@127.0.0.1:${own}${pathname}`,
    async stop() {
      child.kill()
      await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = net.createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

function isListening(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = net.connect(port, '127.0.0.1')
    socket.once('connect', () => done(true)).once('error', () => done(false))
    socket.once('connect', () => socket.destroy())
  })
}
