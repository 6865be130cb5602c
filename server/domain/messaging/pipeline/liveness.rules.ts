// When a server counts as dead: not by one look, since a server whose connection was lost takes its lock again in a moment.

/** A lock that was found free for so long has no owner any more. */
const SETTLED_MS = 700
/** Looks further apart than this say nothing of the time between them. */
const APART_MS = 3000

/** What has been seen of the locks of servers. Times are milliseconds of one clock. */
export class Sightings {
  readonly #free = new Map<number, { since: number; seenAt: number }>()

  /** Notes one look at the lock of a server. @returns whether that server is dead */
  note(owner: number, isFree: boolean, now: number): boolean {
    const before = this.#free.get(owner)
    this.#free.delete(owner)
    if (!isFree) return false
    const since = before && now - before.seenAt <= APART_MS ? before.since : now
    this.#free.set(owner, { since, seenAt: now })
    return now - since >= SETTLED_MS
  }

  /** This server could not look: what it has seen before says nothing any more. */
  forget(): void {
    this.#free.clear()
  }
}
