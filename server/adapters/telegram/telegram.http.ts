// The HTTP below grammY: Node's own client with kept connections. It tells "never connected" from "sent, and no answer came",
// which decides whether a message may be sent again.
import http from 'node:http'
import https from 'node:https'
import type { ApiClientOptions } from 'grammy'

type Fetch = NonNullable<ApiClientOptions['fetch']>
type Agents = { http: http.Agent; https: https.Agent }
type Sent = { url: string; body: string; signal: AbortSignal }

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
/** Idle connections are dropped before Telegram drops them: a request on a closing connection has an unknown outcome. */
const IDLE_MS = 20_000

/** Makes, for one call and its signal, a `fetch` of the little that grammY asks for: JSON out, JSON in. Follows no redirect. */
export function createTransport(): (signal: AbortSignal) => Fetch {
  const agents = {
    http: new http.Agent({ keepAlive: true, timeout: IDLE_MS }),
    https: new https.Agent({ keepAlive: true, timeout: IDLE_MS }),
  }
  return (signal) => {
    const transport = async (url: string, init: { body: string }) => {
      const text = await post(agents, { url, body: init.body, signal })
      return { json: async () => JSON.parse(text) as unknown }
    }
    return transport as unknown as Fetch
  }
}

function post(agents: Agents, sent: Sent): Promise<string> {
  const isSecure = sent.url.startsWith('https:')
  const agent = isSecure ? agents.https : agents.http
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent.body) }
  const options = { method: 'POST', headers, agent, signal: sent.signal }
  return new Promise((resolve, reject) => {
    const request = (isSecure ? https : http).request(sent.url, options)
    let isConnected = false
    request.on('socket', (socket) => {
      if (!socket.connecting) isConnected = true
      else socket.once(isSecure ? 'secureConnect' : 'connect', () => (isConnected = true))
      // An agent's idle timeout also fires while a long poll waits; the caller's signal is the only deadline here.
      socket.setTimeout(0)
    })
    request.on('error', (error) => reject(isConnected ? error : new NotConnectedError(codeOf(error))))
    request.on('response', (response) => readText(response).then(resolve, reject))
    request.end(sent.body)
  })
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
