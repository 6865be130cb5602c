// What of a space one search may not find. It is left out before anything is ranked: ten results are ten, and what is hidden decides nothing.
import { createHash } from 'node:crypto'
import type { OrgStoreContext } from '#server/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { listHiddenIds, type SearchedSpace } from './hits.store.ts'

/** `key` says which chunks, in one version of the space; empty: none. They are only read where a cache does not know the key yet. */
export type Hidden = { key: string; ids(): Promise<ReadonlySet<Id<'chunks'>>> }

/** Cut-outs that are kept for one space. */
const KEPT = 8

/** What a search of the space is kept from. To be used within the caller's transaction. */
export function hiddenIn(ctx: OrgStoreContext, space: SearchedSpace): Hidden {
  let ids: ReturnType<Hidden['ids']> | undefined
  return {
    key: keyOf([...space.withoutKinds, ...space.withoutSources]),
    ids() {
      ids ??= listHiddenIds(ctx, space)
      return ids
    },
  }
}

/** A digest: a cache keeps several keys for each space, and a tag may hide very many sources. */
function keyOf(names: string[]): string {
  return names.length === 0 ? '' : createHash('sha256').update(names.sort().join()).digest('base64url')
}

/** Cut-outs of one version of a space, by key; the oldest go first. */
export class CutOuts<Part> {
  readonly #known = new Map<string, Part>()

  /** Made once for a key. */
  async get({ key, ids }: Hidden, make: (hidden: ReadonlySet<Id<'chunks'>>) => Part): Promise<Part> {
    const known = this.#known.get(key)
    if (known) return known
    const made = make(await ids())
    this.#known.set(key, made)
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= KEPT) break
      this.#known.delete(oldest)
    }
    return made
  }
}
