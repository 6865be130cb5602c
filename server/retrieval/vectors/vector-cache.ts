// Vectors of spaces, kept in memory up to a number of bytes; the least recently searched spaces go first.
import type { OrgStoreContext } from '#server/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { VectorBlock } from './vector-block.ts'
import { listVectorKeys, listVectors, type VectorKey } from './vectors.store.ts'

export type ServedSpace = { id: Id<'knowledgeSpaces'>; version: number; model: string }
export type Similar = { chunkId: Id<'chunks'>; similarity: number }

/** `keys` in the order in which the block holds their vectors. */
type Entry = ServedSpace & { keys: VectorKey[]; block: VectorBlock; sizeBytes: number }

const VECTORS_PER_READ = 1_000
/** Of the key of one vector, roughly. */
const KEY_BYTES = 250

export class VectorCache {
  readonly #maxBytes: number
  /** By space, the least recently used first. */
  readonly #entries = new Map<string, Entry>()

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The chunks of a space nearest to a question, nearest first. */
  async nearest(ctx: OrgStoreContext, space: ServedSpace, question: Float32Array, most: number): Promise<Similar[]> {
    const { keys, block } = await this.#open(ctx, space)
    return block.nearest(question, most).flatMap(({ at, similarity }) => {
      const key = keys[at]
      return key ? [{ chunkId: key.chunkId, similarity }] : []
    })
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
  const wanted = await listVectorKeys(ctx, space.id, space.model)
  const places = new Map(known?.keys.map((key, at) => [keyOf(key), at]))
  const missing = wanted.filter((key) => !places.has(keyOf(key)))
  const keys: VectorKey[] = []
  let block: VectorBlock | undefined
  const add = (key: VectorKey, vector: Int8Array) => {
    block ??= new VectorBlock(vector.length, wanted.length)
    if (vector.length !== block.dimensions) return // never compared with the others
    keys.push(key)
    block.add(vector)
  }
  for (const key of wanted) {
    const at = places.get(keyOf(key))
    if (known && at !== undefined) add(key, known.block.at(at))
  }
  for (let at = 0; at < missing.length; at += VECTORS_PER_READ) {
    const ids = missing.slice(at, at + VECTORS_PER_READ).map((key) => key.chunkId)
    for (const { vector, ...key } of await listVectors(ctx, space.model, ids)) add(key, vector)
  }
  block ??= new VectorBlock(0, 0)
  return { ...space, keys, block, sizeBytes: block.sizeBytes + keys.length * KEY_BYTES }
}

function keyOf({ chunkId, contentHash }: VectorKey): string {
  return `${chunkId} ${contentHash}`
}
