// The loop that keeps every open client current: one snapshot, what it touched is run again, one Transition to each client concerned.
import type { Snapshot } from '#server/db/database.ts'
import type { Logger } from '#server/lib/logger.ts'
import type { Clock } from './clock.ts'
import { CommitOrder } from './commits.ts'
import { Entries } from './entries.ts'
import { textFrame } from './frames.ts'
import type { Host } from './host.ts'
import { Identities, type Identity } from './identities.ts'
import { FLUSH_PAUSE_MAX_MS, POLL_MS } from './limits.ts'
import { chunks, encodeU64, transition } from './protocol.ts'
import type { Delta, Moment, View } from './view.ts'

/** A connected client, as the flush sees it. */
export interface Audience {
  readonly view: View
  /** Whether a Transition may be sent now. If not, the client asks for a flush (`touch`) when it may. */
  readonly isListening: boolean
  /** The latest mutation timestamp that a Transition has yet to cover, or null. */
  readonly owedTs: bigint | null
  /** Websocket frames, ready to be written. */
  deliver(frames: readonly Buffer[]): void
  /** The session behind the client's token has ended. */
  loseIdentity(): void
}

/** Longest pause between attempts while the database cannot be read. */
const UNAVAILABLE_PAUSE_MAX_MS = 500

export class Flush {
  readonly entries = new Entries()
  readonly identities = new Identities()
  readonly commits: CommitOrder
  readonly #host: Host
  readonly #logger: Logger
  readonly #audiences = new Map<View, Audience>()
  /** Clients whose wishes have changed since the last flush began. */
  #arrivals = new Set<View>()
  /** Clients who may have to be told something. */
  readonly #concerned = new Set<View>()
  #position: string | null = null
  #isWanted = false
  #loop: Promise<void> | null = null
  #isClosed = false
  #poll: NodeJS.Timeout | null = null
  #transitions = 0
  readonly #stopListening: () => void

  constructor(host: Host, clock: Clock, logger: Logger) {
    this.#host = host
    this.#logger = logger
    this.commits = new CommitOrder(clock)
    this.#stopListening = host.onCommit(() => this.request())
  }

  add(audience: Audience): void {
    this.#audiences.set(audience.view, audience)
    this.#poll ??= setInterval(() => this.request(), POLL_MS).unref()
  }

  remove(audience: Audience): void {
    this.#audiences.delete(audience.view)
    this.#arrivals.delete(audience.view)
    this.#concerned.delete(audience.view)
    audience.view.release(this.entries)
    if (this.#audiences.size > 0 || !this.#poll) return
    clearInterval(this.#poll)
    this.#poll = null
  }

  /** The client wants other queries or is somebody else. */
  arrive(view: View): void {
    this.#arrivals.add(view)
    this.touch(view)
  }

  /** The client may have to be told something. */
  touch(view: View): void {
    if (!this.#audiences.has(view)) return
    this.#concerned.add(view)
    this.request()
  }

  /** Something may have changed: flushes soon, once for many requests. */
  request(): void {
    this.#isWanted = true
    if (this.#isClosed || this.#audiences.size === 0) return
    this.#loop ??= this.#run().finally(() => {
      this.#loop = null
      if (this.#isWanted) this.request()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopListening()
    if (this.#poll) clearInterval(this.#poll)
    await this.#loop
  }

  async #run(): Promise<void> {
    let failures = 0
    while (this.#isWanted && !this.#isClosed && this.#audiences.size > 0) {
      this.#isWanted = false
      const startedAt = performance.now()
      try {
        await this.#flush()
        failures = 0
        const took = performance.now() - startedAt
        if (this.#isWanted) await pause(Math.min(took, FLUSH_PAUSE_MAX_MS))
      } catch (error) {
        this.#isWanted = true
        this.#position = null
        if (failures++ === 0) this.#logger.error({ err: error }, 'live queries could not be refreshed')
        await pause(Math.min(50 * 2 ** failures, UNAVAILABLE_PAUSE_MAX_MS))
      }
    }
  }

  async #flush(): Promise<void> {
    const arrivals = this.#arrivals
    this.#arrivals = new Set()
    for (const view of arrivals) view.stage()
    const opened = this.commits.openSnapshot()
    let isOpen = false
    try {
      const { ts, settled } = await this.#host.snapshot(async (snapshot) => {
        isOpen = true
        const moment = opened(snapshot.position)
        await this.#refresh(snapshot, arrivals)
        return moment
      })
      await settled()
      this.#deliver({ ts, text: encodeU64(ts) })
    } catch (error) {
      if (!isOpen) opened(null)
      for (const view of arrivals) if (this.#audiences.has(view)) this.#arrivals.add(view)
      throw error
    } finally {
      this.commits.endFlush()
    }
  }

  async #refresh(snapshot: Snapshot, arrivals: Set<View>): Promise<void> {
    const changes = this.#position === null ? null : await snapshot.changesSince(this.#position)
    this.entries.markDirty(changes)
    this.identities.markDirty(changes)
    this.#position = snapshot.position
    this.#resolve(arrivals, await this.identities.refresh(snapshot, this.#host))
    await this.entries.refresh(snapshot, (entry) => {
      for (const view of entry.views) this.#concerned.add(view)
    })
  }

  /** Finds the entries of clients who have said something new, or are somebody else than they were. */
  #resolve(arrivals: Set<View>, seenDifferently: Set<Identity>): void {
    const views = new Set(arrivals)
    if (seenDifferently.size > 0) {
      for (const view of this.#audiences.keys())
        if (view.identity && seenDifferently.has(view.identity)) views.add(view)
    }
    for (const view of views) {
      const audience = this.#audiences.get(view)
      if (!audience) continue
      const viewer = view.identity ? view.identity.viewer : this.#host.nobody
      if (viewer) view.resolve(viewer, this.entries)
      else audience.loseIdentity()
      this.#concerned.add(view)
    }
  }

  #deliver(moment: Moment): void {
    const encoded = new Map<string, Buffer[]>()
    const concerned = [...this.#concerned]
    this.#concerned.clear()
    for (const view of concerned) {
      const audience = this.#audiences.get(view)
      if (!audience?.isListening || !view.isResolved) continue
      const owed = audience.owedTs
      const delta = view.take(moment, owed !== null && owed <= moment.ts && !view.hasSeen(owed))
      if (delta) audience.deliver(this.#encode(delta, encoded))
      if (owed !== null && owed > moment.ts) this.touch(view)
    }
  }

  /** The frames of a Transition, made once for all clients who are to be told exactly the same. */
  #encode(delta: Delta, encoded: Map<string, Buffer[]>): Buffer[] {
    let frames = encoded.get(delta.key)
    if (!frames) {
      const text = transition(delta.start, delta.end, delta.modifications())
      frames = chunks(text, () => `${++this.#transitions}`).map(textFrame)
      encoded.set(delta.key, frames)
    }
    return frames
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
