// The first wall between organizations: adds `organization_id = …` to every query over a tenant table, wherever in the query the table
// stands, and sets the column on insert. Refuses what it cannot prove safe. Raw SQL passes: row-level security covers it.
import {
  AliasNode,
  BinaryOperationNode,
  ColumnNode,
  type DeleteQueryNode,
  IdentifierNode,
  type InsertQueryNode,
  JoinNode,
  type OnConflictNode,
  type OperationNode,
  OperatorNode,
  ParensNode,
  PrimitiveValueListNode,
  ReferenceNode,
  type RootOperationNode,
  SelectionNode,
  type SelectQueryNode,
  TableNode,
  type UpdateQueryNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
  WhereNode,
} from 'kysely'
import { TENANT_TABLES } from '../keys.ts'
import { childNodes, mapChildren, tableSource } from '../nodes.ts'

const COLUMN = 'organization_id'

/**
 * The query bound to one organization.
 * @throws Error for a statement over a tenant table whose rows it cannot prove to be the organization's
 */
export function bindToOrganization<Node extends RootOperationNode>(query: Node, organizationId: string): Node {
  return rewrite(query, ValueNode.create(organizationId)) as Node
}

function rewrite(node: OperationNode, organization: ValueNode): OperationNode {
  const inner = mapChildren(node, (child) => rewrite(child, organization))
  switch (inner.kind) {
    case 'SelectQueryNode':
      return bindSelect(inner as SelectQueryNode, organization)
    case 'UpdateQueryNode':
      return bindUpdate(inner as UpdateQueryNode, organization)
    case 'DeleteQueryNode':
      return bindDelete(inner as DeleteQueryNode, organization)
    case 'InsertQueryNode':
      return bindInsert(inner as InsertQueryNode, organization)
    case 'CommonTableExpressionNameNode':
      return refuseShadowing(inner)
    case 'MergeQueryNode':
      throw new Error('MERGE is not available inside an organization: use insert … on conflict.')
    default:
      return inner
  }
}

type Joined = { where?: WhereNode; joins?: readonly JoinNode[] }

function bindSelect(node: SelectQueryNode, organization: ValueNode): SelectQueryNode {
  return bindSources(node, node.from?.froms ?? [], organization)
}

function bindUpdate(node: UpdateQueryNode, organization: ValueNode): UpdateQueryNode {
  const target = node.table
  if (!target || (target.kind !== 'TableNode' && target.kind !== 'AliasNode')) {
    throw new Error('An update inside an organization names one table.')
  }
  if (tenantName(target) && node.updates?.some((update) => columnName(update.column) === COLUMN)) {
    throw new Error('A row does not move to another organization.')
  }
  return bindSources(node, [target, ...(node.from?.froms ?? [])], organization)
}

function bindDelete(node: DeleteQueryNode, organization: ValueNode): DeleteQueryNode {
  return bindSources(node, [...node.from.froms, ...(node.using?.tables ?? [])], organization)
}

/** Tables named without a join are bound in WHERE, joined ones in their ON: a left join then keeps its rows. */
function bindSources<Node extends OperationNode & Joined>(
  node: Node,
  sources: readonly OperationNode[],
  organization: ValueNode,
): Node {
  const predicates = sources.flatMap((source) => predicateFor(source, organization))
  const joins = node.joins?.map((join) => bindJoin(join, organization, predicates))
  if (predicates.length === 0 && joins === undefined) return node
  return { ...node, ...(joins && { joins }), ...(predicates.length > 0 && { where: whereAnd(node.where, predicates) }) }
}

function bindJoin(join: JoinNode, organization: ValueNode, outside: OperationNode[]): JoinNode {
  const predicate = predicateFor(join.table, organization)[0]
  if (join.joinType === 'RightJoin' || join.joinType === 'FullJoin') {
    throw new Error(`A ${join.joinType} cannot be bound to an organization: write it as a left join.`)
  }
  if (!predicate) return join
  if (!join.on) {
    if (join.joinType !== 'CrossJoin')
      throw new Error(`A ${join.joinType} without ON cannot be bound to an organization.`)
    outside.push(predicate)
    return join
  }
  return JoinNode.cloneWithOn({ ...join, on: { ...join.on, on: closed(join.on.on) } }, predicate)
}

function predicateFor(source: OperationNode, organization: ValueNode): OperationNode[] {
  const table = tenantName(source)
  return table ? [BinaryOperationNode.create(qualified(table), OperatorNode.create('='), organization)] : []
}

/** The name by which the query refers to a source, when that is a tenant table. */
function tenantName(source: OperationNode): string | null {
  const table = tableSource(source)
  return table && TENANT_TABLES.has(table.table) ? table.alias : null
}

function qualified(alias: string): ReferenceNode {
  return ReferenceNode.create(ColumnNode.create(COLUMN), TableNode.create(alias))
}

function whereAnd(where: WhereNode | undefined, predicates: OperationNode[]): WhereNode {
  let result = where && WhereNode.create(closed(where.where))
  for (const predicate of predicates) {
    result = result ? WhereNode.cloneWithOperation(result, 'And', predicate) : WhereNode.create(predicate)
  }
  if (!result) throw new Error('No predicate to add.')
  return result
}

/** Parenthesizes a condition so that it can be ANDed. Raw text may hold an OR. */
function closed(condition: OperationNode): OperationNode {
  return condition.kind === 'ParensNode' ? condition : ParensNode.create(condition)
}

function bindInsert(node: InsertQueryNode, organization: ValueNode): InsertQueryNode {
  const table = node.into && tableSource(node.into)
  if (!table || !TENANT_TABLES.has(table.table)) return node
  if (!node.columns || !node.values) throw new Error(`An insert names its columns and values: ${table.table}.`)
  const position = node.columns.findIndex((column) => columnName(column) === COLUMN)
  const columns = position < 0 ? [...node.columns, ColumnNode.create(COLUMN)] : node.columns
  const values = bindValues(node.values, position, node.columns.length, organization)
  const onConflict = node.onConflict && bindConflict(node.onConflict, table.alias, organization)
  return { ...node, columns, values, ...(onConflict && { onConflict }) }
}

function bindValues(values: OperationNode, position: number, width: number, organization: ValueNode): OperationNode {
  if (values.kind === 'ValuesNode') {
    return ValuesNode.create((values as ValuesNode).values.map((row) => bindRow(row, position, organization)))
  }
  if (values.kind !== 'SelectQueryNode' || position >= 0) throw new Error(UNPROVEN_INSERT)
  return bindInsertedSelect(values as SelectQueryNode, width, organization)
}

function bindRow(
  row: PrimitiveValueListNode | ValueListNode,
  position: number,
  organization: ValueNode,
): PrimitiveValueListNode | ValueListNode {
  if (row.kind === 'PrimitiveValueListNode') {
    return PrimitiveValueListNode.create(replaced(row.values, position, organization.value))
  }
  return ValueListNode.create(replaced<OperationNode>(row.values, position, organization))
}

/** Position -1 appends the value. */
function replaced<T>(values: readonly T[], position: number, value: T): T[] {
  return position < 0 ? [...values, value] : values.with(position, value)
}

const UNPROVEN_INSERT =
  'An insert from a query inside an organization selects a plain list of values, without organization_id: the column is added.'

function bindInsertedSelect(node: SelectQueryNode, width: number, organization: ValueNode): SelectQueryNode {
  const selections = node.selections ?? []
  const isPlain = selections.length === width && !selections.some((each) => selectsAll(each.selection))
  if (!isPlain || node.setOperations || node.distinctOn || node.frontModifiers || node.groupBy) {
    throw new Error(UNPROVEN_INSERT)
  }
  const column = SelectionNode.create(AliasNode.create(organization, IdentifierNode.create(COLUMN)))
  return { ...node, selections: [...selections, column] }
}

function selectsAll(selection: OperationNode): boolean {
  return selection.kind === 'SelectAllNode' || childNodes(selection).some((child) => child.kind === 'SelectAllNode')
}

/** On conflict, leaves a row of another organization that holds the same unique key unchanged. */
function bindConflict(node: OnConflictNode, table: string, organization: ValueNode): OnConflictNode {
  if (!node.updates) return node
  if (node.updates.some((update) => columnName(update.column) === COLUMN)) {
    throw new Error('A row does not move to another organization.')
  }
  const predicate = BinaryOperationNode.create(qualified(table), OperatorNode.create('='), organization)
  return { ...node, updateWhere: whereAnd(node.updateWhere, [predicate]) }
}

function refuseShadowing(node: OperationNode): OperationNode {
  const table = childNodes(node).map(tableSource)[0]
  if (table && TENANT_TABLES.has(table.table))
    throw new Error(`A common table expression may not be named ${table.table}.`)
  return node
}

function columnName(node: OperationNode): string | undefined {
  if (node.kind === 'ColumnNode') return (node as ColumnNode).column.name
  if (node.kind === 'ReferenceNode') {
    const { column } = node as ReferenceNode
    return column.kind === 'ColumnNode' ? column.column.name : undefined
  }
  return undefined
}
