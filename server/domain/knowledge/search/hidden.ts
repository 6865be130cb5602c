// What of a space one search may not find. It is left out before anything is ranked: ten results are ten, and what is hidden decides nothing.
import { createHash } from 'node:crypto'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { listHiddenIds, type SearchedSpace } from './hidden-sources.store.ts'

/** `key` says which chunks, in one version of the space; empty: none. They are only read where a cache does not know the key yet. */
export type Hidden = { key: string; ids(): Promise<ReadonlySet<Id<'chunks'>>> }

/** Cut-outs that are kept for one space. */
const KEPT = 8

/** What a search of the space must exclude; `passed` as counted there. To be used within the caller's transaction. */
export function hiddenIn(ctx: OrgStoreContext, space: SearchedSpace, passed: number): Hidden {
  let ids: ReturnType<Hidden['ids']> | undefined
  return {
    key: keyOf(space, passed),
    ids() {
      ids ??= listHiddenIds(ctx, space)
      return ids
    },
  }
}

/** In one version of a space the same is hidden wherever kinds, tags and languages are the same and no time has begun or ended. A digest: tags may be long. */
function keyOf({ withoutKinds, limits }: SearchedSpace, passed: number): string {
  if (withoutKinds.length === 0 && !limits) return ''
  const asked = [
    [...withoutKinds].sort(),
    [...(limits?.tags ?? [])].sort(),
    [...(limits?.languages ?? [])].sort(),
    passed,
  ]
  return createHash('sha256').update(JSON.stringify(asked)).digest('base64url')
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
