// When the page asks whether the database answers, and what it makes of the answers.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  isDatabaseDown,
  onDatabaseChange,
  refuseDuringOutage,
  suspectOutage,
  untilDatabaseAnswers,
  watchDatabase,
} from './database-health.ts'

type Answer = 'ok' | 'unavailable' | 'none'

describe('the health of the database', () => {
  let answer: Answer
  let stop: () => void
  const asked = vi.fn()

  beforeEach(() => {
    vi.useFakeTimers()
    answer = 'ok'
    asked.mockClear()
    vi.stubGlobal('fetch', async (path: string) => {
      asked(path)
      if (answer === 'none') throw new TypeError('Failed to fetch')
      return Response.json({ database: answer }, { status: answer === 'ok' ? 200 : 503 })
    })
    stop = watchDatabase()
  })
  afterEach(async () => {
    answer = 'ok'
    show('visible')
    await pass(2000)
    stop()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('is known to be lost within 2 s of the outage, and to be back within 2 s of its end, with nothing done', async () => {
    await pass(10_000)
    expect(isDatabaseDown()).toBe(false)
    answer = 'unavailable'
    await pass(2000)
    expect(isDatabaseDown()).toBe(true)
    answer = 'ok'
    await pass(2000)
    expect(isDatabaseDown()).toBe(false)
  })

  it('is asked for not more often than every 1.5 s', async () => {
    await pass(60_000)
    expect(asked.mock.calls.length).toBeLessThanOrEqual(41)
    expect(asked.mock.calls.every(([path]) => path === '/api/health')).toBe(true)
  })

  it('is not asked for by a page in the background, and at once when that is looked at again', async () => {
    await pass(10)
    show('hidden')
    asked.mockClear()
    await pass(60_000)
    expect(asked).not.toHaveBeenCalled()
    answer = 'unavailable'
    show('visible')
    await pass(0)
    expect(isDatabaseDown()).toBe(true)
  })

  it('is asked for at once when a call has failed', async () => {
    await pass(10)
    answer = 'unavailable'
    suspectOutage()
    await pass(0)
    expect(isDatabaseDown()).toBe(true)
  })

  it('is not known of a server that does not answer', async () => {
    answer = 'unavailable'
    await pass(2000)
    answer = 'none'
    await pass(2000)
    expect(isDatabaseDown()).toBe(false)
  })

  it('resolves what waits for its end only when the server says so, and tells that it is over', async () => {
    const heard = vi.fn()
    const stopHearing = onDatabaseChange(heard)
    answer = 'unavailable'
    await pass(2000)
    const done = vi.fn()
    void untilDatabaseAnswers().then(done)
    answer = 'none'
    await pass(5000)
    expect(done).not.toHaveBeenCalled()
    answer = 'ok'
    await pass(2000)
    expect(done).toHaveBeenCalledOnce()
    expect(heard.mock.calls).toEqual([[true], [false]])
    stopHearing()
  })

  it('has a call refused that would go into an outage, and lets it pass as soon as that is over', async () => {
    await pass(10)
    expect(refuseDuringOutage()).toBeNull()
    answer = 'unavailable'
    await pass(2000)
    await expect(refuseDuringOutage()).rejects.toMatchObject({ data: { code: 'database_unavailable' } })
    answer = 'ok'
    await expect(refuseDuringOutage()).resolves.toBeUndefined()
  })

  it('does not have a refused call repeated at once while the server believes in its database', async () => {
    const done = vi.fn()
    void untilDatabaseAnswers().then(done)
    await pass(900)
    expect(done).not.toHaveBeenCalled()
    await pass(1500)
    expect(done).toHaveBeenCalledOnce()
  })
})

function pass(milliseconds: number): Promise<unknown> {
  return vi.advanceTimersByTimeAsync(milliseconds)
}

function show(state: DocumentVisibilityState): void {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
  document.dispatchEvent(new Event('visibilitychange'))
}
