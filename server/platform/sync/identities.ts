// Who is behind the tokens of open connections: read once for all sockets of a session, and again whenever the database says
// that the person, their role, their membership or the session itself has changed.
import type { Change, Snapshot } from '#server/platform/db/database.ts'
import { DependencyIndex } from './dependency-index.ts'
import type { Claims, Host, Viewer } from './host.ts'

/** One signed-in session. `viewer`: undefined until it was read, null when the session has ended. */
export type Identity = {
  readonly key: string
  readonly claims: Claims
  viewer: Viewer | null | undefined
  users: number
}

export class Identities {
  readonly #byKey = new Map<string, Identity>()
  readonly #index = new DependencyIndex<Identity>()
  readonly #dirty = new Set<Identity>()

  /** The identity behind claims. A newer token of the same session and organization is the same identity. Give it back with `release`. */
  acquire(claims: Claims): Identity {
    const key = `${claims.userId}|${claims.sessionId}|${claims.namedOrganizationId ?? ''}`
    let identity = this.#byKey.get(key)
    if (!identity) {
      identity = { key, claims, viewer: undefined, users: 0 }
      this.#byKey.set(key, identity)
      this.#dirty.add(identity)
    }
    identity.users++
    return identity
  }

  release(identity: Identity): void {
    if (--identity.users > 0) return
    this.#byKey.delete(identity.key)
    this.#dirty.delete(identity)
    this.#index.delete(identity)
  }

  /** Whether the changes affect any identity. */
  isTouched(changes: Change[]): boolean {
    return this.#index.touches(changes)
  }

  /** Marks what the changes touch; null: everything. */
  markDirty(changes: Change[] | null): void {
    const touched = changes ? this.#index.lookup(changes) : this.#byKey.values()
    for (const identity of touched) this.#dirty.add(identity)
  }

  /** Reads what is marked again and returns those that are seen differently now. */
  async refresh(snapshot: Snapshot, host: Host): Promise<Set<Identity>> {
    const changed = new Set<Identity>()
    for (const identity of [...this.#dirty]) {
      const { viewer, dependencies } = await host.viewer(snapshot, identity.claims)
      if (identity.users === 0) continue
      this.#dirty.delete(identity)
      this.#index.set(identity, dependencies)
      if (identity.viewer?.key !== viewer?.key || identity.viewer === undefined) changed.add(identity)
      identity.viewer = viewer
    }
    return changed
  }
}
