// HTTP below the adapters: Node's own client with kept connections. It tells "never connected" from "sent, and no answer came",
// which decides whether a message may be sent again. Follows no redirect.
import http from 'node:http'
import https from 'node:https'

export type HttpCall = { method: 'GET' | 'POST' | 'DELETE'; url: string; body?: string; signal: AbortSignal }
export type HttpAnswer = { status: number; text: string }

/** The request surely did not leave: no connection was made. */
export class NotConnectedError extends Error {
  readonly code: string
  constructor(code: string) {
    super(`not connected (${code})`)
    this.name = 'NotConnectedError'
    this.code = code
  }
}

/** Answers beyond this size are cut off as garbage. A batch of updates is far smaller. */
const ANSWER_MAX_BYTES = 16 * 1024 * 1024
/** Idle connections are dropped before providers drop them: a request on a closing connection has an unknown outcome. */
const IDLE_MS = 20_000

/** A client whose connections are its own. Errors other than NotConnectedError: the outcome is unknown. */
export function createHttpClient(): (call: HttpCall) => Promise<HttpAnswer> {
  const agents = {
    http: new http.Agent({ keepAlive: true, timeout: IDLE_MS }),
    https: new https.Agent({ keepAlive: true, timeout: IDLE_MS }),
  }
  return ({ method, url, body, signal }) => {
    const isSecure = url.startsWith('https:')
    const agent = isSecure ? agents.https : agents.http
    const headers = body === undefined ? {} : jsonHeaders(body)
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
        readText(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject)
      })
      request.end(body)
    })
  }
}

function jsonHeaders(body: string) {
  return { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
}

async function readText(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > ANSWER_MAX_BYTES) throw new Error('the answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
