// The state of one client: its queries, what it was sent for each, and the chain of versions between the two sides.
//
//   announced (by messages) ──stage()──► staged (when a flush begins) ──resolve()──► resolved (entries known) ──take()──► shown
//
// A flush works only with what was staged before its snapshot, so its results are never older than the client's request.
import { AppError } from '#shared/errors.ts'
import { refusalOf, weightOf } from './budget.ts'
import type { Entries, Entry } from './entries.ts'
import type { Viewer } from './host.ts'
import type { Identity } from './identities.ts'
import {
  type AddQuery,
  encodeU64,
  type ModifyQuerySet,
  modification,
  removal,
  resultText,
  type StateVersion,
} from './protocol.ts'

type Subscription = {
  queryId: number
  wish: AddQuery
  /** Until released, the query counts against the client's limit. */
  release: () => void
  entry: Entry<View> | null
  /** The result text that the client has. */
  sent: string | null
}
type Wish = { querySet: number; identityVersion: number; identity: Identity | null }
type Change =
  | { type: 'Add'; wish: AddQuery; release: () => void }
  | { type: 'Refuse'; queryId: number; text: string }
  | { type: 'Remove'; queryId: number }

/** Charges a client for a query. @throws AppError when there is no room for another */
type ChargeQuery = (bytes: number) => { release(): void }

/** A timestamp and its encoding. */
export type Moment = { ts: bigint; text: string }

/** The parts of a Transition. Equal keys (within one flush) mean equal texts, so the text can be encoded once for many clients. */
export type Delta = { key: string; start: StateVersion; end: StateVersion; modifications: () => string[] }

export class View {
  readonly #subscriptions = new Map<number, Subscription>()
  readonly #ids = new Set<number>()
  readonly #removed: number[] = []
  /** Queries refused for lack of room, and the error to send; forgotten once sent. */
  readonly #refused = new Map<number, string>()
  /** The same for queries that no flush has resolved yet. */
  #refusalsAhead = 0
  #announced: Wish = { querySet: 0, identityVersion: 0, identity: null }
  #announcedChanges: Change[] = []
  #staged: Wish = this.#announced
  #stagedChanges: Change[] = []
  #resolved: Wish = this.#announced
  #viewer: Viewer | null = null
  #shown: StateVersion = { querySet: 0, identity: 0, ts: encodeU64(0n) }
  #shownTs = 0n
  /** Added to every timestamp of this connection. */
  offset = 0n

  /** The identity of the staged state; null: anonymous. */
  get identity(): Identity | null {
    return this.#staged.identity
  }
  get announcedIdentity(): Identity | null {
    return this.#announced.identity
  }
  get identityVersion(): number {
    return this.#announced.identityVersion
  }
  /** Whether the client has sent its query set, and a flush has resolved it. */
  get isResolved(): boolean {
    return this.#resolved.querySet > 0
  }

  /** How many refusals were not sent to the client yet. */
  get refusals(): number {
    return this.#refused.size + this.#refusalsAhead
  }

  /** Applies a change of the query set. False: its base is not the last announced version. */
  modify({ baseVersion, newVersion, modifications }: ModifyQuerySet, charge: ChargeQuery): boolean {
    if (baseVersion !== this.#announced.querySet || newVersion <= baseVersion) return false
    for (const change of modifications) {
      if (change.type === 'Remove') {
        this.#ids.delete(change.queryId)
        // Others may take its place in the same message. A query unknown to any flush counts until one has seen its removal.
        this.#subscriptions.get(change.queryId)?.release()
        this.#announcedChanges.push(change)
        continue
      }
      if (this.#ids.has(change.queryId)) return false
      const taken = admitted(change, charge)
      if (taken.type === 'Add') this.#ids.add(change.queryId)
      else this.#refusalsAhead++
      this.#announcedChanges.push(taken)
    }
    this.#announced = { ...this.#announced, querySet: newVersion }
    return true
  }

  /** Changes the client's identity. */
  identify(identity: Identity | null): void {
    this.#announced = { ...this.#announced, identity, identityVersion: this.#announced.identityVersion + 1 }
  }

  /** A flush begins: it will show what was announced until now. */
  stage(): void {
    this.#staged = this.#announced
    this.#stagedChanges.push(...this.#announcedChanges)
    this.#announcedChanges = []
  }

  /** Finds the entries for the staged queries, as the viewer sees them. */
  resolve(viewer: Viewer, entries: Entries<View>): void {
    for (const change of this.#stagedChanges.splice(0)) this.#apply(change, entries)
    const isOther = this.#viewer?.key !== viewer.key
    this.#viewer = viewer
    for (const subscription of this.#subscriptions.values()) {
      if (isOther || !subscription.entry) this.#attach(subscription, viewer, entries)
    }
    this.#resolved = this.#staged
  }

  /** Whether a query of the client may be out of date: the client is shown all of one moment or nothing. */
  get isBehind(): boolean {
    for (const { entry } of this.#subscriptions.values()) if (entry?.isBehind) return true
    return false
  }

  /** Switches to other entries. Page ends and the shown state stay. */
  leaveEntries(entries: Entries<View>): void {
    for (const subscription of this.#subscriptions.values()) {
      const { entry, wish } = subscription
      if (!entry) continue
      subscription.wish = { ...wish, journal: entry.journal }
      subscription.entry = null
      entries.detach(this, entry)
    }
  }

  /** The connection is gone. */
  release(entries: Entries<View>): void {
    for (const { entry, release } of this.#subscriptions.values()) {
      if (entry) entries.detach(this, entry)
      release()
    }
    for (const change of [...this.#stagedChanges, ...this.#announcedChanges])
      if (change.type === 'Add') change.release()
    this.#subscriptions.clear()
    this.#refused.clear()
    this.#stagedChanges = []
    this.#announcedChanges = []
  }

  /**
   * What the client has yet to receive as of a moment; undefined when nothing. It counts as sent.
   * `mustAdvance`: a Transition is needed even if it has no modifications.
   */
  take(moment: Moment, mustAdvance: boolean): Delta | undefined {
    const news: { queryId: number; text: string }[] = []
    let what = ''
    for (const subscription of this.#subscriptions.values()) {
      const { queryId, entry, sent } = subscription
      if (entry === null || entry.text === null || entry.text === sent) continue
      subscription.sent = entry.text
      news.push({ queryId, text: entry.text })
      what += `${queryId}:${entry.id},`
    }
    for (const [queryId, text] of this.#refused) {
      news.push({ queryId, text })
      what += `${queryId}:${text},`
    }
    const removed = this.#removed.splice(0)
    this.#refused.clear()
    const start = this.#shown
    const { querySet, identityVersion: identity } = this.#resolved
    const isSameVersion = querySet === start.querySet && identity === start.identity
    if (!mustAdvance && isSameVersion && news.length === 0 && removed.length === 0) return undefined

    const ts = this.offset === 0n ? moment.text : encodeU64(moment.ts + this.offset)
    const end = { querySet, identity, ts }
    this.#shown = end
    this.#shownTs = moment.ts
    return {
      key: `${start.ts}${end.ts}${start.querySet},${start.identity},${querySet},${identity}|${removed.join()}|${what}`,
      start,
      end,
      modifications: () => [...removed.map(removal), ...news.map(({ queryId, text }) => modification(queryId, text))],
    }
  }

  /** Whether the client has been shown a moment at or after `ts`. */
  hasSeen(ts: bigint): boolean {
    return this.#shownTs >= ts
  }

  #apply(change: Change, entries: Entries<View>): void {
    if (change.type === 'Add') {
      const { wish, release } = change
      this.#subscriptions.set(wish.queryId, { queryId: wish.queryId, wish, release, entry: null, sent: null })
      return
    }
    const { queryId } = change
    if (change.type === 'Refuse') {
      this.#refusalsAhead--
      this.#refused.set(queryId, change.text)
      return
    }
    const subscription = this.#subscriptions.get(queryId)
    if (subscription?.entry) entries.detach(this, subscription.entry)
    subscription?.release()
    this.#subscriptions.delete(queryId)
    this.#refused.delete(queryId)
    this.#removed.push(queryId)
  }

  #attach(subscription: Subscription, viewer: Viewer, entries: Entries<View>): void {
    const { wish, entry: before } = subscription
    const query = viewer.query(wish.udfPath, wish.args[0] ?? {})
    if (before?.query.key === query.key) return
    // The same page of the same list with another identity: its end stays where it is.
    const journal = before ? before.journal : (wish.journal ?? null)
    subscription.entry = entries.attach(this, query, journal)
    if (before) entries.detach(this, before)
  }
}

/** Bytes held for a query besides its arguments. */
const QUERY_BYTES = 64

/** Keeps only the refusal of a query for which there is no room. */
function admitted(wish: AddQuery, charge: ChargeQuery): Change {
  try {
    const { release } = charge(QUERY_BYTES + wish.udfPath.length + (wish.journal?.length ?? 0) + weightOf(wish.args))
    return { type: 'Add', wish, release }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { type: 'Refuse', queryId: wish.queryId, text: resultText(refusalOf(error), null) }
  }
}
