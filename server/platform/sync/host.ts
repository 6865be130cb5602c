// What the realtime layer is handed: somebody who knows functions, callers and the database. Sync itself knows none of them.
import type { JSONValue } from 'convex/values'
import type { Change, Dependency, Snapshot } from '#server/platform/db/database.ts'
import type { Party } from '#server/platform/lib/scheduling/fair-queue.ts'

/** Whom a verified token names. Whether the session still stands is asked anew with every call. */
export type Claims = {
  userId: string
  sessionId: string
  expiresAt: number
  /** Of the person when the token was looked at; null: none. Says only who pays, and never what may be seen. */
  organizationId: string | null
}

export type Kind = 'query' | 'mutation' | 'action'

/** A call as it comes in: the function's wire name and its encoded arguments object. */
export type Call = { claims: Claims | null; path: string; args: JSONValue }

/** What a call came to, ready for the wire. */
export type Outcome = { ok: true; value: JSONValue } | Failure
export type Failure = { ok: false; message: string; data?: JSONValue }

/** A mutation of a client session, told apart from all others by `clientSession` and `requestId`. */
export type MutationCall = Call & { clientSession: string; requestId: number }

/** `xid`: the transaction that wrote, null when nothing was written. */
export type MutationOutcome = { outcome: Outcome; xid: string | null }

/** A caller as live queries see it: everything that decides what they may read. */
export interface Viewer {
  /** Two viewers with equal keys get equal results everywhere. */
  readonly key: string
  /** Never throws: an unknown function, bad arguments or missing rights make a query that fails. */
  query(path: string, args: JSONValue): LiveQuery
}

export interface LiveQuery {
  /** Queries with equal keys (and equal journals) have one result, whoever asks. */
  readonly key: string
  /** Queries of one group are run one after another, which saves the database a change of scope. */
  readonly group: string
  /** Throws only when the snapshot as a whole can no longer be used; a failing query is an outcome. */
  run(snapshot: Snapshot, journal: string | null): Promise<QueryRun>
}

export type QueryRun = {
  outcome: Outcome
  /** What later runs must be given. */
  journal: string | null
  /** Null: the query failed in a way that leaves this unknown. It is tried again after a while. */
  dependencies: Dependency[] | null
}

export interface Host {
  /** Whom a token names, or why it is not accepted. `patienceMs`: how long a database that is away is waited for; 0: not for long. */
  authenticate(token: string, patienceMs?: number): Promise<Claims | { refusal: string }>

  /** One moment of the database. `party`: on whose behalf it is looked at. */
  snapshot<T>(run: (snapshot: Snapshot) => Promise<T>, party: Party): Promise<T>
  /** Where the database is now, and what was committed since an earlier position; null changes: that is not known. */
  watch(position: string | null): Promise<{ position: string; changes: Change[] | null }>
  /** Calls back after commits, this process's and others', at least once, coalesced. Returns how to stop. */
  onCommit(listener: () => void): () => void
  /** The viewer without a session. */
  readonly nobody: Viewer
  /** The viewer behind claims; null when the session has ended. */
  viewer(snapshot: Snapshot, claims: Claims): Promise<{ viewer: Viewer | null; dependencies: Dependency[] }>

  /** What a client learns of an error on the way to a function. */
  failureOf(error: unknown, path: string): Failure
  /** Runs a function of one of the kinds once. Never throws. `signal`: nobody waits for the answer any more. */
  call(kinds: readonly Kind[], call: Call, signal: AbortSignal): Promise<Outcome>
  /**
   * Runs at most once for its key; a repetition gets the stored outcome.
   * `onCommitting` is told the transaction's id before each attempt to commit.
   * @throws when nobody can say whether it has been done: the client must ask again
   */
  mutate(call: MutationCall, onCommitting: (xid: string) => void): Promise<MutationOutcome>
  /**
   * The stored outcome of an earlier run, if there is one.
   * @throws when the database cannot say
   */
  recorded(call: MutationCall): Promise<MutationOutcome | null>
}
