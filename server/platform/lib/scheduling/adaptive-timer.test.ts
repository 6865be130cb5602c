// How often a timer runs while something happens, and while nothing does.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ACTIVE_FOR_MS, AdaptiveTimer } from './adaptive-timer.ts'

const PAUSES = { busyMs: 500, idleMs: 5000 }

let timer: AdaptiveTimer
let runs: number

beforeEach(() => {
  vi.useFakeTimers()
  runs = 0
  timer = new AdaptiveTimer(PAUSES, () => runs++)
})
afterEach(() => {
  timer.stop()
  vi.useRealTimers()
})

/** Lets it come to rest and forgets what it ran until then. */
async function rest(): Promise<void> {
  await vi.advanceTimersByTimeAsync(ACTIVE_FOR_MS + PAUSES.busyMs + PAUSES.idleMs)
  runs = 0
}

describe('a timer', () => {
  it('runs often at first, and seldom when nothing happens', async () => {
    await vi.advanceTimersByTimeAsync(ACTIVE_FOR_MS)
    expect(runs).toBe(ACTIVE_FOR_MS / PAUSES.busyMs)
    await rest()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(runs).toBe(60_000 / PAUSES.idleMs)
  })

  it('runs after the short pause when something happens in the middle of the long one', async () => {
    await rest()
    await vi.advanceTimersByTimeAsync(1000)
    timer.active()
    await vi.advanceTimersByTimeAsync(PAUSES.busyMs)
    expect(runs).toBe(1)
  })

  it('is not put off by what happens all the time', async () => {
    for (let at = 0; at < 100; at++) {
      timer.active()
      await vi.advanceTimersByTimeAsync(50)
    }
    expect(runs).toBe(5000 / PAUSES.busyMs)
  })

  it('does not run before the last run has ended', async () => {
    timer.stop()
    const ended = Promise.withResolvers<void>()
    timer = new AdaptiveTimer(PAUSES, () => {
      runs++
      return ended.promise
    })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(runs).toBe(1)
    ended.resolve()
    await vi.advanceTimersByTimeAsync(PAUSES.idleMs)
    expect(runs).toBe(2)
  })

  it('rests no more once it is stopped', async () => {
    timer.stop()
    timer.active()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(runs).toBe(0)
  })
})
