// What is news about documents.
import { expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { DocumentWork, WorkItem } from '#shared/knowledge.ts'
import { endedSince } from './ended.rules.ts'

const item = (name: string, status: WorkItem['status'], errorReason: WorkItem['errorReason'] = null): WorkItem => ({
  _id: name as Id<'documents'>,
  name,
  status,
  progress: 0,
  errorReason,
  spaceSlug: 's',
  spaceName: 'S',
})
const names = (items: WorkItem[]) => items.map(({ name }) => name)

it('is what was unfinished before and has ended now, except what somebody has cancelled', () => {
  const before: DocumentWork = {
    unfinished: ['a', 'b', 'c', 'd'].map((name) => item(name, 'processing')),
    ended: [item('old', 'ready')],
  }
  const now: DocumentWork = {
    unfinished: [item('d', 'processing')],
    ended: [item('a', 'ready'), item('b', 'error', 'empty'), item('c', 'error', 'cancelled'), item('old', 'ready')],
  }
  const { ready, failed } = endedSince(before, now)
  expect([names(ready), names(failed)]).toEqual([['a'], ['b']])
})

it('is nothing at the first look', () => {
  expect(endedSince(undefined, { unfinished: [], ended: [item('a', 'ready')] })).toEqual({ ready: [], failed: [] })
})
