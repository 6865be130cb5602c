// Vectors of spaces, kept in memory up to a number of bytes; the least recently searched spaces go first.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { CutOuts, type Hidden } from '../hidden.ts'
import { VectorBlock } from './vector-block.ts'
import { type KeptVector, listVectorKeys, listVectors } from './vectors.store.ts'

export type ServedSpace = { id: Id<'knowledgeSpaces'>; version: number; model: string }
export type Similar = { chunkId: Id<'chunks'>; similarity: number }

/** `keys` in the order in which the block holds their vectors. */
type Entry = ServedSpace & { keys: KeptVector[]; block: VectorBlock; cutOuts: CutOuts<Uint8Array>; sizeBytes: number }

const CHUNKS_PER_READ = 500
/** A chunk and the questions that a model writes for it. */
const VECTORS_PER_CHUNK = 4
/** Of the key of one vector, roughly. */
const KEY_BYTES = 250

type Reads = { listVectorKeys: typeof listVectorKeys; listVectors: typeof listVectors }

export class VectorCache {
  readonly #maxBytes: number
  readonly #reads: Reads
  /** By space, the least recently used first. */
  readonly #entries = new Map<string, Entry>()
  /** Being read, by space, version and model: concurrent searches of a space that is not open yet share one read. */
  readonly #opening = new Map<string, Promise<Entry>>()

  /** @param reads where vectors are read from */
  constructor(maxBytes: number, reads: Reads = { listVectorKeys, listVectors }) {
    this.#maxBytes = maxBytes
    this.#reads = reads
  }

  /** The chunks of a space nearest to a question, by their text or by one of their generated questions; nearest first. */
  async nearest(
    ctx: OrgStoreContext,
    { hidden, ...space }: ServedSpace & { hidden: Hidden },
    question: Float32Array,
    most: number,
  ): Promise<Similar[]> {
    const { keys, block, cutOuts } = await this.#open(ctx, space)
    const isHidden =
      hidden.key === ''
        ? undefined
        : await cutOuts.get(hidden, (ids) => Uint8Array.from(keys, ({ chunkId }) => (ids.has(chunkId) ? 1 : 0)))
    const best = new Map<Similar['chunkId'], number>()
    for (const { at, similarity } of block.nearest(question, most * VECTORS_PER_CHUNK, isHidden)) {
      const chunkId = keys[at]?.chunkId
      if (chunkId !== undefined && !best.has(chunkId)) best.set(chunkId, similarity)
    }
    return Array.from(best, ([chunkId, similarity]) => ({ chunkId, similarity })).slice(0, most)
  }

  /** In the version that the caller's transaction sees; vectors that are known already are not read again. */
  async #open(ctx: OrgStoreContext, space: ServedSpace): Promise<Entry> {
    const known = this.#entries.get(space.id)
    const isSame = known?.version === space.version && known.model === space.model
    const entry = isSame ? known : await this.#load(ctx, space, known?.model === space.model ? known : undefined)
    const latest = this.#entries.get(space.id)
    if (!latest || latest.version <= entry.version) this.#keep(entry)
    return entry
  }

  /** Read by the first caller; when that fails, each reads by itself, since the failed transaction was another's. */
  async #load(ctx: OrgStoreContext, space: ServedSpace, known: Entry | undefined): Promise<Entry> {
    const key = `${space.id} ${space.version} ${space.model}`
    const opening = this.#opening.get(key)
    if (opening) return opening.catch(() => load(this.#reads, ctx, space, known))
    const first = load(this.#reads, ctx, space, known)
    this.#opening.set(key, first)
    return first.finally(() => this.#opening.delete(key))
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

async function load(reads: Reads, ctx: OrgStoreContext, space: ServedSpace, known: Entry | undefined): Promise<Entry> {
  const wanted = await reads.listVectorKeys(ctx, space.id, space.model)
  const places = new Map(known?.keys.map((key, at) => [keyOf(key), at]))
  const missing = new Map(wanted.filter((key) => !places.has(keyOf(key))).map((key) => [keyOf(key), key.chunkId]))
  const missingFrom = [...new Set(missing.values())]
  const keys: KeptVector[] = []
  let block: VectorBlock | undefined
  const add = (key: KeptVector, vector: Int8Array) => {
    block ??= new VectorBlock(vector.length, wanted.length)
    if (vector.length !== block.dimensions) return // never compared with the others
    keys.push(key)
    block.add(vector)
  }
  for (const key of wanted) {
    const at = places.get(keyOf(key))
    if (known && at !== undefined) add(key, known.block.at(at))
  }
  for (let at = 0; at < missingFrom.length; at += CHUNKS_PER_READ) {
    const ids = missingFrom.slice(at, at + CHUNKS_PER_READ)
    for (const { vector, ...rest } of await reads.listVectors(ctx, space.model, ids)) {
      const key = { ...rest, length: vector.length }
      if (missing.has(keyOf(key))) add(key, vector)
    }
  }
  block ??= new VectorBlock(0, 0)
  return { ...space, keys, block, cutOuts: new CutOuts(), sizeBytes: block.sizeBytes + keys.length * KEY_BYTES }
}

/** A vector that was recomputed with another length is a different one. */
function keyOf({ chunkId, number, contentHash, length }: KeptVector): string {
  return `${chunkId} ${number} ${contentHash} ${length}`
}
