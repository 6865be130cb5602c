// The realtime layer as one object: HTTP calls, websocket upgrades, and everything that is shared between their sessions.
//
//   const host = createFunctionHost({ services, registry: createRegistry(modules), verifyToken: tokens.verify, logger })
//   const sync = createSync(host, { logger, isAllowedOrigin: (origin, host) => isOwnOrigin(origins, origin, host), addressOf })
//   http.route('/', sync.http)
//   server.on('upgrade', (request, socket, head) => sync.handleUpgrade(request, socket, head) || socket.destroy())
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { Hono } from 'hono'
import { WebSocketServer } from 'ws'
import type { Logger } from '#server/platform/lib/logger.ts'
import { type Cost, Ledger } from './budget.ts'
import { Clock } from './clock.ts'
import type { Host } from './host.ts'
import { createHttp } from './http.ts'
import { Lanes } from './lanes.ts'
import { DRAIN_MS, FRAME_MAX, TICK_MS } from './limits.ts'
import { Mutations } from './mutations.ts'
import { Session, type SessionContext } from './session.ts'
import { type Purpose, Tab } from './tab.ts'
import { boundInflation, COMPRESSION, Doorkeeper, guardFrames, isSyncPath, refuse } from './upgrade.ts'

export type SyncOptions = {
  logger: Logger
  /** Whether a page of this origin, served under this host name, may use the realtime connection and the calls. */
  isAllowedOrigin(origin: string, host: string | null): boolean
  /** The client's address, by which limits are counted. */
  addressOf(request: IncomingMessage): string
}

/** `charged`: memory of all clients together, by purpose; see tab.ts. */
export type SyncStats = {
  sockets: number
  entries: number
  runs: number
  bufferedMax: number
  charged: Record<Purpose, Cost>
}

export interface Sync {
  /** `/api/query` and the other calls of the HTTP client. */
  readonly http: Hono
  /** Takes a websocket at `/api/<version>/sync`. False: the request is not for this path. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean
  /** Open sockets, live results, queries run since the start, the largest send buffer in bytes, and memory in use. */
  stats(): SyncStats
  /** Lets running mutations end, and disconnects clients so that they reconnect at once to another process. */
  close(): Promise<void>
}

/** Starts the realtime layer. */
export function createSync(host: Host, options: SyncOptions): Sync {
  const { logger } = options
  const clock = new Clock()
  const lanes = new Lanes(host, clock, logger)
  const context: SessionContext = { host, clock, lanes, mutations: new Mutations(host), logger }
  const sessions = new Set<Session>()
  const doorkeeper = new Doorkeeper()
  const ledger = new Ledger()
  const server = new WebSocketServer({ noServer: true, maxPayload: FRAME_MAX, perMessageDeflate: COMPRESSION })
  const ticking = setInterval(() => {
    const now = Date.now()
    for (const session of sessions) session.tick(now)
    doorkeeper.tidy()
  }, TICK_MS).unref()
  let isClosing = false

  function accept(request: IncomingMessage, socket: Duplex, head: Buffer) {
    const { origin, host: name } = request.headers
    if (isClosing) return refuse(socket, 503)
    if (origin !== undefined && !options.isAllowedOrigin(origin, name ?? null)) return refuse(socket, 403)
    const address = options.addressOf(request)
    const entered = doorkeeper.enter(address)
    if (!entered) return refuse(socket, 429)
    socket.once('close', entered.leave)
    server.handleUpgrade(request, socket, head, (webSocket) => {
      const tab = new Tab(ledger, address)
      const session = new Session({ socket: webSocket, raw: socket, address, tab }, context)
      const allow = boundInflation(webSocket, () => session.verdict)
      session.onRecognized = () => {
        entered.recognize()
        allow()
      }
      guardFrames(socket, webSocket, {
        hasAuthenticated: () => session.hasAuthenticated,
        held: tab.charge('pending', 0, 0),
        refuse: (why) => (why === 'TooLarge' ? session.fail(1009, why) : session.close(1013, why)),
      })
      sessions.add(session)
      webSocket.once('close', () => sessions.delete(session))
    })
  }

  return {
    http: createHttp(host, { ...options, clock, ledger }),
    handleUpgrade(request, socket, head) {
      if (!isSyncPath(request.url ?? '')) return false
      accept(request, socket, head)
      return true
    },
    stats: () => ({
      sockets: sessions.size,
      entries: lanes.entries,
      runs: lanes.runs,
      charged: { kept: ledger.total('kept'), pending: ledger.total('pending'), unread: ledger.total('unread') },
      bufferedMax: Math.max(0, ...[...sessions].map((session) => session.bufferedBytes)),
    }),
    async close() {
      isClosing = true
      clearInterval(ticking)
      await Promise.race([context.mutations.settle(), pause(DRAIN_MS, undefined, { ref: false })])
      for (const session of sessions) session.close(1012, 'InternalServerError: restarting')
      server.close()
      await lanes.close()
    },
  }
}
