// The network after it was closed: every way of reaching it fails.
import { execFile } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const TRIES = {
  'a connection': `import('node:net').then(({ connect }) => tell(connect(TCP, '127.0.0.1'), 'connect'))`,
  'a request': `fetch('http://127.0.0.1:' + TCP).then(reached)`,
  'a port of its own': `import('node:net').then(({ createServer }) => tell(createServer().listen(0), 'listening'))`,
  'a datagram': `import('node:dgram').then(({ createSocket }) => createSocket('udp4').send('x', UDP, '127.0.0.1', reached))`,
  'a name, by the system': `import('node:dns').then(({ lookup }) => lookup('localhost', reached))`,
  'a name, by promise': `import('node:dns/promises').then(({ lookup }) => lookup('localhost')).then(reached)`,
  'a name, by a resolver': `import('node:dns').then(({ Resolver }) => new Resolver().resolve4('example.org', reached))`,
}

it.each(Object.entries(TRIES))('refuses %s', async (_, attempt) => {
  const server = createServer((socket) =>
    socket.on('error', () => undefined).end('HTTP/1.1 204 No Content\r\n\r\n'),
  ).listen(0, '127.0.0.1')
  const datagrams = createSocket('udp4').bind(0, '127.0.0.1')
  await Promise.all([once(server, 'listening'), once(datagrams, 'listening')])
  const ports = `const TCP = ${(server.address() as { port: number }).port}; const UDP = ${datagrams.address().port}`
  const tell = `const reached = () => { console.log('reached'); process.exit() }; const tell = (emitter, event) => emitter.on(event, reached)`
  const end = `.catch((error) => console.log((error.cause ?? error).message))`
  const outputAfter = (before: string) => run(`${before}; ${ports}; ${tell}; ${attempt}${end}`)
  const open = await outputAfter('')
  const closed = await outputAfter(
    `(await import(${JSON.stringify(import.meta.resolve('./closed-network.ts'))})).closeNetwork()`,
  )
  server.close()
  datagrams.close()
  expect(closed).toBe('A parser may not use the network.')
  expect(open).toBe('reached')
})

async function run(program: string): Promise<string> {
  const args = ['--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 30_000 })
  return stdout.trim()
}
