// The cache of open indexes: concurrent searches read a segment once.
import { afterEach, expect, it, vi } from 'vitest'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { SpaceVersion } from '../segments.store.ts'
import { buildSegment } from './build-segment.ts'
import { IndexCache } from './index-cache.ts'
import { noneDeleted } from './segment.ts'

const reads = vi.fn<() => Promise<Uint8Array>>()
const newCache = () =>
  new IndexCache(1_000_000, {
    listSegments: async () => [{ id: 'one', chunkCount: 1, deleted: noneDeleted(1) }],
    getBlob: reads,
  })

const ctx = {} as OrgStoreContext
const space = { id: 's' as Id<'knowledgeSpaces'>, version: 1 } as SpaceVersion
const hidden = { key: '', ids: async () => new Set<Id<'chunks'>>() }
const id = '0'.repeat(32) as Id<'chunks'>
const blob = buildSegment([{ id, title: '', headingPath: [], body: 'Delivery takes a day.', alsoAskedAs: [] }])
const soon = () => new Promise((resolve) => setTimeout(resolve, 5))

afterEach(() => reads.mockReset())

it('is read once for concurrent searches of a space that is not open yet', async () => {
  reads.mockImplementation(async () => {
    await soon()
    return blob
  })
  const cache = newCache()
  const found = await Promise.all(Array.from({ length: 20 }, () => cache.parts(ctx, space, hidden)))
  expect(reads).toHaveBeenCalledTimes(1)
  expect(new Set(found.map(([part]) => part?.open)).size).toBe(1)
})

it('is read by each for itself when the one who reads it fails', async () => {
  reads.mockRejectedValueOnce(new Error('The connection was lost.')).mockResolvedValue(blob)
  const cache = newCache()
  const [first, second] = await Promise.allSettled([cache.parts(ctx, space, hidden), cache.parts(ctx, space, hidden)])
  expect(first.status).toBe('rejected')
  expect(second.status).toBe('fulfilled')
})
