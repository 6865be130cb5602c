// The listening socket: bound first, so that a busy port is reported at once, and answering "starting" until the app is ready.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { StartError } from '../start-error.ts'
import { codeOfStatus } from './json-errors.ts'
import { cutSlowClients, PACE, type Pace } from './slow-clients.ts'

/** What a request handler receives besides the request. */
export type Bindings = HttpBindings

export type Handlers = {
  fetch(request: Request, bindings: Bindings): Response | Promise<Response>
  upgrade(request: http.IncomingMessage, socket: Duplex, head: Buffer): void
}

/**
 * Limits of a connection, milliseconds. An idle one is kept for longer than proxies keep it (Caddy: two minutes): if we closed it while the
 * proxy sends a request, the proxy would answer 502. Bodies and answers are watched by cutSlowClients.
 */
const LIMITS = {
  requestTimeout: 0,
  headersTimeout: 20_000,
  connectionsCheckingInterval: 5000,
  keepAliveTimeout: 130_000,
}

export interface HttpListener {
  port: number
  /** Sets the handlers of requests. */
  serve(handlers: Handlers): void
  /** Takes no more connections, lets running requests end, and destroys the rest after `graceMs`. */
  close(graceMs: number): Promise<void>
}

/**
 * Listens. Port 0 takes any free one. `pace`: the minimum speed of clients.
 * @throws StartError when the port cannot be bound
 */
export async function listen(address: { host: string; port: number }, pace: Pace = PACE): Promise<HttpListener> {
  let handlers: Handlers = { fetch: answerStarting, upgrade: (_request, socket) => socket.destroy() }
  const answer = getRequestListener((request, bindings) => handlers.fetch(request, bindings as Bindings))
  const server = http.createServer(LIMITS, answer)
  cutSlowClients(server, pace)
  server.on('clientError', answerBroken)
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    handlers.upgrade(request, socket, head)
  })
  await take(server, address)
  return {
    port: (server.address() as AddressInfo).port,
    serve(next) {
      handlers = next
    },
    close: (graceMs) =>
      new Promise((done) => {
        const cut = setTimeout(() => server.closeAllConnections(), graceMs)
        server.close(() => {
          clearTimeout(cut)
          done()
        })
        server.closeIdleConnections()
      }),
  }
}

/** Answers what is not HTTP, too slow, or too long for a request. */
function answerBroken(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[error.code ?? ''] ?? 400
  const body = JSON.stringify({ code: codeOfStatus(status) })
  const head = `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: application/json`
  socket.end(`${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
}

function take(server: http.Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => fail(explain(error, host, port)))
    server.listen({ host, port }, () => {
      server.removeAllListeners('error')
      done()
    })
  })
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartError(`Port ${port} is in use. Stop the other program or set PORT to a free one.`)
    case 'EACCES':
      return new StartError(`Port ${port} may not be opened by this user. Set PORT to one above 1023.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(`This machine has no address ${host}. Set HOST to 0.0.0.0 or leave it out.`)
    default:
      return error
  }
}

function answerStarting(request: Request): Response {
  const isAlive = ['/livez', '/healthz'].includes(new URL(request.url).pathname)
  return isAlive
    ? Response.json({ status: 'ok' })
    : Response.json({ status: 'starting' }, { status: 503, headers: { 'retry-after': '1' } })
}
