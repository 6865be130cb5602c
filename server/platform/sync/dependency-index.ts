// Finds the readers that a write affects, by the tables and key values that their results depend on.
import type { Change, Dependency } from '#server/platform/db/database.ts'

/** A conjunction of key values: for each column the matching values, as text. */
type Condition = Map<string, Set<string>>
type Watch<Reader> = { reader: Reader; condition: Condition; bucket: Set<Watch<Reader>> }
type Table<Reader> = {
  whole: Set<Reader>
  /** column → value → watches that have the value. Each watch is in the buckets of one of its columns. */
  byColumn: Map<string, Map<string, Set<Watch<Reader>>>>
}

/** Readers by dependency. Finds every reader whose result a change may alter, and few others. */
export class DependencyIndex<Reader> {
  readonly #tables = new Map<string, Table<Reader>>()
  readonly #remove = new Map<Reader, (() => void)[]>()

  /** Replaces what a reader depends on. */
  set(reader: Reader, dependencies: Dependency[]): void {
    this.delete(reader)
    this.#remove.set(
      reader,
      dependencies.flatMap((dependency) => this.#add(reader, dependency)),
    )
  }

  delete(reader: Reader): void {
    for (const remove of this.#remove.get(reader) ?? []) remove()
    this.#remove.delete(reader)
  }

  /** All readers that one of the changes may affect. */
  lookup(changes: Change[]): Set<Reader> {
    const found = new Set<Reader>()
    for (const change of changes) {
      const table = this.#tables.get(change.table)
      if (!table) continue
      for (const reader of table.whole) found.add(reader)
      for (const watch of candidates(table, change.keys)) found.add(watch.reader)
    }
    return found
  }

  /** Whether `lookup` would find any. */
  touches(changes: Change[]): boolean {
    return changes.some((change) => {
      const table = this.#tables.get(change.table)
      return table !== undefined && (table.whole.size > 0 || !candidates(table, change.keys).next().done)
    })
  }

  #add(reader: Reader, dependency: Dependency): (() => void)[] {
    const table = this.#table(dependency.table)
    const condition = toCondition(dependency)
    const column = condition ? leastCrowded(table, condition) : undefined
    if (!condition || column === undefined) {
      table.whole.add(reader)
      return [() => table.whole.delete(reader)]
    }
    const values = getOrMake(table.byColumn, column, () => new Map())
    return [...(condition.get(column) ?? [])].map((value) => {
      const bucket = getOrMake(values, value, () => new Set())
      const watch = { reader, condition, bucket }
      bucket.add(watch)
      return () => {
        bucket.delete(watch)
        if (bucket.size === 0 && values.get(value) === bucket) values.delete(value)
      }
    })
  }

  #table(name: string): Table<Reader> {
    return getOrMake(this.#tables, name, () => ({ whole: new Set<Reader>(), byColumn: new Map() }))
  }
}

function toCondition({ equals }: Dependency): Condition | null {
  return equals && new Map(Object.entries(equals).map(([column, values]) => [column, new Set(values.map(String))]))
}

/** The most selective column of a watch: the one whose buckets hold the fewest other watches. */
function leastCrowded<Reader>(table: Table<Reader>, condition: Condition): string | undefined {
  let best: string | undefined
  let fewest = Number.POSITIVE_INFINITY
  for (const [column, values] of condition) {
    let neighbours = values.size
    for (const value of values) neighbours += table.byColumn.get(column)?.get(value)?.size ?? 0
    if (neighbours < fewest) [best, fewest] = [column, neighbours]
  }
  return best
}

function* candidates<Reader>(table: Table<Reader>, keys: Change['keys']): Generator<Watch<Reader>> {
  for (const [column, values] of table.byColumn) {
    if (keys === null) {
      for (const bucket of values.values()) yield* bucket
      continue
    }
    for (const row of keys) {
      const value = row[column]
      if (value === null) continue
      // A change without this column may affect any of its values.
      const buckets = value === undefined ? values.values() : [values.get(String(value)) ?? []]
      for (const bucket of buckets) for (const watch of bucket) if (matches(watch.condition, row)) yield watch
    }
  }
}

function matches(condition: Condition, row: Record<string, string | number | null>): boolean {
  for (const [column, values] of condition) {
    const value = row[column]
    if (value === undefined) continue
    if (value === null || !values.has(String(value))) return false
  }
  return true
}

function getOrMake<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key)
  if (value === undefined) {
    value = make()
    map.set(key, value)
  }
  return value
}
