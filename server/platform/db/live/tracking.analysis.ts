// Derives from a query's tree which rows its result can depend on. Sound: a write that meets no dependency leaves the result as
// it is. For each SELECT only what every contributing row must satisfy is used: equalities in the top-level AND of WHERE and of
// inner joins; a left join's ON narrows the joined table alone; the rest narrows nothing. Whatever is not understood depends on
// everything, whatever cannot be tracked is an error.
import type {
  AliasNode,
  AndNode,
  BinaryOperationNode,
  FunctionNode,
  JoinNode,
  OperationNode,
  OperatorNode,
  ParensNode,
  RawNode,
  SelectQueryNode,
  WithNode,
} from 'kysely'
import { childNodes, type TableSource, tableSource } from '../nodes.ts'
import { isClosed, isReadingFunction, jsonHelperQuery, mayReadTables } from './tracking.raw.ts'
import { SelectScope } from './tracking.scope.ts'

/** Key columns by table: every table that may be read. */
export type TrackedTables = ReadonlyMap<string, readonly string[]>
export type TableDependency = { table: string; equals: Record<string, string[]> | null }
/** `everything`: raw SQL hides what is read. */
export type ReadSet = { tables: TableDependency[]; everything: boolean }

type Names = ReadonlySet<string>

/**
 * What one query depends on.
 * @throws Error for anything but a SELECT over declared tables
 */
export function readSetOf(query: OperationNode, tracked: TrackedTables): ReadSet {
  const analysis = new Analysis(tracked)
  if (query.kind !== 'SelectQueryNode') throw new Error('A live query only selects, and not in raw SQL.')
  analysis.select(query as SelectQueryNode, null, new Set())
  return analysis
}

class Analysis implements ReadSet {
  readonly tables: TableDependency[] = []
  everything = false
  readonly #tracked: TrackedTables

  constructor(tracked: TrackedTables) {
    this.#tracked = tracked
  }

  /** @param outer the SELECT around this one, where its columns may be used @param names of common table expressions in reach */
  select(node: SelectQueryNode, outer: SelectScope | null, names: Names): void {
    const reach = node.with ? this.#with(node.with, names) : names
    const scope = new SelectScope(outer)
    for (const source of node.from?.froms ?? []) this.#source(source, scope, reach)
    for (const join of node.joins ?? []) this.#source(join.table, scope, reach)
    narrowByConditions(node, scope)
    this.tables.push(...scope.dependencies())
    this.#expressions(node, scope, outer, reach)
  }

  /** Everything in a SELECT that is not a source: sub-queries there may use its columns, those of a UNION may not. */
  #expressions(node: SelectQueryNode, scope: SelectScope, outer: SelectScope | null, names: Names): void {
    const { with: _with, from: _from, joins, setOperations, ...rest } = node
    for (const child of childNodes(rest as OperationNode)) this.#expression(child, scope, names)
    for (const join of joins ?? []) if (join.on) this.#expression(join.on, scope, names)
    for (const operation of setOperations ?? []) this.#expression(operation.expression, outer, names)
  }

  #with(node: WithNode, outerNames: Names): Names {
    const names = new Set(outerNames)
    const all = node.expressions.map(({ name }) => name.table.table.identifier.name)
    if (node.recursive) for (const name of all) names.add(name)
    node.expressions.forEach(({ expression }, index) => {
      this.#expression(expression, null, new Set(names))
      names.add(String(all[index]))
    })
    return names
  }

  #source(node: OperationNode, scope: SelectScope, names: Names): void {
    const source = tableSource(node)
    if (!source) this.#otherSource(node, scope, names)
    else if (source.schema === null && names.has(source.table)) scope.addOther(source.alias)
    else scope.addTable(source.alias, source.table, this.#keysOf(source))
  }

  #keysOf({ table, schema }: TableSource): readonly string[] {
    const keys = schema === null ? this.#tracked.get(table) : undefined
    if (!keys) throw new Error(`A live query cannot read ${table}: it is not declared in keys.ts.`)
    return keys
  }

  /** A sub-query in FROM; if lateral it could use this scope's columns, from which nothing is concluded. */
  #otherSource(node: OperationNode, scope: SelectScope, names: Names): void {
    const { node: inner, alias } = node.kind === 'AliasNode' ? (node as AliasNode) : { node, alias: null }
    if (alias?.kind === 'IdentifierNode') scope.addOther((alias as OperationNode & { name: string }).name)
    else this.everything = true
    if (inner.kind === 'RawNode') this.everything = true
    this.#expression(inner, null, names)
  }

  #expression(node: OperationNode, scope: SelectScope | null, names: Names): void {
    if (WRITES.has(node.kind)) throw new Error('A live query cannot write.')
    const query = node.kind === 'RawNode' ? jsonHelperQuery(node as RawNode) : node
    if (query?.kind === 'SelectQueryNode') {
      this.select(query as SelectQueryNode, scope, names)
      return
    }
    if (mayReadUnseen(node)) this.everything = true
    for (const child of childNodes(node)) this.#expression(child, scope, names)
  }
}

const WRITES = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode', 'MergeQueryNode'])

function mayReadUnseen(node: OperationNode): boolean {
  if (node.kind === 'RawNode') return mayReadTables(node as RawNode)
  return node.kind === 'FunctionNode' && isReadingFunction(node as FunctionNode)
}

/** WHERE and inner joins first: what they bind, a left join may use. */
function narrowByConditions(node: SelectQueryNode, scope: SelectScope): void {
  const joins = node.joins ?? []
  const inner = joins.filter((join) => join.joinType === 'InnerJoin')
  const shared = [node.where?.where, ...inner.map((join) => join.on?.on)].flatMap((condition) => equalities(condition))
  for (const { left, right } of shared) {
    const a = scope.ownColumn(left)
    const b = scope.ownColumn(right)
    if (a && b) a.equals.merge(b.equals)
  }
  for (const { left, right } of shared) {
    narrow(scope, left, right)
    narrow(scope, right, left)
  }
  for (const join of joins) if (join.joinType === 'LeftJoin') narrowJoined(join, scope)
}

/** Takes on constants and values of outer columns. Columns of the same SELECT are merged already. */
function narrow(scope: SelectScope, node: OperationNode, by: OperationNode): void {
  const column = scope.ownColumn(node)
  const values = column && !scope.ownColumn(by) ? scope.valuesOf(by) : null
  if (values) column?.equals.narrow(values)
}

/**
 * The ON of a left join says which rows of the joined table matter, and nothing of the rows on the left: values pass to the
 * joined table only. Columns tied to it by WHERE or an inner join take them on as well, rightly: those conditions hold for no
 * row in which the joined table is null.
 */
function narrowJoined(join: JoinNode, scope: SelectScope): void {
  const joined = tableSource(join.table)?.alias
  if (joined === undefined) return
  for (const { left, right } of equalities(join.on?.on)) {
    narrowOne(scope, joined, left, right)
    narrowOne(scope, joined, right, left)
  }
}

function narrowOne(scope: SelectScope, joined: string, node: OperationNode, by: OperationNode): void {
  const column = scope.ownColumn(node)
  const other = scope.ownColumn(by)
  if (!column || !scope.isOf(column, joined) || (other && scope.isOf(other, joined))) return
  const values = scope.valuesOf(by)
  if (values) column.equals.narrow(values)
}

type Equality = { left: OperationNode; right: OperationNode }

/** The `=` and `in` conditions that must all hold; none when raw text could turn the AND into something else. */
function equalities(condition: OperationNode | undefined): Equality[] {
  if (!condition) return []
  const parts = conjuncts(condition)
  if (parts.length > 1 && !parts.every(isClosed)) return []
  return parts.flatMap((part) => {
    if (part.kind === 'ParensNode') return equalities((part as ParensNode).node)
    if (part.kind !== 'BinaryOperationNode') return []
    const { leftOperand, operator, rightOperand } = part as BinaryOperationNode
    const isEquality = operator.kind === 'OperatorNode' && EQUALITIES.has((operator as OperatorNode).operator)
    return isEquality && isClosed(part) ? [{ left: leftOperand, right: rightOperand }] : []
  })
}

const EQUALITIES = new Set<string>(['=', 'in'])

function conjuncts(condition: OperationNode): OperationNode[] {
  if (condition.kind !== 'AndNode') return [condition]
  const { left, right } = condition as AndNode
  return [...conjuncts(left), ...conjuncts(right)]
}
