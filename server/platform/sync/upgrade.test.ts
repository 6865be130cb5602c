// Connection limits of one address: concurrent, in a burst, and in the long run.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { CONNECT_BURST, CONNECTS_PER_SECOND, SOCKETS_PER_ADDRESS, STRANGERS_PER_ADDRESS } from './limits.ts'
import { Doorkeeper, type Entered } from './upgrade.ts'

const HERE = '203.0.113.7'
const ELSEWHERE = '203.0.113.8'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Opens connections that authenticate at once. @returns those that were admitted */
function enterOften(doorkeeper: Doorkeeper, times: number): Entered[] {
  return Array.from({ length: times }, () => {
    const entered = doorkeeper.enter(HERE)
    entered?.recognize()
    return entered
  }).filter((entered) => entered !== null)
}

it('admits a burst, and then a steady rate; other addresses have their own count', () => {
  const doorkeeper = new Doorkeeper()
  for (const { leave } of enterOften(doorkeeper, CONNECT_BURST)) leave()
  expect(doorkeeper.enter(HERE)).toBeNull()
  expect(doorkeeper.enter(ELSEWHERE)).not.toBeNull()
  vi.advanceTimersByTime(1000)
  expect(enterOften(doorkeeper, 2 * CONNECTS_PER_SECOND)).toHaveLength(CONNECTS_PER_SECOND)
})

it('admits no more connections of an address at its ceiling, however slowly they came', () => {
  const doorkeeper = new Doorkeeper()
  const entered = enterOften(doorkeeper, SOCKETS_PER_ADDRESS)
  vi.advanceTimersByTime(600_000)
  expect(doorkeeper.enter(HERE)).toBeNull()
  entered[0]?.leave()
  expect(doorkeeper.enter(HERE)).not.toBeNull()
})

it('forgets an address only when it has no connection and its rate has recovered', () => {
  const doorkeeper = new Doorkeeper()
  const entered = enterOften(doorkeeper, CONNECT_BURST)
  doorkeeper.tidy()
  expect(doorkeeper.enter(HERE)).toBeNull()
  for (const { leave } of entered) leave()
  doorkeeper.tidy()
  expect(doorkeeper.enter(HERE)).toBeNull()
  vi.advanceTimersByTime(600_000)
  doorkeeper.tidy()
  expect(enterOften(doorkeeper, CONNECT_BURST)).toHaveLength(CONNECT_BURST)
})

it('admits few connections without a token, and another when one of them authenticates or leaves', () => {
  const doorkeeper = new Doorkeeper()
  const strangers = Array.from({ length: STRANGERS_PER_ADDRESS }, () => doorkeeper.enter(HERE))
  expect(strangers).not.toContain(null)
  expect(doorkeeper.enter(HERE)).toBeNull()
  expect(doorkeeper.enter(ELSEWHERE)).not.toBeNull()
  strangers[0]?.recognize()
  strangers[0]?.leave()
  expect(doorkeeper.enter(HERE)).not.toBeNull()
  expect(doorkeeper.enter(HERE)).toBeNull()
  strangers[1]?.leave()
  strangers[1]?.leave()
  expect(doorkeeper.enter(HERE)).not.toBeNull()
  expect(doorkeeper.enter(HERE)).toBeNull()
})
