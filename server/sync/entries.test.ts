// How much of results is kept.
import { expect, it, vi } from 'vitest'
import type { Snapshot } from '#server/db/database.ts'
import { Entries } from './entries.ts'
import type { LiveQuery } from './host.ts'
import { RETRY_MAX_MS } from './limits.ts'
import { View } from './view.ts'

const snapshot = {} as Snapshot
const mustStop = () => false

function query(key: string, value: () => string, group = 'org:1'): LiveQuery {
  return {
    key,
    group,
    run: async () => ({ outcome: { ok: true, value: value() }, journal: null, dependencies: [] }),
  }
}

it('keeps the results of a group up to a size, tells of the others that they are too large, and tries them again', async () => {
  const entries = new Entries(1000)
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
  await entries.refresh(snapshot, { onChange: () => {}, mustStop })
  expect(first.text).toContain('xxx')
  expect(other.text).toContain('xxx')
  expect(second.text).toContain('results_too_large')
  entries.detach(view, first)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + RETRY_MAX_MS })
  const changed: unknown[] = []
  await entries.refresh(snapshot, { onChange: (entry) => changed.push(entry), mustStop })
  vi.useRealTimers()
  expect(second.text).toContain('xxx')
  expect(changed).toEqual([second])
})

it('gives up what it had of a result that has grown too large, for others', async () => {
  const entries = new Entries(1000)
  const view = new View()
  let bytes = 600
  const growing = entries.attach(
    view,
    query('growing', () => 'x'.repeat(bytes)),
    null,
  )
  await entries.refresh(snapshot, { onChange: () => {}, mustStop })
  bytes = 2000
  entries.markDirty(null)
  const other = entries.attach(
    view,
    query('other', () => 'y'.repeat(800)),
    null,
  )
  await entries.refresh(snapshot, { onChange: () => {}, mustStop })
  expect(growing.text).toContain('results_too_large')
  expect(other.text).toContain('yyy')
})
