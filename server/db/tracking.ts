// What a query depends on, derived from its tree.
import type { OperationNode, RootOperationNode } from 'kysely'
import type { Dependency } from './database.ts'
import { TRACKED } from './keys.ts'
import { childNodes, tableSource } from './nodes.ts'

/** Collects what the queries of one read depend on. */
export class ReadTracker {
  readonly #recorded = new WeakSet<OperationNode>()
  readonly #tables = new Set<string>()

  record(query: RootOperationNode): void {
    this.#recorded.add(query)
    this.#walk(query)
  }

  assertRecorded(query: OperationNode): void {
    if (!this.#recorded.has(query)) throw new Error('A live query runs only queries built on its own database.')
  }

  dependencies(): Dependency[] {
    return [...this.#tables].map((table) => ({ table, equals: null }))
  }

  #walk(node: OperationNode): void {
    const table = node.kind === 'TableNode' ? tableSource(node) : null
    if (table && table.table in TRACKED) this.#tables.add(table.table)
    for (const child of childNodes(node)) this.#walk(child)
  }
}
