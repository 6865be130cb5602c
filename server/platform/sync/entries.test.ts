// How much of results is kept.
import { describe, expect, it, vi } from 'vitest'
import type { Snapshot } from '#server/platform/db/database.ts'
import { Entries, type Entry } from './entries.ts'
import type { LiveQuery } from './host.ts'
import { RETRY_MAX_MS } from './limits.ts'
import { View } from './view.ts'

const snapshot = {} as Snapshot
const mayGoOn = async () => true

function query(key: string, value: () => string, group = 'org:1'): LiveQuery {
  return {
    key,
    group,
    run: async () => ({ outcome: { ok: true, value: value() }, journal: null, dependencies: [] }),
  }
}

it('keeps the results of a group up to a size, tells of the others that they are too large, and tries them again', async () => {
  const entries = new Entries<View>(1000)
  const view = new View()
  const attach = (key: string, bytes: number, group?: string) =>
    entries.attach(
      view,
      query(key, () => 'x'.repeat(bytes), group),
      null,
    )
  const first = attach('first', 600)
  const second = attach('second', 600)
  const other = attach('other', 600, 'org:2')
  await entries.refresh(snapshot, { onChange: () => {}, mayGoOn })
  expect(first.text).toContain('xxx')
  expect(other.text).toContain('xxx')
  expect(second.text).toContain('results_too_large')
  entries.detach(view, first)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + RETRY_MAX_MS })
  const changed: unknown[] = []
  await entries.refresh(snapshot, { onChange: (entry) => changed.push(entry), mayGoOn })
  vi.useRealTimers()
  expect(second.text).toContain('xxx')
  expect(changed).toEqual([second])
})

it('gives up what it had of a result that has grown too large, for others', async () => {
  const entries = new Entries<View>(1000)
  const view = new View()
  let bytes = 600
  const growing = entries.attach(
    view,
    query('growing', () => 'x'.repeat(bytes)),
    null,
  )
  await entries.refresh(snapshot, { onChange: () => {}, mayGoOn })
  bytes = 2000
  entries.markDirty(null)
  const other = entries.attach(
    view,
    query('other', () => 'y'.repeat(800)),
    null,
  )
  await entries.refresh(snapshot, { onChange: () => {}, mayGoOn })
  expect(growing.text).toContain('results_too_large')
  expect(other.text).toContain('yyy')
})

describe('what is run first', () => {
  /** Entries of clients with this many queries each, in the order in which they were run. */
  function order(clients: Record<string, number>, mostRuns = Infinity) {
    const entries = new Entries<View>()
    const order: string[] = []
    const all: Entry<View>[] = []
    for (const [client, count] of Object.entries(clients)) {
      const view = new View()
      for (let at = 0; at < count; at++)
        all.push(
          entries.attach(
            view,
            query(`${client}${at}`, () => `${order.push(client)}`),
            null,
          ),
        )
    }
    const refresh = () =>
      entries.refresh(snapshot, { onChange: () => {}, mayGoOn: async () => order.length < mostRuns })
    return { order, refresh, behind: () => all.filter(({ isBehind }) => isBehind).length }
  }

  it('is what completes the client who waits for least', async () => {
    const { order: served, refresh } = order({ hostile: 50, calm: 3, small: 1 })
    expect(await refresh()).toBe(true)
    expect(served.slice(0, 5)).toEqual(['small', 'calm', 'calm', 'calm', 'hostile'])
  })

  it('adds up over several snapshots, of which each gives as much time as it has', async () => {
    const { order: served, refresh, behind } = order({ hostile: 50, calm: 3 }, 10)
    expect(await refresh()).toBe(false)
    expect(served).toHaveLength(10)
    expect(behind()).toBe(43)
    served.length = 0
    expect(await refresh()).toBe(false)
    expect(served).not.toContain('calm')
    expect(behind()).toBe(33)
  })

  it('is one at least, however little time there is', async () => {
    const { order: served, refresh } = order({ hostile: 5 }, 0)
    await refresh()
    expect(served).toHaveLength(1)
  })
})

it('runs a query over much no sooner than it may, shows its earlier result meanwhile, and forgets no change', async () => {
  const entries = new Entries<View>()
  let value = 'one'
  const entry = entries.attach(new View(), { ...query('much', () => value), restMs: 1000 }, null)
  const refresh = () => entries.refresh(snapshot, { onChange: () => {}, mayGoOn })
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now })
  await refresh()
  for (value of ['two', 'three']) {
    entries.markDirty(null)
    expect(await refresh()).toBe(true)
  }
  expect([entry.text?.includes('one'), entry.isBehind, entries.runs]).toEqual([true, false, 1])
  expect(entries.hasRetries(now + 999)).toBe(false)
  expect(entries.hasRetries(now + 1000)).toBe(true)
  vi.setSystemTime(now + 1000)
  await refresh()
  vi.useRealTimers()
  expect([entry.text?.includes('three'), entries.runs]).toEqual([true, 2])
  expect(entries.hasRetries(now + 60_000)).toBe(false)
})

it('lets a query that takes long rest ten times as long as it took', async () => {
  const entries = new Entries<View>()
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  const slow = query('much', () => {
    vi.advanceTimersByTime(300)
    return 'one'
  })
  entries.attach(new View(), { ...slow, restMs: 1000 }, null)
  await entries.refresh(snapshot, { onChange: () => {}, mayGoOn })
  const ranAt = Date.now()
  entries.markDirty(null)
  expect(entries.hasRetries(ranAt + 2999)).toBe(false)
  expect(entries.hasRetries(ranAt + 3000)).toBe(true)
  vi.useRealTimers()
})
