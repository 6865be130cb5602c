// Raw websocket clients that speak just enough of the sync protocol: connect, authenticate, subscribe, mutate.
// Raw, because a thousand full clients in one process would measure themselves.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { WebSocket } from 'ws'

/** A query with its arguments. */
export type Subscription = { path: string; args: object }

type ServerMessage = {
  type: string
  modifications?: { type: string; queryId: number; value?: unknown; errorMessage?: string }[]
  success?: boolean
  result?: unknown
}

export class SyncClient {
  readonly #socket: WebSocket
  #requests = 0
  /** The newest message with a result, for those who begin to wait after it came. */
  #latest = ''
  #watchers = new Set<(text: string) => void>()

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data: Buffer) => {
      const text = data.toString()
      if (text.includes('"QueryUpdated"')) this.#latest = text
      for (const watcher of this.#watchers) watcher(text)
    })
  }

  /** Connects, signs in and subscribes; resolves with the first whole result there. */
  static async open(baseUrl: string, token: string, subscription: Subscription): Promise<SyncClient> {
    const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/api/1.48.0/sync`, { perMessageDeflate: false })
    await once(socket, 'open')
    const client = new SyncClient(socket)
    const first = client.until((text) => text.includes('"QueryUpdated"') || text.includes('"QueryFailed"'))
    client.#send({
      type: 'Connect',
      sessionId: randomUUID(),
      connectionCount: 0,
      lastCloseReason: 'InitialConnect',
      clientTs: Date.now(),
    })
    client.#send({ type: 'Authenticate', tokenType: 'User', value: token, baseVersion: 0 })
    client.#send({
      type: 'ModifyQuerySet',
      baseVersion: 0,
      newVersion: 1,
      modifications: [{ type: 'Add', queryId: 0, udfPath: subscription.path, args: [subscription.args] }],
    })
    const { text } = await first
    const failed = messageOf(text).modifications?.find((change) => change.type === 'QueryFailed')
    if (failed) throw new Error(`${subscription.path}: ${failed.errorMessage}`)
    return client
  }

  /** The newest result or the next message that the test accepts, with the moment it came. */
  until(accepts: (text: string) => boolean): Promise<{ text: string; at: number }> {
    if (accepts(this.#latest)) return Promise.resolve({ text: this.#latest, at: performance.now() })
    return new Promise((resolve) => {
      const watcher = (text: string) => {
        if (!accepts(text)) return
        this.#watchers.delete(watcher)
        resolve({ text, at: performance.now() })
      }
      this.#watchers.add(watcher)
    })
  }

  /** Has every message looked at from now on. */
  watch(look: (text: string) => void): void {
    this.#watchers.add(look)
  }

  /** Sends a mutation or an action without waiting. @returns when it was sent */
  send(kind: 'Mutation' | 'Action', path: string, args: object): number {
    const sentAt = performance.now()
    this.#send({ type: kind, requestId: this.#requests++, udfPath: path, args: [args] })
    return sentAt
  }

  close(): void {
    this.#socket.terminate()
  }

  #send(message: object): void {
    this.#socket.send(JSON.stringify(message))
  }
}

function messageOf(text: string): ServerMessage {
  return JSON.parse(text) as ServerMessage
}
