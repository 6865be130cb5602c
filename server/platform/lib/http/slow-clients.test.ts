// Clients that send or read too slowly, on raw sockets.
import { once } from 'node:events'
import net from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { type Handlers, type HttpListener, listen } from './http-listener.ts'

const PACE = { windowMs: 100, bytes: 10_000, smallBody: 1000 }
let listener: HttpListener | undefined
afterEach(() => listener?.close(0))

async function open(fetch: Handlers['fetch']): Promise<net.Socket> {
  listener = await listen({ host: '127.0.0.1', port: 0 }, PACE)
  listener.serve({ fetch, upgrade: (_request, socket) => socket.destroy() })
  const socket = net.connect(listener.port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

/** All that comes until the other side ends. */
async function heard(socket: net.Socket): Promise<string> {
  let text = ''
  socket.on('data', (part) => {
    text += part
  })
  await new Promise((done) => socket.on('close', done).on('error', done))
  return text
}

const read: Handlers['fetch'] = async (request) => Response.json({ length: (await request.text()).length })
const post = (length: number) => `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n`

it('cuts a small body that does not come, and says why', async () => {
  const socket = await open(read)
  const trickle = setInterval(() => socket.write('x'), 10)
  socket.write(post(900))
  const answer = await heard(socket)
  clearInterval(trickle)
  expect(answer).toMatch(/^HTTP\/1.1 408 [\s\S]*connection: close[\s\S]*\{"code":"timed_out"\}$/)
})

it.each([
  ['with a length', post(1_000_000)],
  ['without one', 'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n'],
])('cuts a large body %s that makes too little progress', async (_what, head) => {
  const socket = await open(read)
  socket.write(head)
  const trickle = setInterval(() => socket.write(head.includes('chunked') ? '1\r\nx\r\n' : 'x'), 10)
  const answer = await heard(socket)
  clearInterval(trickle)
  expect(answer).toContain('HTTP/1.1 408')
})

it('takes a large body for as long as it makes progress', async () => {
  const socket = await open(read)
  const part = Buffer.alloc(20_000, 'x')
  socket.write(post(20 * part.length))
  const all = heard(socket)
  for (let i = 0; i < 20; i++) {
    socket.write(part)
    await new Promise((done) => setTimeout(done, 30))
  }
  setTimeout(() => socket.end(), 100)
  expect(await all).toContain('{"length":400000}')
})

it('cuts who does not read an answer', async () => {
  const size = 64 * 1024 * 1024
  const socket = await open(() => new Response(new Uint8Array(size)))
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await new Promise((done) => setTimeout(done, 10 * PACE.windowMs))
  const answer = heard(socket)
  socket.resume()
  expect((await answer).length).toBeLessThan(size)
})

it('leaves alone who waits for an answer, or for more of one', async () => {
  const late = new Response(
    new ReadableStream({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode('first '))
        await new Promise((done) => setTimeout(done, 5 * PACE.windowMs))
        controller.enqueue(new TextEncoder().encode('last'))
        controller.close()
      },
    }),
  )
  const socket = await open(async () => {
    await new Promise((done) => setTimeout(done, 5 * PACE.windowMs))
    return late
  })
  socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  expect(await heard(socket)).toContain('last')
})
