// What one connection does as time passes, on a socket without a network.
import { EventEmitter } from 'node:events'
import { pino } from 'pino'
import { expect, it, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { Ledger } from './budget.ts'
import { Clock } from './clock.ts'
import { Flush } from './flush.ts'
import type { Host } from './host.ts'
import { STALLED_MS } from './limits.ts'
import { Mutations } from './mutations.ts'
import { PING } from './protocol.ts'
import { Session } from './session.ts'
import { Tab } from './tab.ts'

/** A session on a socket that takes everything and sends nothing. */
function openSession() {
  const logger = pino({ level: 'silent' })
  const host = { onCommit: () => () => {} } as unknown as Host
  const flush = new Flush(host, new Clock(), logger)
  const written: string[] = []
  const raw = Object.assign(new EventEmitter(), {
    writableLength: 0,
    write: (frame: Buffer) => written.push(frame.subarray(2).toString()),
  })
  const terminate = vi.fn()
  const socket = Object.assign(new EventEmitter(), { OPEN: 1, readyState: 1, terminate, close: vi.fn() })
  const context = { host, clock: new Clock(), flush, mutations: new Mutations(host, flush.commits), logger }
  const session = new Session(
    { socket: socket as unknown as WebSocket, raw: raw as never, tab: new Tab(new Ledger(), '203.0.113.7') },
    context,
  )
  return { session, written, raw, terminate }
}

it('tells a silent connection that the server is there, and not a busy one', () => {
  const { session, written } = openSession()
  const now = Date.now()
  session.tick(now + 14_000)
  expect(written).toEqual([])
  session.tick(now + 16_000)
  expect(written).toEqual([PING])
})

it('gives up a reader that takes nothing for a while, unless it recovers', () => {
  const { session, raw, terminate } = openSession()
  const congest = () => {
    raw.writableLength = 2 ** 21
    session.deliver([Buffer.alloc(10)])
    expect(session.isListening).toBe(false)
  }
  congest()
  raw.emit('drain')
  expect(session.isListening).toBe(true)
  session.tick(Date.now() + STALLED_MS + 1)
  expect(terminate).not.toHaveBeenCalled()
  congest()
  session.tick(Date.now() + STALLED_MS + 1)
  expect(terminate).toHaveBeenCalledOnce()
})

it('ends a connection whose buffer is full', () => {
  const { session, raw, written, terminate } = openSession()
  raw.writableLength = 9 * 2 ** 20
  session.answerMutation(1, { ok: true, value: null }, null)
  expect(written).toEqual([])
  expect(terminate).toHaveBeenCalledOnce()
})
