// Which finished work on documents, tables and sites is reported.
import { expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { DocumentWork, WorkItem } from '#shared/knowledge/knowledge.ts'
import type { SiteWorkItem } from '#shared/knowledge/sites.ts'
import type { TableWorkItem } from '#shared/knowledge/tables.ts'
import { endedSince as endedSinceAwaiting } from './ended.rules.ts'
import { allWork, type Work, type WorkEntry } from './work.rules.ts'

const item = (name: string, status: WorkItem['status'], errorReason: WorkItem['errorReason'] = null): WorkItem => ({
  _id: name as Id<'documents'>,
  name,
  status,
  progress: 0,
  errorReason,
  spaceSlug: 's',
  spaceName: 'S',
})
const table = (status: TableWorkItem['status'], total: number | null = null): TableWorkItem => ({
  _id: 't' as Id<'tables'>,
  name: 'Prices.csv',
  status,
  errorReason: null,
  chunks: { total, ready: 2, failed: 1 },
  spaceSlug: 's',
})
const site = (status: SiteWorkItem['status'], done = 3): SiteWorkItem => ({
  _id: 'w' as Id<'sites'>,
  url: 'https://shop.example/help/',
  status,
  errorReason: status === 'error' ? 'robots' : null,
  pages: { pending: 6, done, failed: 0, skipped: 0 },
  spaceSlug: 's',
})
const nothing = { unfinished: [], ended: [] }
const endedSince = (before: Work | undefined, now: Work) => endedSinceAwaiting(before, now, new Set())
const names = (items: WorkEntry[]) => items.map(({ name }) => name)

it('reports what was unfinished and has ended since, except cancelled work', () => {
  const before: Omit<DocumentWork, 'unlisted'> = {
    unfinished: ['a', 'b', 'c', 'd'].map((name) => item(name, 'processing')),
    ended: [item('old', 'ready')],
  }
  const now: Omit<DocumentWork, 'unlisted'> = {
    unfinished: [item('d', 'processing')],
    ended: [item('a', 'ready'), item('b', 'error', 'empty'), item('c', 'error', 'cancelled'), item('old', 'ready')],
  }
  const { ready, failed } = endedSince(allWork(before, nothing, nothing), allWork(now, nothing, nothing))
  expect([names(ready), names(failed)]).toEqual([['a'], ['b']])
})

it('reports nothing on the first snapshot', () => {
  const now = allWork({ unfinished: [], ended: [item('a', 'ready')] }, nothing, nothing)
  expect(endedSince(undefined, now)).toEqual({ ready: [], failed: [] })
})

it('reports awaited work that was never seen unfinished, even on the first snapshot', () => {
  const now = allWork({ unfinished: [], ended: [item('sent', 'ready'), item('old', 'ready')] }, nothing, nothing)
  for (const before of [undefined, allWork(nothing, nothing, nothing)]) {
    expect(names(endedSinceAwaiting(before, now, new Set(['sent'])).ready)).toEqual(['sent'])
  }
})

it('reports tables and sites as well, and not a stopped site', () => {
  const before = allWork(
    nothing,
    { unfinished: [table('analyzing')], ended: [] },
    { unfinished: [site('syncing')], ended: [] },
  )
  const after = (status: SiteWorkItem['status']) =>
    allWork(nothing, { unfinished: [], ended: [table('ready')] }, { unfinished: [], ended: [site(status)] })
  const { ready, failed } = endedSince(before, after('error'))
  expect([names(ready), names(failed)]).toEqual([['Prices.csv'], ['shop.example/help']])
  expect(endedSince(before, after('stopped')).failed).toEqual([])
})

it('does not report a table whose import was cancelled', () => {
  const before = allWork(nothing, { unfinished: [table('importing', 12)], ended: [] }, nothing)
  const after = (total: number | null) => allWork(nothing, { unfinished: [], ended: [table('ready', total)] }, nothing)
  expect(names(endedSince(before, after(12)).ready)).toEqual(['Prices.csv'])
  expect(endedSince(before, after(null))).toEqual({ ready: [], failed: [] })
})

it('computes the progress of tables and sites, where it can be known', () => {
  const progress = (status: TableWorkItem['status'], total: number | null, reading: SiteWorkItem) =>
    allWork(
      nothing,
      { unfinished: [table(status, total)], ended: [] },
      { unfinished: [reading], ended: [] },
    ).unfinished.map((entry) => [entry.step, entry.progress, entry.canCancel])
  expect(progress('importing', 12, site('syncing'))).toEqual([
    ['importing', 0.25, true],
    ['reading', 1 / 3, true],
  ])
  expect(progress('analyzing', null, site('removing', 0))).toEqual([
    ['analyzing', null, true],
    ['removing', null, false],
  ])
})
