// The cache of vectors: concurrent searches read a space once.
import { expect, it, vi } from 'vitest'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { VectorCache } from './vector-cache.ts'

const key = { chunkId: 'c' as Id<'chunks'>, number: 0, contentHash: 'h' }
const reads = vi.fn<() => Promise<(typeof key & { vector: Int8Array })[]>>()
const newCache = () =>
  new VectorCache(1_000_000, { listVectorKeys: async () => [{ ...key, length: 2 }], listVectors: reads })

const hidden = { key: '', ids: async () => new Set<Id<'chunks'>>() }
const space = { id: 's' as Id<'knowledgeSpaces'>, version: 1, model: 'm', hidden }
const search = (cache: VectorCache) => cache.nearest({} as OrgStoreContext, space, Float32Array.of(1, 0), 5)

it('is read once for concurrent searches of a space that is not open yet', async () => {
  reads.mockReset().mockResolvedValue([{ ...key, vector: Int8Array.of(127, 0) }])
  const cache = newCache()
  const found = await Promise.all(Array.from({ length: 20 }, () => search(cache)))
  expect(found.every(([near]) => near?.chunkId === 'c')).toBe(true)
  expect(reads).toHaveBeenCalledTimes(1)
})

it('is read by each for itself when the one who reads it fails', async () => {
  reads.mockReset().mockRejectedValueOnce(new Error('The connection was lost.'))
  reads.mockResolvedValue([{ ...key, vector: Int8Array.of(127, 0) }])
  const cache = newCache()
  const [first, second] = await Promise.allSettled([search(cache), search(cache)])
  expect(first.status).toBe('rejected')
  expect(second).toMatchObject({ status: 'fulfilled', value: [{ chunkId: 'c' }] })
})
