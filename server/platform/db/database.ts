// What the rest of the server may know of the database: transactions bound to an organization, and the shape of a live snapshot.
// How they are made is in open.ts; which engine runs is visible only in `engine`.
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
   * How many statements `run` sends before it waits for the answer of any, all of them: the commit leaves together with the last, and
   * a round trip is saved. A statement that fails undoes them all; what `run` throws by itself undoes nothing.
   */
  statements?: number
  /** Asked once the commit stands: whether the caller sees to all that it has made due, so that nobody has to look for that. */
  leavesNothingDue?: () => boolean
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
  /** What was committed since an earlier position and is visible here; null when that is no longer known: everything may have changed. */
  changesSince(position: string): Promise<Change[] | null>
  /** Whether the connection should be given back soon: others are active, and this snapshot has had its share. */
  shouldYield(): boolean
  /** Runs a read and records what its result depends on. */
  read<T>(scope: Scope, run: (db: Db) => Promise<T>): Promise<{ value: T; dependencies: Dependency[] }>
}

export interface Database {
  /** The unbound database, for libraries that bring their own SQL (sign-in, jobs). Never handed to a feature. */
  readonly root: Kysely<Tables>
  /** The same, whose commits are not announced: for the housekeeping of the job queue, whose tables no query depends on. */
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
  /** Where the database is now, and what was committed since an earlier position; null changes: unknown, everything may have changed. */
  watch(position: string | null): Promise<{ position: string; changes: Change[] | null }>
  /** Called after each commit made through this object, and on hints from other processes. At least once, coalesced. */
  onCommit(listener: CommitListener): () => void
  /**
   * Runs work that no other caller of the same name runs at the same time, over all processes. Taken before a transaction begins.
   * `lost` aborts should another process have taken the name while this one had no connection.
   */
  withLock<T>(name: string, run: (lost: AbortSignal) => Promise<T>): Promise<T>
  /** Whether a message can be stored: found out by a write at most a second ago. Answers within a second, and costs little to ask. */
  isWritable(): Promise<boolean>
  close(): Promise<void>
}
