// Calls of models over a server of their own: what clients rely on, in good days and bad.
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import '@hono/node-server' // whose `Response` replaces the global one, as in the server
import { modelFetch } from './model-fetch.ts'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** Serves on loopback. @returns its address */
async function serve(listener: RequestListener): Promise<string> {
  const started = createServer(listener)
  server = started
  await new Promise<void>((done) => started.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}/v1`
}

const ask = (url: string, init: RequestInit = {}) => modelFetch(url, { method: 'POST', body: '{"вопрос":1}', ...init })

it('sends what it is given, and answers with status, headers and body', async () => {
  const url = await serve(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method, headers } = request
    response.writeHead(418, { 'x-many': ['one', 'two'] })
    response.end(JSON.stringify({ method, key: headers.authorization, type: headers['content-type'], body }))
  })
  const answer = await ask(url, { headers: { Authorization: 'Bearer key', 'Content-Type': 'application/json' } })
  expect([answer.status, answer.ok, answer.headers.get('x-many')]).toEqual([418, false, 'one, two'])
  const sent = { method: 'POST', key: 'Bearer key', type: 'application/json', body: '{"вопрос":1}' }
  expect(await answer.json()).toEqual(sent)
})

it('gives the body as it comes', async () => {
  let finish: () => void = () => {}
  const url = await serve((_, response) => {
    response.write('first ')
    finish = () => response.end('second')
  })
  const reader = (await ask(url)).body?.getReader()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('first ')
  finish()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('second')
  expect((await reader?.read())?.done).toBe(true)
})

it('reads no further than its reader', async () => {
  let written = 0
  const url = await serve(async (_, response) => {
    const block = Buffer.alloc(1024 * 1024)
    for (let blocks = 0; blocks < 256 && !response.destroyed; blocks += 1) {
      written += block.length
      if (!response.write(block))
        await Promise.race([new Promise((done) => response.once('drain', done)), sleep(5_000)])
    }
    response.end()
  })
  const answer = await ask(url)
  await sleep(500)
  expect(written).toBeLessThan(64 * 1024 * 1024)
  await answer.body?.cancel()
})

it('fails as the global one does where no server listens', async () => {
  const url = await serve(() => undefined)
  server?.close()
  const failure = await ask(url).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(TypeError)
  expect(failure).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNREFUSED' } })
})

it('fails while it is read when the connection breaks', async () => {
  const url = await serve((_, response) => {
    response.write('half')
    setTimeout(() => response.destroy(), 20)
  })
  await expect((await ask(url)).text()).rejects.toThrow('terminated')
})

it.each([
  ['before it is answered', () => undefined],
  ['while it is read', (_: unknown, response: { write(text: string): unknown }) => void response.write('half')],
])('ends with the reason of the abort %s', async (_, listener) => {
  const url = await serve(listener as RequestListener)
  const controller = new AbortController()
  setTimeout(() => controller.abort('superseded'), 50)
  const reading = ask(url, { signal: controller.signal }).then((answer) => answer.text())
  await expect(reading).rejects.toBe('superseded')
})

it('does not begin for a caller who has aborted', async () => {
  let calls = 0
  const url = await serve(() => {
    calls += 1
  })
  await expect(ask(url, { signal: AbortSignal.abort('stopping') })).rejects.toBe('stopping')
  expect(calls).toBe(0)
})

it.each([301, 302, 307, 308])('follows no redirect: %i', async (status) => {
  const paths: (string | undefined)[] = []
  const url = await serve((request, response) => {
    paths.push(request.url)
    response.writeHead(status, { location: '/elsewhere' }).end()
  })
  await expect(ask(url)).rejects.toThrow('fetch failed')
  expect(paths).toEqual(['/v1'])
})

it('gives up a body of which more has come than was read', async () => {
  const accidents: unknown[] = []
  const note = (error: unknown) => accidents.push(error)
  process.on('uncaughtException', note)
  const url = await serve((_, response) => {
    response.write('a')
    response.write('b')
    response.end('c')
  })
  const reader = (await ask(url)).body?.getReader()
  await sleep(50)
  await reader?.read()
  await reader?.cancel()
  await sleep(50)
  process.off('uncaughtException', note)
  expect(accidents).toEqual([])
})

it.each(['HTTP/1.1 999 Denied', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: other\r\nconnection: upgrade'])(
  'fails over an answer that is none: %s',
  async (head) => {
    const url = await serve((request) => void request.socket.end(`${head}\r\n\r\n`))
    await expect(ask(url)).rejects.toThrow('fetch failed')
  },
)

it('answers without a body where there is none', async () => {
  const url = await serve((_, response) => void response.writeHead(204).end())
  expect((await ask(url)).body).toBeNull()
})

it('sends a form as the global one does', async () => {
  let type: string | undefined
  const url = await serve((request, response) => {
    type = request.headers['content-type']
    request.resume().on('end', () => response.end('heard'))
  })
  const form = new FormData()
  form.set('file', new Blob(['sound']), 'voice.ogg')
  expect(await (await ask(url, { body: form })).text()).toBe('heard')
  expect(type).toMatch(/^multipart\/form-data; boundary=/)
})
