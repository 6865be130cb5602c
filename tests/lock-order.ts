// Watches over the order in which transactions lock what many of them write to. Two that lock in different orders wait for each other
// until PostgreSQL notices, a second later, and one of them loses; the embedded database, with its one connection, would never show it.
import type { CompiledQuery, QueryResult } from 'kysely'
import type { Engine, Row, Session } from '#server/db/engine.ts'

/** The conversation first, then what is counted in an organization: every answer does so. */
const CONVERSATION =
  /\b(?:update|into)\s+"?(?:conversations|turns|outbox)\b|\bfrom\s+"?(?:conversations|turns|outbox)\b[^()]*\bfor (?:no key )?update\b/i
const COUNTERS = /\b(?:update|into)\s+"?(?:quotas|usage_hours|usage_months)\b/i

/** The engine, whose transactions fail when they lock a conversation after counters. */
export function withLockOrder(engine: Engine): Engine {
  return { ...engine, acquire: async () => new WatchedSession(await engine.acquire()) }
}

class WatchedSession implements Session {
  readonly #session: Session
  /** The statement of this transaction that has locked counters. */
  #counted: string | null = null
  #hasConversation = false

  constructor(session: Session) {
    this.#session = session
  }

  begin(...opening: Parameters<Session['begin']>): Promise<Row[]> {
    this.#counted = null
    this.#hasConversation = false
    return this.#session.begin(...opening)
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const isConversation = CONVERSATION.test(query.sql)
    if (isConversation && this.#counted !== null && !this.#hasConversation) {
      throw new Error(`A conversation is locked after counters.\nFirst: ${this.#counted}\nThen: ${query.sql}`)
    }
    if (isConversation) this.#hasConversation = true
    if (COUNTERS.test(query.sql)) this.#counted ??= query.sql
    return this.#session.executeQuery(query)
  }

  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#session.streamQuery(query, chunkSize)
  }

  script(sql: string): Promise<Row[]> {
    return this.#session.script(sql)
  }

  commit(): Promise<void> {
    return this.#session.commit()
  }

  commitBehind(statement: Promise<unknown>): Promise<void> {
    return this.#session.commitBehind(statement)
  }

  rollback(): Promise<void> {
    return this.#session.rollback()
  }

  release(broken?: boolean): void {
    this.#session.release(broken)
  }
}
