// One SELECT as the tracker sees it: its tables under the names the query gives them, and the values their key columns must have.
import type {
  ColumnNode,
  IdentifierNode,
  OperationNode,
  ReferenceNode,
  TableNode,
  ValueListNode,
  ValueNode,
} from 'kysely'

/** Longer lists are not worth their entries in the index of readers. */
const MAX_VALUES = 64

/** Key columns that must be equal share one of these. */
class EqualColumns {
  #parent: EqualColumns | null = null
  #values: readonly string[] | null = null

  get #top(): EqualColumns {
    let top: EqualColumns = this
    while (top.#parent) top = top.#parent
    return top
  }

  get values(): readonly string[] | null {
    return this.#top.#values
  }

  /** Each list is a condition of its own: the shorter one says more. */
  narrow(values: readonly string[]): void {
    const top = this.#top
    if (!top.#values || values.length < top.#values.length) top.#values = values
  }

  merge(other: EqualColumns): void {
    const top = this.#top
    const otherTop = other.#top
    if (top === otherTop) return
    otherTop.#parent = top
    if (otherTop.#values) top.narrow(otherTop.#values)
  }
}

type Source = { table: string; columns: Map<string, EqualColumns> }
export type Column = { source: Source; name: string; equals: EqualColumns }

/** A SELECT's own names. Inner names hide outer ones. */
export class SelectScope {
  readonly #outer: SelectScope | null
  /** Null: a sub-query, common table expression or function: its rows have no keys. */
  readonly #sources = new Map<string, Source | null>()

  /** @param outer the SELECT whose columns this one may use; null where SQL or caution forbids it */
  constructor(outer: SelectScope | null) {
    this.#outer = outer
  }

  addTable(alias: string, table: string, keys: readonly string[]): void {
    const columns = new Map(keys.map((key) => [key, new EqualColumns()]))
    // The same name twice is an error in the database; until it says so nothing may be concluded from the name.
    this.#sources.set(alias, this.#sources.has(alias) ? null : { table, columns })
  }

  addOther(alias: string): void {
    this.#sources.set(alias, null)
  }

  /** The key column of this SELECT that a node names. */
  ownColumn(node: OperationNode): Column | null {
    const name = columnName(node)
    if (!name) return null
    if (name.table !== null) return this.#column(this.#sources.get(name.table), name.column)
    // Without a table name: if another source had the column too, the database would refuse the query as ambiguous.
    const owners = [...this.#sources.values()].filter((source) => source?.columns.has(name.column))
    return owners.length === 1 ? this.#column(owners[0], name.column) : null
  }

  #column(source: Source | null | undefined, name: string): Column | null {
    const equals = source?.columns.get(name)
    return source && equals ? { source, name, equals } : null
  }

  /** Whether a column belongs to the source of that name. */
  isOf({ source }: Column, alias: string): boolean {
    return this.#sources.get(alias) === source
  }

  /** The values an expression can have: constants, or those of a key column here or further out. */
  valuesOf(node: OperationNode): readonly string[] | null {
    return constants(node) ?? this.ownColumn(node)?.equals.values ?? this.#outerValues(node)
  }

  #outerValues(node: OperationNode): readonly string[] | null {
    const name = columnName(node)
    if (!this.#outer || !name || name.table === null || this.#sources.has(name.table)) return null
    return this.#outer.ownColumn(node)?.equals.values ?? this.#outer.#outerValues(node)
  }

  /** What each table's rows must match to matter. */
  dependencies(): { table: string; equals: Record<string, string[]> | null }[] {
    return [...this.#sources.values()].flatMap((source) => (source ? [dependencyOf(source)] : []))
  }
}

function dependencyOf({ table, columns }: Source): { table: string; equals: Record<string, string[]> | null } {
  const equals: Record<string, string[]> = {}
  for (const [name, { values }] of columns) if (values) equals[name] = [...values]
  return { table, equals: Object.keys(equals).length > 0 ? equals : null }
}

function columnName(node: OperationNode): { table: string | null; column: string } | null {
  if (node.kind === 'ColumnNode') return { table: null, column: (node as ColumnNode).column.name }
  if (node.kind !== 'ReferenceNode') return null
  const { column, table } = node as ReferenceNode
  if (column.kind !== 'ColumnNode') return null
  return { table: table ? nameOf(table) : null, column: column.column.name }
}

function nameOf({ table }: TableNode): string {
  const identifier: IdentifierNode = table.identifier
  return identifier.name
}

/** The texts that a constant or list of constants stands for; null when JavaScript and the database might compare them differently. */
function constants(node: OperationNode): readonly string[] | null {
  const values = listed(node)
  if (!values || values.length === 0 || values.length > MAX_VALUES) return null
  return values.every(isCanonical) ? [...new Set(values as string[])] : null
}

function listed(node: OperationNode): readonly unknown[] | null {
  switch (node.kind) {
    case 'ValueNode':
      return [(node as ValueNode).value]
    case 'PrimitiveValueListNode':
      return (node as OperationNode & { values: readonly unknown[] }).values
    case 'ValueListNode': {
      const items = (node as ValueListNode).values
      return items.every((item) => item.kind === 'ValueNode') ? items.map((item) => (item as ValueNode).value) : null
    }
    default:
      return null
  }
}

/** Key columns are text: a number, or text that changes on its way to UTF-8, would not be what the write log records. */
function isCanonical(value: unknown): boolean {
  return typeof value === 'string' && value.isWellFormed()
}
