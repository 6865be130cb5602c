// How many connections one address may have: at a time, at once, and in the long run.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { CONNECT_BURST, CONNECTS_PER_SECOND, SOCKETS_PER_ADDRESS } from './limits.ts'
import { Doorkeeper } from './upgrade.ts'

const HERE = '203.0.113.7'
const ELSEWHERE = '203.0.113.8'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** @returns what ends each of those that were let in */
function enterOften(doorkeeper: Doorkeeper, times: number): (() => void)[] {
  return Array.from({ length: times }, () => doorkeeper.enter(HERE)).filter((leave) => leave !== null)
}

it('lets so many in at once, and so many a second from then on; other addresses have their own count', () => {
  const doorkeeper = new Doorkeeper()
  for (const leave of enterOften(doorkeeper, CONNECT_BURST)) leave()
  expect(doorkeeper.enter(HERE)).toBeNull()
  expect(doorkeeper.enter(ELSEWHERE)).not.toBeNull()
  vi.advanceTimersByTime(1000)
  expect(enterOften(doorkeeper, 2 * CONNECTS_PER_SECOND)).toHaveLength(CONNECTS_PER_SECOND)
})

it('lets nobody in while so many of the same address are there, however slowly they came', () => {
  const doorkeeper = new Doorkeeper()
  const leaves = enterOften(doorkeeper, SOCKETS_PER_ADDRESS)
  vi.advanceTimersByTime(600_000)
  expect(doorkeeper.enter(HERE)).toBeNull()
  leaves[0]?.()
  expect(doorkeeper.enter(HERE)).not.toBeNull()
})

it('forgets an address only when nobody of it is there and its count is as new', () => {
  const doorkeeper = new Doorkeeper()
  const leaves = enterOften(doorkeeper, CONNECT_BURST)
  doorkeeper.tidy()
  expect(doorkeeper.enter(HERE)).toBeNull()
  for (const leave of leaves) leave()
  doorkeeper.tidy()
  expect(doorkeeper.enter(HERE)).toBeNull()
  vi.advanceTimersByTime(600_000)
  doorkeeper.tidy()
  expect(enterOften(doorkeeper, CONNECT_BURST)).toHaveLength(CONNECT_BURST)
})
