// Watches over the order in which transactions lock what many of them write to. Two that lock in different orders wait for each other
// until PostgreSQL notices, a second later, and one of them loses: by chance only, so seldom in a test.
import type { CompiledQuery, QueryResult } from 'kysely'
import type { Engine, Row, Session } from '#server/platform/db/engine/engine.ts'

/** What is locked first comes first: conversations, what hangs on them, what is counted in an organization. */
const RANKS = [['conversations'], ['turns', 'outbox'], ['quotas', 'usage_months', 'usage_hours']].map((tables) => {
  const names = `"?(?:${tables.join('|')})\\b`
  return new RegExp(
    `\\b(?:update|into|delete from)\\s+${names}|\\bfrom\\s+${names}[^;]*\\bfor (?:no key )?update\\b`,
    'i',
  )
})

/** The engine, whose transactions fail when they lock in another order, unless they hold some of that rank already. */
export function withLockOrder(engine: Engine): Engine {
  return { ...engine, acquire: async () => new WatchedSession(await engine.acquire()) }
}

class WatchedSession implements Session {
  readonly #session: Session
  /** By rank, the statement of this transaction that has locked first. */
  #first: (string | undefined)[] = []

  constructor(session: Session) {
    this.#session = session
  }

  begin(...opening: Parameters<Session['begin']>): Promise<Row[]> {
    this.#first = []
    return this.#session.begin(...opening)
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    for (const [rank, locks] of RANKS.entries()) if (locks.test(query.sql)) this.#lock(rank, query.sql)
    return this.#session.executeQuery(query)
  }

  #lock(rank: number, sql: string): void {
    const later = this.#first.slice(rank + 1).find((first) => first !== undefined && first !== sql)
    if (later !== undefined && this.#first[rank] === undefined)
      throw new Error(`Locked out of order.\nFirst: ${later}\nThen: ${sql}`)
    this.#first[rank] ??= sql
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

  rollback(): Promise<void> {
    return this.#session.rollback()
  }

  release(broken?: boolean): void {
    this.#session.release(broken)
  }
}
