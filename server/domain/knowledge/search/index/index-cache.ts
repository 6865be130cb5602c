// Open indexes of spaces, kept in memory up to a number of bytes; the least recently searched go first.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { CutOuts, type Hidden } from '../hidden.ts'
import { getBlob, listSegments, type SpaceVersion } from '../segments.store.ts'
import { IndexPart, OpenSegment, partWithout } from './searched-index.ts'
import { openSegment } from './segment.ts'

/** An index in one of its versions. Sizes count the blobs: lookups made from them cost about as much again. */
type Entry = {
  version: number
  segments: Map<string, OpenSegment>
  parts: IndexPart[]
  cutOuts: CutOuts<IndexPart[]>
  sizeBytes: number
}

type Reads = { listSegments: typeof listSegments; getBlob: typeof getBlob }

export class IndexCache {
  readonly #maxBytes: number
  readonly #reads: Reads
  /** By space, the least recently used first. Space ids are unique over all organizations. */
  readonly #entries = new Map<string, Entry>()
  /** Segments being read, by id: concurrent searches of a space that is not open yet share one read. */
  readonly #opening = new Map<string, Promise<OpenSegment>>()
  #sizeBytes = 0

  /** @param reads where segments are read from */
  constructor(maxBytes: number, reads: Reads = { listSegments, getBlob }) {
    this.#maxBytes = maxBytes
    this.#reads = reads
  }

  get sizeBytes(): number {
    return this.#sizeBytes
  }

  /**
   * The parts of a space's index in the version that the caller's transaction sees. Segments are immutable, so those open in an older
   * version are reused; only new ones are read.
   */
  async parts(ctx: OrgStoreContext, space: SpaceVersion, hidden: Hidden): Promise<IndexPart[]> {
    const { parts, cutOuts } = await this.#entry(ctx, space)
    if (hidden.key === '') return parts
    return cutOuts.get(hidden, (ids) => parts.map((part) => partWithout(part, placesOf(part, ids))))
  }

  async #entry(ctx: OrgStoreContext, space: SpaceVersion): Promise<Entry> {
    const known = this.#entries.get(space.id)
    if (known?.version === space.version) {
      this.#entries.delete(space.id)
      this.#entries.set(space.id, known)
      return known
    }
    const entry = await this.#load(ctx, space, known?.segments ?? new Map())
    const latest = this.#entries.get(space.id)
    if (!latest || latest.version < entry.version) this.#keep(space.id, entry)
    return entry
  }

  async #load(ctx: OrgStoreContext, space: SpaceVersion, known: Map<string, OpenSegment>): Promise<Entry> {
    const segments = new Map<string, OpenSegment>()
    const entry: Entry = { version: space.version, segments, parts: [], cutOuts: new CutOuts(), sizeBytes: 0 }
    for (const { id, deleted } of await this.#reads.listSegments(ctx, space.id)) {
      const open = known.get(id) ?? (await this.#open(ctx, space.id, id))
      entry.segments.set(id, open)
      entry.parts.push(new IndexPart(open, deleted))
      entry.sizeBytes += open.segment.sizeBytes
    }
    return entry
  }

  /** Read by the first caller; when that fails, each reads by itself, since the failed transaction was another's. */
  async #open(ctx: OrgStoreContext, spaceId: SpaceVersion['id'], id: string): Promise<OpenSegment> {
    const read = async () => new OpenSegment(openSegment(await this.#reads.getBlob(ctx, spaceId, id)))
    const opening = this.#opening.get(id)
    if (opening) return opening.catch(read)
    const first = read()
    this.#opening.set(id, first)
    return first.finally(() => this.#opening.delete(id))
  }

  #keep(spaceId: string, entry: Entry): void {
    this.#drop(spaceId)
    this.#entries.set(spaceId, entry)
    this.#sizeBytes += entry.sizeBytes
    for (const oldest of this.#entries.keys()) {
      if (this.#sizeBytes <= this.#maxBytes || oldest === spaceId) break
      this.#drop(oldest)
    }
  }

  #drop(spaceId: string): void {
    this.#sizeBytes -= this.#entries.get(spaceId)?.sizeBytes ?? 0
    this.#entries.delete(spaceId)
  }
}

function* placesOf({ open: { segment } }: IndexPart, ids: ReadonlySet<string>): Generator<number> {
  for (let local = 0; local < segment.chunkCount; local++) if (ids.has(segment.chunkIdAt(local))) yield local
}
