// Shared results: one entry for each query, arguments and scope, however many clients watch it.
import type { Change, Snapshot } from '#server/platform/db/database.ts'
import { AppError } from '#shared/errors.ts'
import { type Charge, Ledger, refusalOf } from './budget.ts'
import { DependencyIndex } from './dependency-index.ts'
import type { LiveQuery } from './host.ts'
import { RESULTS_MAX, RETRY_FIRST_MS, RETRY_MAX_MS } from './limits.ts'
import { resultText } from './protocol.ts'

/** One result and who watches it. `text` is null until it was run once; `resultText` of protocol.ts then. */
export type Entry<Watcher> = {
  readonly id: number
  readonly query: LiveQuery
  key: string
  journal: string | null
  text: string | null
  readonly views: Set<Watcher>
  /** For the result, to the group of the query. */
  readonly charge: Charge
  /** Set after a run that failed unexpectedly: when to try again, and after which pause. Milliseconds. */
  retry: { at: number; pause: number } | null
  /** When it may be run again; milliseconds. */
  restsUntil: number
  /** What the latest run took, milliseconds. */
  cost: number
  /** It may be out of date: what depends on it is not shown until it was run again. */
  isBehind: boolean
}

type Refresh<Watcher> = { onChange(entry: Entry<Watcher>): void; mayGoOn(): Promise<boolean> }

/** `Watcher`: what watches results; it is only compared. */
export class Entries<Watcher> {
  readonly #all = new Set<Entry<Watcher>>()
  /** Where newcomers look; of several entries that came to the same journal only one is here. */
  readonly #byKey = new Map<string, Entry<Watcher>>()
  readonly #index = new DependencyIndex<Entry<Watcher>>()
  readonly #dirty = new Set<Entry<Watcher>>()
  readonly #results = new Ledger()
  readonly #resultsMax: number
  #nextId = 1
  /** Runs of queries since the start. */
  runs = 0

  /** `resultsMax`: bytes of the results of one group. */
  constructor(resultsMax = RESULTS_MAX) {
    this.#resultsMax = resultsMax
  }

  get size(): number {
    return this.#all.size
  }

  /** The entry of a query, made when it is the first of its kind. */
  attach(view: Watcher, query: LiveQuery, journal: string | null): Entry<Watcher> {
    const key = entryKey(query, journal)
    let entry = this.#byKey.get(key)
    if (!entry) {
      const group = { key: query.group, allowed: { bytes: this.#resultsMax, items: Infinity } }
      const charge = this.#results.charge([group], { bytes: 0, items: 1 })
      entry = { id: this.#nextId++, query, key, journal, text: null, views: new Set(), charge, retry: null, ...NEW }
      this.#byKey.set(key, entry)
      this.#all.add(entry)
      this.#dirty.add(entry)
    }
    entry.views.add(view)
    return entry
  }

  /** Stops the view from watching the entry. An entry without views is removed. */
  detach(view: Watcher, entry: Entry<Watcher>): void {
    entry.views.delete(view)
    if (entry.views.size > 0) return
    if (this.#byKey.get(entry.key) === entry) this.#byKey.delete(entry.key)
    entry.charge.release()
    this.#all.delete(entry)
    this.#dirty.delete(entry)
    this.#index.delete(entry)
  }

  /** Whether the changes touch anything. */
  isTouched(changes: Change[]): boolean {
    return this.#index.touches(changes)
  }

  /** Whether something that has failed is to be tried again by now, or something that was to rest has rested. */
  hasRetries(now: number): boolean {
    for (const { retry, restsUntil } of this.#dirty) {
      const at = Math.max(retry?.at ?? 0, restsUntil)
      if (at > 0 && at <= now) return true
    }
    return false
  }

  /** Marks what the changes touch; null: everything. */
  markDirty(changes: Change[] | null): void {
    const touched = changes ? this.#index.lookup(changes) : this.#all
    for (const entry of touched) this.#dirty.add(entry)
  }

  /**
   * Runs marked entries, and reports each whose result has changed. `mayGoOn` is called between two runs: entries left when it
   * answers false stay behind.
   *
   * @returns whether nothing is left
   * @throws errors of the database; entries still marked then are run with the next snapshot
   */
  async refresh(snapshot: Snapshot, { onChange, mayGoOn }: Refresh<Watcher>): Promise<boolean> {
    const now = Date.now()
    const due = [...this.#dirty].filter(
      ({ views, retry, restsUntil }) => views.size > 0 && Math.max(retry?.at ?? 0, restsUntil) <= now,
    )
    for (const entry of due) entry.isBehind = true
    let isFirst = true
    for (const entry of inOrder(due)) {
      if (!isFirst && !(await mayGoOn())) return false
      isFirst = false
      if (entry.views.size > 0) await this.#run(entry, snapshot, onChange)
    }
    return true
  }

  async #run(entry: Entry<Watcher>, snapshot: Snapshot, onChange: (entry: Entry<Watcher>) => void): Promise<void> {
    this.runs++
    const startedAt = performance.now()
    const run = await entry.query.run(snapshot, entry.journal)
    if (entry.views.size === 0) return
    entry.cost = performance.now() - startedAt
    entry.restsUntil = restOf(entry)
    entry.isBehind = false
    const before = entry.text
    const result = resultText(run.outcome, run.journal)
    const isKept = entry.charge.resize(Buffer.byteLength(result))
    entry.text = isKept ? result : this.#refuse(entry)
    if (run.dependencies) this.#index.set(entry, run.dependencies)
    if (run.dependencies && isKept) {
      this.#dirty.delete(entry)
      entry.retry = null
    } else {
      const pause = Math.min((entry.retry?.pause ?? RETRY_FIRST_MS / 2) * 2, RETRY_MAX_MS)
      entry.retry = { at: Date.now() + pause, pause }
    }
    if (run.journal !== entry.journal) this.#pin(entry, run.journal)
    if (entry.text !== before) onChange(entry)
  }

  /** There may be room for the result when others have left: it is retried after a while. */
  #refuse({ charge }: Entry<Watcher>): string {
    charge.resize(0)
    return resultText(refusalOf(new AppError('results_too_large', { maxBytes: this.#resultsMax })), null)
  }

  /** The first run decided something: from now on the entry is shared with those who know the decision. */
  #pin(entry: Entry<Watcher>, journal: string | null): void {
    if (this.#byKey.get(entry.key) === entry) this.#byKey.delete(entry.key)
    entry.journal = journal
    entry.key = entryKey(entry.query, journal)
    if (!this.#byKey.has(entry.key)) this.#byKey.set(entry.key, entry)
  }
}

/** A page of many dear queries would keep a processor busy if each rested for a second only. */
const REST_PER_COST = 10

/** Until when an entry that was just run rests; 0: not at all. */
function restOf({ query: { restMs }, cost }: Pick<Entry<unknown>, 'query' | 'cost'>): number {
  return restMs ? Date.now() + Math.max(restMs, cost * REST_PER_COST) : 0
}

/** Of an entry that was not run yet. */
const NEW = { restsUntil: 0, cost: 0, isBehind: true }
/** Fewer are run in any order. */
const SORTED_FROM = 8

/**
 * First what completes the clients who wait for little, then what is cheap: the one query of a client does not wait for the many of another. Queries
 * of one scope stay together where nothing else decides.
 */
function inOrder<Watcher>(entries: Entry<Watcher>[]): Entry<Watcher>[] {
  if (entries.length < SORTED_FROM) return entries.sort((a, b) => (a.query.group < b.query.group ? -1 : 1))
  const awaited = new Map<Watcher, number>()
  for (const { views } of entries) for (const view of views) awaited.set(view, (awaited.get(view) ?? 0) + 1)
  const fewest = ({ views }: Entry<Watcher>) => {
    let least = Infinity
    for (const view of views) least = Math.min(least, awaited.get(view) ?? Infinity)
    return least
  }
  const ranked = entries.map((entry) => ({ entry, awaited: fewest(entry) }))
  ranked.sort((a, b) => a.awaited - b.awaited || a.entry.cost - b.entry.cost)
  return ranked.map(({ entry }) => entry)
}

function entryKey(query: LiveQuery, journal: string | null): string {
  return `${query.key}\n${journal ?? ''}`
}
