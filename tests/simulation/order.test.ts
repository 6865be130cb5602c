// The order of events is noted as it was, imposed as it was noted, and never waited for in vain.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { orderIn, tell } from './failing-seed.ts'
import { Order } from './order.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const LONG_MS = 60_000

/** Lets everybody act in an order of a replay. @returns who was there, in the order in which they acted */
function actors(order: Order) {
  const acted: string[] = []
  const act = (name: string) => order.act(name, () => void acted.push(name))
  return { acted, act }
}

it('without a record everything is done at once, and noted when it is over', async () => {
  const order = new Order()
  const slow = Promise.withResolvers<void>()
  const writing = order.act('write', () => slow.promise)
  await order.act('pause', () => undefined)
  slow.resolve()
  await writing
  expect(order.events).toEqual(['pause', 'write'])
})

it('a failure is noted too, and told', async () => {
  const order = new Order()
  await expect(order.act('call', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  expect(order.events).toEqual(['call'])
})

it('a record is imposed on whoever comes, however early', async () => {
  const order = new Order(['claim', 'pause', 'write', 'claim'])
  const { acted, act } = actors(order)
  await Promise.all([act('write'), act('claim'), act('claim'), act('pause')])
  expect(acted).toEqual(['claim', 'pause', 'write', 'claim'])
  expect(order).toMatchObject({ events: acted, missed: 0 })
})

it('in a replay one thing is done at a time', async () => {
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

it('what concerns nobody is no event: its turn stays free', async () => {
  const order = new Order(['claim', 'pause'])
  const { acted, act } = actors(order)
  const pausing = act('pause')
  await order.act('claim', () => [], { concerns: (claims) => claims.length > 0 })
  expect(acted).toEqual([])
  await act('claim')
  await pausing
  expect(order).toMatchObject({ events: ['claim', 'pause'], missed: 0 })
})

it('what does not come is passed over after a while, and counted', async () => {
  const order = new Order(['claim', 'resume', 'pause', 'write'])
  const { acted, act } = actors(order)
  await act('claim')
  const all = Promise.all([act('write'), act('pause'), act('never recorded')])
  await vi.advanceTimersByTimeAsync(LONG_MS)
  await all
  expect(acted).toEqual(['claim', 'pause', 'write', 'never recorded'])
  expect(order.missed).toBe(1)
})

it('what only the clock keeps back is made to come before it is passed over', async () => {
  const order = new Order(['part claimed', 'pause'])
  const { acted, act } = actors(order)
  order.onHurry(() => void act('part claimed'))
  const pausing = act('pause')
  await vi.advanceTimersByTimeAsync(LONG_MS)
  await pausing
  expect(acted).toEqual(['part claimed', 'pause'])
  expect(order.missed).toBe(0)
})

it('who does something that the record has not acts besides it, once', async () => {
  const order = new Order(['claim', 'resume', 'reply', 'end', 'pause', 'write'])
  const { acted, act } = actors(order)
  await act('claim')
  const all = Promise.all([act('never recorded'), act('write')])
  await vi.advanceTimersByTimeAsync(LONG_MS)
  await all
  expect(acted).toEqual(['claim', 'never recorded', 'write'])
})

it('nobody waits for what is looked for again and again; it is due from an event before its place', async () => {
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

it('whoever is told that something else is expected hears of every event', async () => {
  const order = new Order(['claim', 'write'])
  const heard: boolean[] = []
  order.onAdvance(() => void heard.push(order.isNext('write')))
  await order.act('claim', () => undefined)
  expect(heard).toEqual([true])
})

it('behind the end of a record everything goes on as it comes', async () => {
  const { acted, act } = actors(new Order(['claim']))
  for (const name of ['claim', 'write', 'claim']) await act(name)
  expect(acted).toEqual(['claim', 'write', 'claim'])
})

it('whoever is called off waits no longer', async () => {
  const order = new Order(['pause', 'answer'])
  const controller = new AbortController()
  const answering = order.act('answer', () => undefined, { signal: controller.signal })
  controller.abort(new Error('stopping'))
  await expect(answering).rejects.toThrow('stopping')
  await order.act('pause', () => undefined)
  expect(order.events).toEqual(['pause'])
})

it('what others did in the record is done when its turn has come', async () => {
  const order = new Order(['claim', 'others stop the server', 'write'])
  const { acted, act } = actors(order)
  order.onOthers('others stop the server', () => void acted.push('stop'))
  await Promise.all([act('write'), act('claim')])
  expect(acted).toEqual(['claim', 'stop', 'write'])
})

it('a guilty seed is told so that its order can be read again', () => {
  const order = ['webhook', 'turn claimed', 'is to be silent']
  const told = tell({ seed: 7, complaints: ['a turn never ends'], steps: ['pause', 'resume'], order })
  expect(told).toContain('seed 7: a turn never ends')
  expect(orderIn(`a log\n  ${told.replaceAll('\n', '\n  ')}\nand more`)).toEqual(order)
})
