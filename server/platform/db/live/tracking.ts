// Records what the queries of one live read depend on. How a dependency is derived from a query is in tracking.analysis.ts.
import type { OperationNode, RootOperationNode } from 'kysely'
import type { Dependency } from '../database.ts'
import { DERIVED, TRACKED } from '../keys.ts'
import { readSetOf, type TableDependency } from './tracking.analysis.ts'

const KEYS: [string, readonly string[]][] = Object.entries(TRACKED).map(([name, { keys }]) => [name, keys])
const FOLLOWED: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(DERIVED))
const TABLES: ReadonlyMap<string, readonly string[]> = new Map([
  ...KEYS,
  ...[...FOLLOWED.keys()].map((name): [string, readonly string[]] => [name, ['organization_id']]),
])

/** Collects dependencies while queries are built, so each query is known before it runs. */
export class ReadTracker {
  readonly #recorded = new WeakSet<OperationNode>()
  readonly #found = new Map<string, TableDependency>()

  /** @throws Error when the query writes, or reads what live queries cannot follow */
  record(query: RootOperationNode): void {
    const { tables, everything } = readSetOf(query, TABLES)
    this.#recorded.add(query)
    for (const dependency of everything ? allTables() : tables.flatMap(followed)) {
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
  return KEYS.map(([table]) => ({ table, equals: null }))
}

/** What a table that triggers keep is kept from; any other table is itself. */
function followed({ table, equals }: TableDependency): TableDependency[] {
  return (FOLLOWED.get(table) ?? [table]).map((source) => ({ table: source, equals }))
}
