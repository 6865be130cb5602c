// Records what the queries of one live read depend on. How a dependency is derived from a query is in tracking.analysis.ts.
import type { OperationNode, RootOperationNode } from 'kysely'
import type { Dependency } from '../database.ts'
import { TRACKED } from '../keys.ts'
import { readSetOf, type TableDependency } from './tracking.analysis.ts'

const TABLES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(TRACKED).map(([name, { keys }]) => [name, keys]),
)

/** Collects dependencies while queries are built, so each query is known before it runs. */
export class ReadTracker {
  readonly #recorded = new WeakSet<OperationNode>()
  readonly #found = new Map<string, TableDependency>()

  /** @throws Error when the query writes, or reads what live queries cannot follow */
  record(query: RootOperationNode): void {
    const { tables, everything } = readSetOf(query, TABLES)
    this.#recorded.add(query)
    for (const dependency of everything ? allTables() : tables) {
      this.#found.set(JSON.stringify(dependency), dependency)
    }
  }

  /** @throws Error for a query that was not built on the tracked database, whose reads are unknown */
  assertRecorded(query: OperationNode): void {
    if (!this.#recorded.has(query)) throw new Error('A live query runs only queries built on its own database.')
  }

  /** Everything recorded so far, without duplicates. */
  dependencies(): Dependency[] {
    return [...this.#found.values()]
  }
}

function allTables(): TableDependency[] {
  return [...TABLES.keys()].map((table) => ({ table, equals: null }))
}
