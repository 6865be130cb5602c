// The loop that keeps the clients of a lane current: opens one snapshot, re-runs the affected queries, sends one Transition to each
// affected client.
import type { Change, Snapshot } from '#server/platform/db/database.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import type { Party } from '#server/platform/lib/scheduling/fair-queue.ts'
import type { Clock } from './clock.ts'
import { CommitOrder } from './commits.ts'
import { Entries } from './entries.ts'
import { type SharedMessage, sharedMessage } from './frames.ts'
import type { Host } from './host.ts'
import { Identities, type Identity } from './identities.ts'
import { COMPRESS_FOR, CUTS_MAX, FLUSH_PAUSE_MAX_MS } from './limits.ts'
import { encodeU64, transition } from './protocol.ts'
import type { Delta, Moment, View } from './view.ts'

/** A connected client, as the flush sees it. */
export interface Client {
  readonly view: View
  /** Whether a Transition may be sent now. If not, the client calls `markDirty` or `resume` when it may. */
  readonly isListening: boolean
  /** The latest mutation timestamp that a Transition has yet to cover, or null. */
  readonly pendingTs: bigint | null
  /** The messages of one Transition, which other clients may share. `isNewIdentity`: it confirms an Authenticate. */
  deliver(messages: readonly SharedMessage[], isNewIdentity: boolean): void
  /** The session behind the client's token has ended. */
  loseIdentity(): void
}

/** Longest pause between attempts while the database cannot be read. */
const UNAVAILABLE_PAUSE_MAX_MS = 500

export class SubscriptionBroadcaster {
  readonly entries = new Entries<View>()
  readonly identities = new Identities()
  readonly commits: CommitOrder
  readonly #host: Host
  readonly #logger: Logger
  readonly #party: Party
  readonly #clients = new Map<View, Client>()
  /** Clients whose query set changed since the last flush began. */
  #arrivals = new Set<View>()
  /** Clients that may need a Transition. */
  readonly #concerned = new Set<View>()
  /** Those of them that were not ready for the state before. */
  readonly #waiting = new Set<View>()
  #position: string | null = null
  #isWanted = false
  #loop: Promise<void> | null = null
  #isClosed = false
  /** Consecutive flushes that had to stop early. */
  #cuts = 0
  #transitions = 0

  constructor(host: Host, { clock, logger, party }: { clock: Clock; logger: Logger; party: Party }) {
    this.#host = host
    this.#logger = logger
    this.#party = party
    this.commits = new CommitOrder(clock)
  }

  add(client: Client): void {
    this.#clients.set(client.view, client)
  }

  remove(client: Client): void {
    this.#clients.delete(client.view)
    this.#arrivals.delete(client.view)
    this.#concerned.delete(client.view)
    this.#waiting.delete(client.view)
    client.view.release(this.entries)
  }

  /** The client moves to another lane, with its queries and its shown state. */
  dismiss(client: Client): void {
    this.#clients.delete(client.view)
    this.#arrivals.delete(client.view)
    this.#concerned.delete(client.view)
    this.#waiting.delete(client.view)
    client.view.leaveEntries(this.entries)
  }

  /** What was committed up to a position; null: unknown. Only changes that affect a result here cause a flush. */
  observe(position: string, changes: Change[] | null): void {
    if (changes === null) this.#position = null
    // A query that is running may turn out to depend on it.
    const isIdle = this.#loop === null && !this.#isWanted && this.#position !== null
    const isTouched = (written: Change[]) => this.entries.isTouched(written) || this.identities.isTouched(written)
    if (isIdle && changes !== null && !isTouched(changes)) this.#position = position
    else this.request()
  }

  /** The client changed its query set or its identity. */
  subscribe(view: View): void {
    this.#arrivals.add(view)
    this.markDirty(view)
  }

  /** The client may need a Transition. */
  markDirty(view: View): void {
    if (!this.#clients.has(view)) return
    this.#concerned.add(view)
    this.request()
  }

  /** The client is ready again; if something changed meanwhile, it gets the newest state. */
  resume(view: View): void {
    if (this.#waiting.delete(view)) this.markDirty(view)
  }

  /** Something may have changed: flushes soon, once for many requests. */
  request(): void {
    this.#isWanted = true
    if (this.#isClosed || this.#clients.size === 0) return
    this.#loop ??= this.#run().finally(() => {
      this.#loop = null
      if (this.#isWanted) this.request()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#loop
  }

  async #run(): Promise<void> {
    let failures = 0
    while (this.#isWanted && !this.#isClosed && this.#clients.size > 0) {
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
      }, this.#party)
      await settled()
      this.#deliver({ ts, text: encodeU64(ts) })
    } catch (error) {
      if (!isOpen) opened(null)
      for (const view of arrivals) if (this.#clients.has(view)) this.#arrivals.add(view)
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
    const isDone = await this.entries.refresh(snapshot, {
      onChange: (entry) => {
        for (const view of entry.views) this.#concerned.add(view)
      },
      mayGoOn: () => this.#mayGoOn(snapshot),
    })
    this.#cuts = isDone ? 0 : this.#cuts + 1
    if (!isDone) this.#isWanted = true
  }

  /** Whether a flush goes on with its snapshot. In the end it must, slowly: a constant writer would otherwise never see any result. */
  async #mayGoOn(snapshot: Snapshot): Promise<boolean> {
    if (this.#isClosed) return false
    if (!snapshot.shouldYield()) return true
    if (this.#cuts < CUTS_MAX) return false
    await snapshot.rest()
    return true
  }

  /** Finds the entries of clients whose query set or identity changed. */
  #resolve(arrivals: Set<View>, seenDifferently: Set<Identity>): void {
    const views = new Set(arrivals)
    if (seenDifferently.size > 0) {
      for (const view of this.#clients.keys()) if (view.identity && seenDifferently.has(view.identity)) views.add(view)
    }
    for (const view of views) {
      const client = this.#clients.get(view)
      if (!client) continue
      const viewer = view.identity ? view.identity.viewer : this.#host.anonymous
      if (viewer) view.resolve(viewer, this.entries)
      else client.loseIdentity()
      this.#concerned.add(view)
    }
  }

  #deliver(moment: Moment): void {
    const concerned = [...this.#concerned]
    this.#concerned.clear()
    const alike = new Map<string, { delta: Delta; clients: Client[] }>()
    for (const view of concerned) {
      const client = this.#clients.get(view)
      const delta = client && this.#takeFor(client, moment)
      if (!delta) continue
      const group = alike.get(delta.key)
      if (group) group.clients.push(client)
      else alike.set(delta.key, { delta, clients: [client] })
    }
    for (const { delta, clients } of alike.values()) {
      const messages = this.#encode(delta, clients.length >= COMPRESS_FOR)
      const isNewIdentity = delta.start.identity !== delta.end.identity
      for (const client of clients) client.deliver(messages, isNewIdentity)
    }
  }

  /** The Transition that a client is owed; marks it as sent. */
  #takeFor(client: Client, moment: Moment): Delta | undefined {
    const { view, pendingTs } = client
    if (!view.isResolved) return undefined
    if (!client.isListening) {
      this.#waiting.add(view)
      return undefined
    }
    if (view.isBehind) {
      this.#concerned.add(view)
      return undefined
    }
    if (pendingTs !== null && pendingTs > moment.ts) this.markDirty(view)
    return view.take(moment, pendingTs !== null && pendingTs <= moment.ts && !view.hasSeen(pendingTs))
  }

  /** Encodes a Transition, once for all clients that receive the same one. */
  #encode(delta: Delta, isForMany: boolean): SharedMessage[] {
    const versions = { start: delta.start, end: delta.end, serverTs: BigInt(Date.now()) * 1_000_000n }
    const pieces = transition(versions, delta.modifications(), { transitionId: () => `${++this.#transitions}` })
    return pieces.map(({ opening, rest }) => sharedMessage(opening, rest, isForMany))
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
