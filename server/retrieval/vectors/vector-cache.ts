// Vectors of spaces, kept in memory up to a number of bytes; the least recently searched spaces go first.
import type { OrgStoreContext } from '#server/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { lengthOf, quantise, similarity } from './quantised.ts'
import { listVectorKeys, listVectors } from './vectors.store.ts'

export type ServedSpace = { id: Id<'knowledgeSpaces'>; version: number; model: string }
export type Similar = { chunkId: Id<'chunks'>; similarity: number }

type Kept = { contentHash: string; vector: Int8Array; length: number }
type Entry = ServedSpace & { vectors: Map<Id<'chunks'>, Kept>; sizeBytes: number }

const VECTORS_PER_READ = 1_000
/** Of one vector beside its dimensions, roughly. */
const OVERHEAD_BYTES = 200

export class VectorCache {
  readonly #maxBytes: number
  /** By space, the least recently used first. */
  readonly #entries = new Map<string, Entry>()

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The chunks of a space nearest to a question, nearest first. */
  async nearest(ctx: OrgStoreContext, space: ServedSpace, question: Float32Array, most: number): Promise<Similar[]> {
    const { vectors } = await this.#open(ctx, space)
    const asked = quantise(question)
    const askedLength = lengthOf(asked)
    const all = Array.from(vectors, ([chunkId, { vector, length }]) => {
      return { chunkId, similarity: similarity(asked, vector, askedLength * length) }
    })
    return all.sort((a, b) => b.similarity - a.similarity || (a.chunkId < b.chunkId ? -1 : 1)).slice(0, most)
  }

  /** In the version that the caller's transaction sees; vectors that are known already are not read again. */
  async #open(ctx: OrgStoreContext, space: ServedSpace): Promise<Entry> {
    const known = this.#entries.get(space.id)
    const isSame = known?.version === space.version && known.model === space.model
    const entry = isSame ? known : await load(ctx, space, known?.model === space.model ? known : undefined)
    const latest = this.#entries.get(space.id)
    if (!latest || latest.version <= entry.version) this.#keep(entry)
    return entry
  }

  #keep(entry: Entry): void {
    this.#entries.delete(entry.id)
    this.#entries.set(entry.id, entry)
    let sizeBytes = [...this.#entries.values()].reduce((sum, each) => sum + each.sizeBytes, 0)
    for (const [id, oldest] of this.#entries) {
      if (sizeBytes <= this.#maxBytes || id === entry.id) break
      this.#entries.delete(id)
      sizeBytes -= oldest.sizeBytes
    }
  }
}

async function load(ctx: OrgStoreContext, space: ServedSpace, known: Entry | undefined): Promise<Entry> {
  const entry: Entry = { ...space, vectors: new Map(), sizeBytes: 0 }
  const missing: Id<'chunks'>[] = []
  for (const { chunkId, contentHash } of await listVectorKeys(ctx, space.id, space.model)) {
    const kept = known?.vectors.get(chunkId)
    if (kept?.contentHash === contentHash) entry.vectors.set(chunkId, kept)
    else missing.push(chunkId)
  }
  for (let at = 0; at < missing.length; at += VECTORS_PER_READ) {
    const read = await listVectors(ctx, space.model, missing.slice(at, at + VECTORS_PER_READ))
    for (const { chunkId, contentHash, vector } of read) {
      entry.vectors.set(chunkId, { contentHash, vector, length: lengthOf(vector) })
    }
  }
  for (const { vector } of entry.vectors.values()) entry.sizeBytes += vector.byteLength + OVERHEAD_BYTES
  return entry
}
