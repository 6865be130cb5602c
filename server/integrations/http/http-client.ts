// HTTP below the adapters: Node's own client with keep-alive. It distinguishes "never connected" from "sent, and no answer came", which
// decides whether a message may be sent again. Does not follow redirects.
import http from 'node:http'
import https from 'node:https'

export type HttpCall = {
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  headers?: Record<string, string>
  /** A text is sent as JSON; bytes carry their own content type. */
  body?: string | { bytes: Uint8Array; contentType: string }
  /** The size limit of the answer, where it differs from the default. */
  maxBytes?: number
  signal: AbortSignal
}
export type HttpAnswer = {
  readonly status: number
  readonly text: string
  readonly bytes: Uint8Array
  /** The header as it came. */
  readonly retryAfter: string | null
}

/** The request was definitely not sent: no connection was established. */
export class NotConnectedError extends Error {
  readonly code: string
  constructor(code: string) {
    super(`not connected (${code})`)
    this.name = 'NotConnectedError'
    this.code = code
  }
}

/** The answer is larger than the limit. */
export class TooLargeError extends Error {
  override name = 'TooLargeError'
}

/** Answers beyond this size are rejected as garbage. A batch of updates is far smaller. */
const ANSWER_MAX_BYTES = 16 * 1024 * 1024
/** Idle connections are dropped before providers drop them: a request on a closing connection has an unknown outcome. */
const IDLE_MS = 20_000

/** A client with its own connections. Errors other than NotConnectedError: the outcome is unknown. */
export function createHttpClient(): (call: HttpCall) => Promise<HttpAnswer> {
  const agents = {
    http: new http.Agent({ keepAlive: true, timeout: IDLE_MS }),
    https: new https.Agent({ keepAlive: true, timeout: IDLE_MS }),
  }
  return ({ method, url, headers: given, body, maxBytes = ANSWER_MAX_BYTES, signal }) => {
    const isSecure = url.startsWith('https:')
    const agent = isSecure ? agents.https : agents.http
    const sent = typeof body === 'string' ? { bytes: Buffer.from(body), contentType: 'application/json' } : body
    const content = sent ? { 'content-type': sent.contentType, 'content-length': sent.bytes.length } : {}
    const headers = { ...given, ...content }
    return new Promise((resolve, reject) => {
      const request = (isSecure ? https : http).request(url, { method, headers, agent, signal })
      let isConnected = false
      request.on('socket', (socket) => {
        if (!socket.connecting) isConnected = true
        else socket.once(isSecure ? 'secureConnect' : 'connect', () => (isConnected = true))
        // An agent's idle timeout also fires while a long poll waits; the caller's signal is the only deadline here.
        socket.setTimeout(0)
      })
      request.on('error', (error) => reject(isConnected ? error : new NotConnectedError(codeOf(error))))
      request.on('response', (response) => {
        readBytes(response, maxBytes).then((bytes) => resolve(new Answer(response, bytes)), reject)
      })
      request.end(sent?.bytes)
    })
  }
}

/** Decoded lazily, because files are never read as text. */
class Answer implements HttpAnswer {
  readonly status: number
  readonly bytes: Buffer
  readonly retryAfter: string | null
  constructor({ statusCode, headers }: http.IncomingMessage, bytes: Buffer) {
    this.status = statusCode ?? 0
    this.bytes = bytes
    this.retryAfter = headers['retry-after'] ?? null
  }
  get text(): string {
    return this.bytes.toString('utf8')
  }
}

/** The body of an answer. @throws TooLargeError beyond the limit */
export function readBytes(response: http.IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve, reject) => {
    response.on('data', (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size > maxBytes) response.destroy(new TooLargeError())
    })
    response.on('end', () => resolve(Buffer.concat(chunks)))
    response.on('error', reject)
  })
}

/** The code of a network error, such as ECONNREFUSED. */
export function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
