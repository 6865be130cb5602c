// `fetch` for calls of models, over Node's own HTTP client: what the global one does around a call takes a tenth of the processor time of a
// whole reply (docs/internals/turns.md). It keeps the contract that clients rely on, and follows no redirect: that would carry the key to another host.
import http from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'

/** Answers that have no body by definition: `Response` refuses one. */
const BODILESS = new Set([204, 205])
/** Longest time until a connection is made. */
const CONNECT_MS = 10_000

/**
 * Calls a model. Bodies other than text, such as recordings, and calls without one go through the global `fetch`.
 * @throws TypeError `fetch failed`, with its cause, when no answer comes; the signal's reason when the caller aborts
 */
export function modelFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const url = input instanceof Request ? null : String(input)
  if (url === null || typeof init.body !== 'string') return fetch(input, { ...init, redirect: 'error' })
  return send(url, init, Buffer.from(init.body))
}

function send(url: string, init: RequestInit, body: Buffer): Promise<Response> {
  const signal = init.signal ?? undefined
  const isSecure = url.startsWith('https:')
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => reject(signal?.aborted ? signal.reason : new TypeError('fetch failed', { cause }))
    const request = (isSecure ? https : http).request(url, {
      method: init.method ?? 'GET',
      headers: {
        'accept-encoding': 'identity',
        ...Object.fromEntries(new Headers(init.headers)),
        'content-length': body.length,
      },
      ...(signal && { signal }),
    })
    request.on('socket', (socket) => limitConnecting(request, socket, isSecure ? 'secureConnect' : 'connect'))
    request.on('error', fail)
    // Also after an answer that is none, such as another protocol; without effect once there is one.
    request.on('close', () => fail(new Error('the connection was closed')))
    request.on('response', (response) => {
      try {
        resolve(answerOf(response, signal))
      } catch (error) {
        response.destroy()
        fail(error)
      }
    })
    request.end(body)
  })
}

function limitConnecting(request: http.ClientRequest, socket: Socket, connected: string): void {
  if (!socket.connecting) return
  const tooLong = Object.assign(new Error('no connection was made in time'), { code: 'ETIMEDOUT' })
  const timer = setTimeout(() => request.destroy(tooLong), CONNECT_MS)
  for (const end of [connected, 'close']) socket.once(end, () => clearTimeout(timer))
}

/** @throws Error for a redirect, and for a status that is none: the web server replaces the global `Response` by one that takes any */
function answerOf(response: http.IncomingMessage, signal: AbortSignal | undefined): Response {
  const status = response.statusCode ?? 0
  if (status >= 300 && status < 400) throw new Error('a redirect is not followed')
  if (status < 200 || status > 599) throw new Error(`${status} is no status`)
  const isBodiless = BODILESS.has(status)
  if (isBodiless) response.resume()
  const body = isBodiless ? null : bodyOf(response, signal)
  return new Response(body, { status, statusText: response.statusMessage ?? '', headers: headersOf(response) })
}

/** The body as it arrives, with backpressure. A stream may still deliver what it holds after it was cancelled: that is dropped. */
function bodyOf(response: http.IncomingMessage, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  let isOver = false
  return new ReadableStream({
    start(controller) {
      const fail = (reason: unknown) => {
        isOver = true
        controller.error(reason)
      }
      response.on('data', (chunk: Buffer) => {
        if (isOver) return
        controller.enqueue(chunk)
        if ((controller.desiredSize ?? 1) <= 0) response.pause()
      })
      response.on('end', () => {
        if (isOver) return
        if (signal?.aborted) fail(signal.reason)
        else controller.close()
      })
      response.on('error', (cause) => fail(signal?.aborted ? signal.reason : new TypeError('terminated', { cause })))
    },
    pull: () => void response.resume(),
    cancel() {
      isOver = true
      response.destroy()
    },
  })
}

function headersOf({ rawHeaders }: http.IncomingMessage): Headers {
  const headers = new Headers()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  return headers
}
