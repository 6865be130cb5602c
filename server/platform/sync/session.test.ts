// The timers of one connection, on a socket without a network.
import { EventEmitter } from 'node:events'
import { pino } from 'pino'
import { expect, it, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { Ledger } from './budget.ts'
import { Clock } from './clock.ts'
import { sharedMessage } from './frames.ts'
import type { Host } from './host.ts'
import { Lanes } from './lanes.ts'
import { PONG_PATIENCE_MS, STALLED_MS } from './limits.ts'
import { Mutations } from './mutations.ts'
import { PING } from './protocol.ts'
import { Session } from './session.ts'
import { Tab } from './tab.ts'

const ADDRESS = '203.0.113.7'

/** A session on a socket that accepts everything and sends nothing. */
function openSession() {
  const logger = pino({ level: 'silent' })
  const host = { onCommit: () => () => {}, snapshot: () => new Promise(() => {}) } as unknown as Host
  const lanes = new Lanes(host, new Clock(), logger)
  const written: string[] = []
  const left: (() => void)[] = []
  const raw = Object.assign(new EventEmitter(), {
    writableLength: 0,
    cork: () => {},
    uncork: () => {},
    write: (frame: Buffer, onLeft: () => void) => {
      written.push(frame.subarray(2).toString())
      left.push(onLeft)
    },
  })
  /** Flushes what was written, as a fast network would. */
  const takeAll = () => {
    raw.writableLength = 0
    for (const onLeft of left.splice(0)) onLeft()
  }
  const terminate = vi.fn()
  const socket = Object.assign(new EventEmitter(), { OPEN: 1, readyState: 1, terminate, close: vi.fn() })
  const context = { host, clock: new Clock(), lanes, mutations: new Mutations(host), logger }
  const session = new Session(
    {
      socket: socket as unknown as WebSocket,
      raw: raw as never,
      address: ADDRESS,
      tab: new Tab(new Ledger(), ADDRESS),
    },
    context,
  )
  return { session, written, raw, takeAll, socket, terminate }
}

it('sends heartbeats on a silent connection, and not on a busy one', () => {
  const { session, written } = openSession()
  const now = Date.now()
  session.tick(now + 14_000)
  expect(written).toEqual([])
  session.tick(now + 16_000)
  expect(written).toEqual([PING])
})

const state = sharedMessage((own) => `{${own}`, '"type":"Transition"}', false)

it('drops a client that reads nothing for a while, unless it recovers', () => {
  const { session, raw, takeAll, terminate } = openSession()
  const congest = () => {
    raw.writableLength = 2 ** 21
    session.deliver([state], false)
    expect(session.isListening).toBe(false)
  }
  congest()
  takeAll()
  expect(session.isListening).toBe(true)
  session.tick(Date.now() + STALLED_MS + 1)
  expect(terminate).not.toHaveBeenCalled()
  congest()
  session.tick(Date.now() + STALLED_MS + 1)
  expect(terminate).toHaveBeenCalledOnce()
})

it('shows a client no further state before it has read most of those before', () => {
  const { session, takeAll, socket } = openSession()
  const large = sharedMessage((own) => `{${own}`, `"${'x'.repeat(20 * 1024)}"}`, false)
  const shown = () => {
    expect(session.isListening).toBe(true)
    session.deliver([large], false)
    takeAll()
  }
  for (let states = 0; states < 4; states++) shown()
  // The network has accepted everything, but the client has not confirmed reading it.
  expect(session.isListening).toBe(false)
  socket.emit('pong')
  expect(session.isListening).toBe(true)
})

it('stops waiting for a client that answers no pings after a few seconds', () => {
  const { session, takeAll } = openSession()
  const large = sharedMessage((own) => `{${own}`, `"${'x'.repeat(80 * 1024)}"}`, false)
  session.deliver([large], false)
  takeAll()
  expect(session.isListening).toBe(false)
  session.tick(Date.now() + PONG_PATIENCE_MS + 1)
  expect(session.isListening).toBe(true)
})

it('ends a connection whose buffer is full', () => {
  const { session, raw, written, terminate } = openSession()
  raw.writableLength = 9 * 2 ** 20
  session.answerMutation(1, { ok: true, value: null }, null)
  expect(written).toEqual([])
  expect(terminate).toHaveBeenCalledOnce()
})
