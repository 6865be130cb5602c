// Which sends may begin while others are slow.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Place, SENDS_AT_ONCE, SENDS_MOST, SendSemaphore } from './send-concurrency.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** As many sends as there is room for, begun. */
function fill(room: SendSemaphore, connectionId: string): Place[] {
  const places: Place[] = []
  for (let place = room.take(connectionId); place; place = room.take(connectionId)) {
    place.start()
    places.push(place)
  }
  return places
}

describe('the slots for sends', () => {
  it('are free for every connection as long as sends are quick', () => {
    const room = new SendSemaphore(() => undefined)
    const places = fill(room, 'a')
    expect(places).toHaveLength(SENDS_AT_ONCE)
    expect(room.hasFor('b')).toBe(false)
    for (const place of places) place.end()
    expect(room.isEmpty()).toBe(true)
    expect(fill(room, 'a')).toHaveLength(SENDS_AT_ONCE)
    expect(room.busy([])).toEqual([])
  })

  it('are given to others by slow sends', () => {
    const onSlow = vi.fn()
    const room = new SendSemaphore(onSlow)
    const slow = fill(room, 'a')
    vi.advanceTimersByTime(1000)
    expect(onSlow).toHaveBeenCalledTimes(slow.length)
    expect(room.hasFor('a')).toBe(false)
    expect(room.busy([])).toEqual(['a'])
    expect(fill(room, 'b')).toHaveLength(SENDS_AT_ONCE)
  })

  it('are limited, however many connections are slow', () => {
    const room = new SendSemaphore(() => undefined)
    let begun = 0
    for (const connection of ['a', 'b', 'c', 'd', 'e', 'f']) {
      begun += fill(room, connection).length
      vi.advanceTimersByTime(1000)
    }
    expect(begun).toBe(SENDS_MOST)
  })

  it('are few for a while for a connection that was found slow, and enough for others at once', () => {
    const room = new SendSemaphore(() => undefined)
    const slow = room.take('a')
    slow?.start()
    vi.advanceTimersByTime(5000)
    slow?.end()
    expect(fill(room, 'a')).toHaveLength(4)
    expect(fill(room, 'b')).toHaveLength(SENDS_AT_ONCE - 4)
    expect(room.busy(['a', 'a', 'a'])).toEqual([])
    expect(room.busy(['a', 'a', 'a', 'a'])).toEqual(['a'])
  })

  it('are as many as before when a connection has been quick for a while', () => {
    const room = new SendSemaphore(() => undefined)
    const slow = room.take('a')
    slow?.start()
    vi.advanceTimersByTime(2000)
    slow?.end()
    vi.advanceTimersByTime(30_001)
    expect(room.isSlow('a')).toBe(false)
    expect(fill(room, 'a')).toHaveLength(SENDS_AT_ONCE)
  })

  it('are limited, however many are slow', () => {
    const room = new SendSemaphore(() => undefined)
    for (const name of 'abcdefgh') {
      fill(room, name)
      vi.advanceTimersByTime(1000)
    }
    expect(room.hasFor('z')).toBe(false)
  })
})
