// What the realtime layer needs from the functions layer: callers, functions and the database. Sync itself knows none of them.
import type { JSONValue } from 'convex/values'
import type { Change, Dependency, Snapshot } from '#server/platform/db/database.ts'
import type { Party } from '#server/platform/lib/scheduling/fair-queue.ts'

/** The user that a verified token names. Whether the session is still valid is checked with every call. */
export type Claims = {
  userId: string
  sessionId: string
  expiresAt: number
  /** The organization that the token names; null: none, so that it is the session's. */
  namedOrganizationId: string | null
  /** The user's organization when the token was checked; null: none. Used for accounting only, never for access. */
  organizationId: string | null
}

export type Kind = 'query' | 'mutation' | 'action'

/** A call as received: the function's wire name, its encoded arguments object, and the client's address. */
export type Call = { claims: Claims | null; path: string; args: JSONValue; address: string | null }

/** The result of a call, ready for the wire. */
export type Outcome = { ok: true; value: JSONValue } | Failure
export type Failure = { ok: false; message: string; data?: JSONValue }

/** A mutation of a client session, identified by `clientSession` and `requestId`. */
export type MutationCall = Call & { clientSession: string; requestId: number }

/** `xid`: the transaction that wrote, null when nothing was written. */
export type MutationOutcome = { outcome: Outcome; xid: string | null }

/** A caller as live queries see it: everything that decides what they may read. */
export interface Viewer {
  /** Two viewers with equal keys get equal results everywhere. */
  readonly key: string
  /** Never throws: an unknown function, bad arguments or missing rights produce a query that fails. */
  query(path: string, args: JSONValue): LiveQuery
}

export interface LiveQuery {
  /** Queries with equal keys (and equal journals) have one result for all callers. */
  readonly key: string
  /** Queries of one group run consecutively, which saves the database a change of scope. */
  readonly group: string
  /** It is not run again sooner than this after it was run, or than ten times what that took, and shows its earlier result meanwhile. Left out: it is at once. */
  readonly restMs?: number
  /** Throws only when the snapshot as a whole is unusable; a failing query is an outcome. */
  run(snapshot: Snapshot, journal: string | null): Promise<QueryRun>
}

export type QueryRun = {
  outcome: Outcome
  /** The journal for later runs. */
  journal: string | null
  /** Null: the query failed in a way that leaves this unknown. It is retried after a while. */
  dependencies: Dependency[] | null
}

export interface Host {
  /** The user that a token names, or why it is rejected. `patienceMs`: how long to wait for a database that is away; 0: not for long. */
  authenticate(token: string, patienceMs?: number): Promise<Claims | { refusal: string }>

  /** Opens one snapshot. `party`: the one it is charged to. */
  snapshot<T>(run: (snapshot: Snapshot) => Promise<T>, party: Party): Promise<T>
  /** The current position, and what was committed since an earlier one; null changes: unknown. */
  watch(position: string | null): Promise<{ position: string; changes: Change[] | null }>
  /** Calls back after commits of this process and others, at least once, coalesced. Returns the function that stops it. */
  onCommit(listener: () => void): () => void
  /** The viewer without a session. */
  readonly anonymous: Viewer
  /** The viewer behind claims; null when the session has ended. */
  viewer(snapshot: Snapshot, claims: Claims): Promise<{ viewer: Viewer | null; dependencies: Dependency[] }>

  /** The wire form of an error on the way to a function. */
  failureOf(error: unknown, path: string): Failure
  /** Runs a function of one of the kinds once. Never throws. `signal` aborts when the caller no longer waits for the answer. */
  call(kinds: readonly Kind[], call: Call, signal: AbortSignal): Promise<Outcome>
  /**
   * Runs at most once for its key; a repetition gets the stored outcome. `onCommitting` receives the transaction's id before each attempt
   * to commit.
   * @throws when it is unknown whether the mutation was committed: the client must ask again
   */
  mutate(call: MutationCall, onCommitting: (xid: string) => void): Promise<MutationOutcome>
  /**
   * The stored outcome of an earlier run, if there is one.
   * @throws when the database cannot be read
   */
  recorded(call: MutationCall): Promise<MutationOutcome | null>
}
