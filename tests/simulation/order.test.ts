// Events are recorded in their order, replayed in the recorded order, and a replay never waits in vain.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { orderIn, tell } from './failing-seed.ts'
import { Order } from './order.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const LONG_MS = 60_000

/** Actors of a replay. @returns their names in the order in which they acted */
function actors(order: Order) {
  const acted: string[] = []
  const act = (name: string) => order.act(name, () => void acted.push(name))
  return { acted, act }
}

it('without a record everything runs at once, and is recorded when it completes', async () => {
  const order = new Order()
  const slow = Promise.withResolvers<void>()
  const writing = order.act('write', () => slow.promise)
  await order.act('pause', () => undefined)
  slow.resolve()
  await writing
  expect(order.events).toEqual(['pause', 'write'])
})

it('a failure is recorded too, and rethrown', async () => {
  const order = new Order()
  await expect(order.act('call', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  expect(order.events).toEqual(['call'])
})

it('a record orders all actors, however early they arrive', async () => {
  const order = new Order(['claim', 'pause', 'write', 'claim'])
  const { acted, act } = actors(order)
  await Promise.all([act('write'), act('claim'), act('claim'), act('pause')])
  expect(acted).toEqual(['claim', 'pause', 'write', 'claim'])
  expect(order).toMatchObject({ events: acted, missed: 0 })
})

it('a replay runs one action at a time', async () => {
  const order = new Order(['write', 'pause'])
  const { acted, act } = actors(order)
  const slow = Promise.withResolvers<void>()
  const writing = order.act('write', () => slow.promise)
  const pausing = act('pause')
  await vi.advanceTimersByTimeAsync(LONG_MS)
  expect(acted).toEqual([])
  slow.resolve()
  await Promise.all([writing, pausing])
  expect(order.events).toEqual(['write', 'pause'])
})

it('an action that does not concern the conversation is no event: its turn stays free', async () => {
  const order = new Order(['claim', 'pause'])
  const { acted, act } = actors(order)
  const pausing = act('pause')
  await order.act('claim', () => [], { concerns: (claims) => claims.length > 0 })
  expect(acted).toEqual([])
  await act('claim')
  await pausing
  expect(order).toMatchObject({ events: ['claim', 'pause'], missed: 0 })
})

it('an event that does not come is skipped after a while, and counted', async () => {
  const order = new Order(['claim', 'resume', 'pause', 'write'])
  const { acted, act } = actors(order)
  await act('claim')
  const all = Promise.all([act('write'), act('pause'), act('never recorded')])
  await vi.advanceTimersByTimeAsync(LONG_MS)
  await all
  expect(acted).toEqual(['claim', 'pause', 'write', 'never recorded'])
  expect(order.missed).toBe(1)
})

it('an event that only waits for the clock is hurried before it is skipped', async () => {
  const order = new Order(['part claimed', 'pause'])
  const { acted, act } = actors(order)
  order.onHurry(() => void act('part claimed'))
  const pausing = act('pause')
  await vi.advanceTimersByTimeAsync(LONG_MS)
  await pausing
  expect(acted).toEqual(['part claimed', 'pause'])
  expect(order.missed).toBe(0)
})

it('an action that the record does not hold runs in addition to it, once', async () => {
  const order = new Order(['claim', 'resume', 'reply', 'end', 'pause', 'write'])
  const { acted, act } = actors(order)
  await act('claim')
  const all = Promise.all([act('never recorded'), act('write')])
  await vi.advanceTimersByTimeAsync(LONG_MS)
  await all
  expect(acted).toEqual(['claim', 'never recorded', 'write'])
})

it('polled actions are not waited for; they are due from one event before their place', async () => {
  const order = new Order(['claim', 'read', 'drop', 'pause', 'write'], new Set(['drop']))
  const { acted, act } = actors(order)
  await act('claim')
  expect(order.isDue('drop')).toBe(true)
  await Promise.all([act('pause'), act('read'), act('write')])
  expect(acted).toEqual(['claim', 'read', 'pause', 'write'])
  const other = new Order(['claim', 'read', 'drop'], new Set(['drop']))
  expect(other.isDue('drop')).toBe(false)
  await other.act('claim', () => undefined)
  other.note('drop')
  expect(other.isDue('drop')).toBe(false)
})

it('a listener for other expected events is notified of each event', async () => {
  const order = new Order(['claim', 'write'])
  const heard: boolean[] = []
  order.onAdvance(() => void heard.push(order.isNext('write')))
  await order.act('claim', () => undefined)
  expect(heard).toEqual([true])
})

it('after the end of a record everything runs as it comes', async () => {
  const { acted, act } = actors(new Order(['claim']))
  for (const name of ['claim', 'write', 'claim']) await act(name)
  expect(acted).toEqual(['claim', 'write', 'claim'])
})

it('an aborted actor stops waiting', async () => {
  const order = new Order(['pause', 'answer'])
  const controller = new AbortController()
  const answering = order.act('answer', () => undefined, { signal: controller.signal })
  controller.abort(new Error('stopping'))
  await expect(answering).rejects.toThrow('stopping')
  await order.act('pause', () => undefined)
  expect(order.events).toEqual(['pause'])
})

it('an action that others did in the record runs when its turn comes', async () => {
  const order = new Order(['claim', 'others stop the server', 'write'])
  const { acted, act } = actors(order)
  order.onOthers('others stop the server', () => void acted.push('stop'))
  await Promise.all([act('write'), act('claim')])
  expect(acted).toEqual(['claim', 'stop', 'write'])
})

it('a failing seed is printed so that its order can be read again', () => {
  const order = ['webhook', 'turn claimed', 'is to be silent']
  const text = tell({ seed: 7, complaints: ['a turn never ends'], steps: ['pause', 'resume'], order })
  expect(text).toContain('seed 7: a turn never ends')
  expect(orderIn(`a log\n  ${text.replaceAll('\n', '\n  ')}\nand more`)).toEqual(order)
})
