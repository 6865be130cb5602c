// What a client reports of its connection, and when.
import type { ConnectionState } from 'convex/browser'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { CONNECTION_METRICS_EVERY_MS, LONG_DISCONNECT_MS } from '#shared/limits.ts'
import { ConnectionMeter, reportConnection } from './connection-metrics.ts'

const OPEN: ConnectionState = {
  hasInflightRequests: false,
  isWebSocketConnected: true,
  timeOfOldestInflightRequest: null,
  hasEverConnected: true,
  connectionCount: 1,
  connectionRetries: 0,
  inflightMutations: 0,
  inflightActions: 0,
}
const CLOSED = { ...OPEN, isWebSocketConnected: false, connectionRetries: 2 }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('counts connections, failures, and for how long the client was connected and was not', () => {
  const meter = new ConnectionMeter(OPEN, 0)
  meter.note(CLOSED, 1_000)
  meter.note({ ...OPEN, connectionCount: 2, connectionRetries: 2 }, 1_500)
  expect(meter.due({ ...OPEN, connectionCount: 2, connectionRetries: 2 }, 4_000, 0)).toEqual([
    { event: 'ConnectionMetrics', connections: 2, failures: 2, openMs: 3_500, closedMs: 500 },
  ])
})

it('says nothing again while nothing has changed, and nothing before there was a connection', () => {
  const meter = new ConnectionMeter({ ...CLOSED, hasEverConnected: false }, 0)
  expect(meter.due({ ...CLOSED, hasEverConnected: false }, 1_000, 0)).toEqual([])
  expect(meter.due(OPEN, 2_000, 0)).toHaveLength(1)
  expect(meter.due(OPEN, 60_000, 0)).toEqual([])
})

it('tells of a request that has waited for more than a minute, once', () => {
  const meter = new ConnectionMeter(OPEN, 0)
  meter.due(OPEN, 0, 0)
  const waiting = { ...OPEN, timeOfOldestInflightRequest: new Date(5_000) }
  expect(meter.due(waiting, 30_000, 30_000)).toEqual([])
  const late = 5_000 + LONG_DISCONNECT_MS + 1
  expect(meter.due(waiting, late, late)).toEqual([{ event: 'LongWebsocketDisconnect' }])
  expect(meter.due(waiting, late + 30_000, late + 30_000)).toEqual([])
})

it('is asked every 30 seconds, and posts to the debug path', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response())
  const client = { connectionState: () => OPEN, subscribeToConnectionState: () => () => {} }
  const stop = reportConnection(client)
  vi.advanceTimersByTime(CONNECTION_METRICS_EVERY_MS - 1)
  expect(fetched).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(fetched).toHaveBeenCalledOnce()
  const [path, { method, body } = {}] = fetched.mock.calls[0] ?? []
  expect([path, method]).toEqual(['/api/debug_event', 'POST'])
  expect(JSON.parse(String(body))).toMatchObject({ event: 'ConnectionMetrics', connections: 1 })
  stop()
  vi.advanceTimersByTime(10 * CONNECTION_METRICS_EVERY_MS)
  expect(fetched).toHaveBeenCalledOnce()
  fetched.mockRestore()
})

it('posts to the server of a page that stands elsewhere', async () => {
  const server = 'https://parley.example.com'
  vi.resetModules()
  vi.stubGlobal('document', { querySelector: () => ({ content: server }) })
  const elsewhere = await import('./connection-metrics.ts')
  const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response())
  fetched.mockClear()
  const stop = elsewhere.reportConnection({ connectionState: () => OPEN, subscribeToConnectionState: () => () => {} })
  vi.advanceTimersByTime(CONNECTION_METRICS_EVERY_MS)
  expect(fetched.mock.calls.map(([url]) => url)).toEqual([`${server}/api/debug_event`])
  stop()
  vi.unstubAllGlobals()
})
