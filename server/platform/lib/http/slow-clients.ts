// Cuts off who sends a request, or reads its answer, so slowly that it only holds the server's memory: a little progress is wanted in each
// stretch of time. A client that waits for the server, as a stream of events does, is not slow.
import type http from 'node:http'
import type { Socket } from 'node:net'

export type Pace = {
  /** How often is looked, milliseconds. */
  windowMs: number
  /** Bytes that must move in that time, in either direction. */
  bytes: number
  /** A body that announces no more than this must be there by the first look. */
  smallBody: number
}

/** About two kilobytes a second: the slowest mobile network sends more. */
export const PACE: Pace = { windowMs: 30_000, bytes: 64 * 1024, smallBody: 64 * 1024 }

const TIMED_OUT = JSON.stringify({ code: 'timed_out' })
const ANSWER = [
  'HTTP/1.1 408 Request Timeout',
  'connection: close',
  'content-type: application/json',
  `content-length: ${TIMED_OUT.length}`,
  '',
  TIMED_OUT,
].join('\r\n')

/** Watches every request of a server from then on. */
export function cutSlowClients(server: http.Server, pace: Pace): void {
  server.on('request', (incoming, outgoing) => watch(incoming, outgoing, pace))
}

function watch(incoming: http.IncomingMessage, outgoing: http.ServerResponse, pace: Pace): void {
  const { socket } = incoming
  const announced = incoming.headers['content-length']
  const isSmall = announced !== undefined && Number(announced) <= pace.smallBody
  let received = socket.bytesRead
  let sent = sentOf(socket)
  const timer = setInterval(() => {
    const isWaitingForBody = !incoming.complete && incoming.readableLength === 0
    if (isWaitingForBody && (isSmall || socket.bytesRead - received < pace.bytes)) return cut()
    const now = sentOf(socket)
    if (sent.pending > 0 && now.pending > 0 && moved(sent, now) < pace.bytes) return cut()
    received = socket.bytesRead
    sent = now
    if (incoming.complete && outgoing.closed) stop()
  }, pace.windowMs).unref()
  const stop = () => clearInterval(timer)
  const cut = () => {
    stop()
    if (outgoing.headersSent) socket.destroy()
    else socket.end(ANSWER, () => socket.destroy())
  }
  socket.once('close', stop)
  outgoing.once('close', () => {
    socket.off('close', stop)
    if (incoming.complete) stop()
    else socket.once('close', stop)
  })
}

type Sent = { done: number; pending: number; queued: number }

/** `done`: bytes of writes that have ended · `queued`: what the system has not taken yet of the one that is under way. */
function sentOf(socket: Socket): Sent {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } | null }
  const pending = socket.writableLength
  return { done: socket.bytesWritten - pending, pending, queued: handle?.writeQueueSize ?? pending }
}

function moved(before: Sent, now: Sent): number {
  const done = now.done - before.done
  return done > 0 ? done : Math.max(0, before.queued - now.queued)
}
