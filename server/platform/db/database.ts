// The database contract for the rest of the server: transactions bound to an organization, and live snapshots. open.ts implements it; which
// engine runs is visible only in `engine`.
import type { Kysely } from 'kysely'
import type { Party } from '#server/platform/lib/scheduling/fair-queue.ts'
import type { Id } from '#shared/ids.ts'
import type { CommitListener } from './live/signals.ts'
import type { Tables } from './tables/database.ts'

/** A transaction handed to a store. Never the root database. */
export type Db = Kysely<Tables>

/** What a store function takes first. */
export type StoreContext = { db: Db }
/** A store context whose `db` sees and writes one organization only. */
export type OrgStoreContext = StoreContext & { organizationId: Id<'organizations'> }

export type Isolation = 'serializable' | 'repeatable read' | 'read committed'
export type TransactionOptions = {
  isolation?: Isolation
  readOnly?: boolean
  /**
   * How many statements `run` sends before it awaits the answer of any; must be all of them. The commit is sent together with the last,
   * which saves a round trip. A failing statement undoes them all; an error thrown by `run` itself undoes nothing.
   */
  statements?: number
  /**
   * Called after the commit. True when the caller itself handles all the work that the commit enqueued, so that the dispatcher is skipped.
   */
  skipsDispatch?: () => boolean
}

/** A read of rows: those whose key columns have one of these values (all columns together); null: any row of the table. */
export type Dependency = { table: string; equals: Record<string, (string | number)[]> | null }
/** A write of rows: the distinct key tuples of their old and new versions; null: any row of the table. */
export type Change = { table: string; keys: Record<string, string | number | null>[] | null }

/** Whose rows a transaction sees. `none`: no organization, tenant tables are empty. */
export type Scope =
  | { kind: 'organization'; organizationId: Id<'organizations'> }
  | { kind: 'none' }
  | { kind: 'system' }

/** One moment of the database (REPEATABLE READ, read only) in which many queries are run. */
export interface Snapshot {
  /** `pg_current_snapshot()` as text: which transactions are visible here. */
  readonly position: string
  /** What was committed since an earlier position and is visible here; null when unknown: everything may have changed. */
  changesSince(position: string): Promise<Change[] | null>
  /** Whether to release the connection soon: others are waiting, and this snapshot has had its share. */
  shouldYield(): boolean
  /** For a snapshot that is to be read to its end nevertheless: waits until its party may use more time. */
  rest(): Promise<void>
  /** Runs a read and records what its result depends on. */
  read<T>(scope: Scope, run: (db: Db) => Promise<T>): Promise<{ value: T; dependencies: Dependency[] }>
}

export interface Database {
  /** The unbound database, for libraries that bring their own SQL (sign-in, jobs). Never handed to a feature. */
  readonly root: Kysely<Tables>
  /** The same, but its commits are not announced: for housekeeping of the job queue, whose tables no query depends on. */
  readonly silentRoot: Kysely<Tables>
  /**
   * Runs one transaction in a scope: the tenant plugin adds predicate and column, row-level security stands behind it.
   * Serializable by default (read-only: one consistent moment), repeated on 40001 and 40P01 and on a database that goes away
   * before the commit, so `run` must be repeatable and free of outside effects.
   * @throws CommitUnknownError (engine.ts) when the connection was lost during the commit
   */
  transaction<T>(scope: Scope, run: (db: Db) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** A transaction that can see and write only one organization. */
  organization<T>(
    organizationId: Id<'organizations'>,
    run: (db: Db) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>
  /** A transaction over all organizations. `purpose` names the caller in the log, for example `pipeline: claim turns`. */
  system<T>(purpose: string, run: (db: Db) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Opens one snapshot for live queries. `party`: on whose behalf; by default the party of the calls. */
  snapshot<T>(run: (snapshot: Snapshot) => Promise<T>, party?: Party): Promise<T>
  /** The current position, and what was committed since an earlier one; null changes: unknown, everything may have changed. */
  watch(position: string | null): Promise<{ position: string; changes: Change[] | null }>
  /** Called after each commit made through this object, and on hints from other processes. At least once, coalesced. */
  onCommit(listener: CommitListener): () => void
  /**
   * Runs work under a lock that holds across all processes. Acquire it before a transaction begins.
   * `lost` aborts when another process took the name while this one had no connection.
   */
  withLock<T>(name: string, run: (lost: AbortSignal) => Promise<T>): Promise<T>
  /** Whether writes succeed, probed at most once a second. Answers within a second and is cheap to call. */
  isWritable(): Promise<boolean>
  close(): Promise<void>
}
