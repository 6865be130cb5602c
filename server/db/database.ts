// What the rest of the server may know of the database: transactions bound to an organization, and the shape of a live snapshot.
// How they are made is in open.ts; which engine runs is visible only in `engine`.
import type { Kysely } from 'kysely'
import type { Id } from '#shared/ids.ts'
import type { Tables } from './tables/database.ts'

/** A transaction handed to a store. Never the root database. */
export type Db = Kysely<Tables>

/** What a store function takes first. */
export type StoreContext = { db: Db }
/** A store context whose `db` sees and writes one organization only. */
export type OrgStoreContext = StoreContext & { organizationId: Id<'organizations'> }

export type Isolation = 'serializable' | 'repeatable read' | 'read committed'
export type TransactionOptions = { isolation?: Isolation; readOnly?: boolean }

export interface Database {
  readonly engine: 'embedded' | 'postgres'
  /** Several server processes may share this database. */
  readonly multiProcess: boolean
  /**
   * The unbound database, for libraries that bring their own SQL (sign-in, jobs). Never handed to a feature.
   */
  readonly root: Kysely<Tables>
  /**
   * Runs one transaction that can see and write only one organization: the tenant plugin adds the predicate and the column,
   * row-level security stands behind it. Serializable by default, repeated on 40001 and 40P01 (so `run` must be repeatable).
   */
  organization<T>(
    organizationId: Id<'organizations'>,
    run: (db: Db) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>
  /** Runs one transaction over all organizations. `purpose` names the caller in the log, for example `pipeline: claim turns`. */
  system<T>(purpose: string, run: (db: Db) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Called after each commit made through this object, and on hints from other processes. At least once, coalesced. */
  onCommit(listener: () => void): () => void
  /**
   * Serializes work on a name (in process, and over all processes on PostgreSQL) until `run` ends. Taken before a transaction begins.
   */
  withLock<T>(name: string, run: () => Promise<T>): Promise<T>
  close(): Promise<void>
}
