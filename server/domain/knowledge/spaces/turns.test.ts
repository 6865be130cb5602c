// Work on many spaces: neither a failure in one nor a large one blocks the others.
import { describe, expect, it } from 'vitest'
import { byTurns } from './turns.ts'

const { signal } = new AbortController()

describe('work on many spaces', () => {
  it('is done for all that can be done, whatever fails, and tells how many failed', async () => {
    const done: string[] = []
    const work = byTurns(
      ['a', 'broken', 'b', 'broken', 'c'],
      async (space) => {
        if (space === 'broken') throw new Error('no key')
        done.push(space)
        return true
      },
      signal,
    )
    await expect(work).rejects.toThrow('2 of 5 failed, the first with: no key')
    expect(done.sort()).toEqual(['a', 'b', 'c'])
  })

  it('gives each a turn before any has its second', async () => {
    const turns: string[] = []
    await byTurns(
      ['a', 'b'],
      async (space) => {
        turns.push(space)
        return turns.filter((each) => each === space).length === 2
      },
      signal,
    )
    expect([turns.slice(0, 2).sort(), turns.slice(2).sort()]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
  })

  it('begins with another space each time, so that none is always the last', async () => {
    const firsts = new Set<string>()
    for (let time = 0; time < 100; time++) {
      const order: string[] = []
      await byTurns(['a', 'b', 'c'], async (space) => order.push(space) > 0, signal)
      firsts.add(order[0] ?? '')
    }
    expect([...firsts].sort()).toEqual(['a', 'b', 'c'])
  })

  it('ends when it is aborted', async () => {
    const controller = new AbortController()
    const turn = async () => {
      controller.abort(new Error('the server stops'))
      throw new Error('broken off')
    }
    await expect(byTurns(['a', 'b'], turn, controller.signal)).rejects.toThrow('the server stops')
  })
})
