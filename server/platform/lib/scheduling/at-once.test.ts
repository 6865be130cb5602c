// Runs a list with bounded concurrency.
import { setImmediate as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { runAtOnce } from './at-once.ts'

const signal = new AbortController().signal

describe('a list run with bounded concurrency', () => {
  it('keeps as many in flight as allowed, and skips nothing', async () => {
    const done: number[] = []
    let underWay = 0
    let most = 0
    const run = async (each: number) => {
      most = Math.max(most, ++underWay)
      await pause()
      underWay--
      done.push(each)
    }
    expect(await runAtOnce([1, 2, 3, 4, 5, 6, 7], { atOnce: 3, signal, run })).toEqual([])
    expect(done.sort()).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(most).toBe(3)
  })

  it('goes on after a failure, and reports it', async () => {
    const done: number[] = []
    const run = async (each: number) => {
      await pause()
      if (each % 2 === 0) throw new Error(`no ${each}`)
      done.push(each)
    }
    const failures = await runAtOnce([1, 2, 3, 4, 5], { atOnce: 2, signal, run })
    expect(done).toEqual([1, 3, 5])
    expect(failures.map((error) => (error as Error).message).sort()).toEqual(['no 2', 'no 4'])
  })

  it('starts nothing more once aborted', async () => {
    const controller = new AbortController()
    const done: number[] = []
    const run = async (each: number) => {
      await pause()
      done.push(each)
      if (each === 2) controller.abort()
    }
    await runAtOnce([1, 2, 3, 4, 5, 6], { atOnce: 2, signal: controller.signal, run })
    expect(done).toEqual([1, 2, 3]) // the third was in flight
  })
})
