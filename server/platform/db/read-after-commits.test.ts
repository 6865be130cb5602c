// What is kept in memory is read after a commit, and not while nothing happens.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { CommitListener } from './live/signals.ts'
import { readAfterCommits } from './read-after-commits.ts'

let commit: CommitListener
let listening: boolean
const read = vi.fn(() => Promise.resolve(true))
const database = {
  onCommit(listener: CommitListener) {
    commit = listener
    listening = true
    return () => {
      listening = false
    }
  },
}
beforeEach(() => {
  vi.useFakeTimers()
  read.mockClear()
})
afterEach(() => vi.useRealTimers())

it('reads once at first, because a commit between the reading of its caller and its own listening was announced to none', async () => {
  const stop = readAfterCommits(database, { everyMs: 1000, read })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(read).toHaveBeenCalledTimes(1)
  stop()
})

it('reads once for commits between two looks, again after a failure, and now and then in any case', async () => {
  const stop = readAfterCommits(database, { everyMs: 1000, read })
  await vi.advanceTimersByTimeAsync(10_000)
  read.mockClear()
  commit({ skipsDispatch: false })
  commit({ skipsDispatch: true })
  await vi.advanceTimersByTimeAsync(5000)
  expect(read).toHaveBeenCalledTimes(1)
  commit({ skipsDispatch: false })
  read.mockResolvedValueOnce(false)
  await vi.advanceTimersByTimeAsync(5000)
  expect(read).toHaveBeenCalledTimes(3)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(read).toHaveBeenCalledTimes(5)
  stop()
  expect(listening).toBe(false)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(read).toHaveBeenCalledTimes(5)
})
