// Random SELECT trees and random writes over tables with the columns org, id, parent (keys, text) and n. Small value ranges, so
// that rows meet; aliases come again in inner queries, so that names hide each other.
import {
  AliasNode,
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  CommonTableExpressionNameNode,
  CommonTableExpressionNode,
  FromNode,
  FunctionNode,
  IdentifierNode,
  JoinNode,
  type JoinType,
  OnNode,
  type OperationNode,
  type Operator,
  OperatorNode,
  OrNode,
  ParensNode,
  PrimitiveValueListNode,
  RawNode,
  ReferenceNode,
  SelectionNode,
  SelectQueryNode,
  SetOperationNode,
  TableNode,
  UnaryOperationNode,
  ValueNode,
  WhereNode,
  WithNode,
} from 'kysely'
import type { Random } from './random.ts'

const COLUMNS = ['org', 'id', 'parent'] as const
const JOINS = [
  'InnerJoin',
  'InnerJoin',
  'LeftJoin',
  'LeftJoin',
  'LeftJoin',
  'RightJoin',
  'FullJoin',
  'CrossJoin',
] as const
const ALIASES = ['x', 'y', 'z']
const VALUES = { org: ['o1', 'o2'], id: ['1', '2', '3', '4'], parent: ['1', '2', '3', '4'] }

type Context = { random: Random; tables: readonly string[]; outer: readonly string[]; depth: number }

/** A SELECT of the first columns of each of its sources. Nearly always valid. */
export function randomSelect(random: Random, tables: readonly string[]): SelectQueryNode {
  const context = { random, tables, outer: [], depth: 0 }
  const node = plainSelect(context)
  if (random.chance(0.15)) return SelectQueryNode.cloneWithSetOperations(idsOnly(context), [unionOf(context)])
  return random.chance(0.15) ? withTable(context) : node
}

function unionOf(context: Context): SetOperationNode {
  return SetOperationNode.create(context.random.pick(['union', 'except', 'intersect']), idsOnly(context), false)
}

function idsOnly(context: Context): SelectQueryNode {
  const { node, aliases } = sources(context)
  return SelectQueryNode.cloneWithSelections(node, [SelectionNode.create(column(String(aliases[0]), 'id'))])
}

/** A common table expression that takes the name of a table. */
function withTable(context: Context): SelectQueryNode {
  const name = context.random.pick(context.tables)
  const alias = 'x'
  const inner = SelectQueryNode.cloneWithSelections(filtered(context, from(name, alias), [alias]), rowOf(alias))
  const expression = CommonTableExpressionNode.create(CommonTableExpressionNameNode.create(name), inner)
  const node = plainSelect(context)
  return { ...node, with: WithNode.create(expression) }
}

function plainSelect(context: Context): SelectQueryNode {
  const { node, aliases } = sources(context)
  const selections = aliases.flatMap((alias, index) => rowOf(alias, `_${index}`))
  const result = SelectQueryNode.cloneWithSelections(node, selections)
  if (context.depth > 0 || !context.random.chance(0.3)) return result
  const counted = AliasNode.create(countOf({ ...context, outer: aliases, depth: 1 }), IdentifierNode.create('counted'))
  return SelectQueryNode.cloneWithSelections(result, [SelectionNode.create(counted)])
}

function rowOf(alias: string, suffix = ''): SelectionNode[] {
  return [...COLUMNS, 'n'].map((name) =>
    SelectionNode.create(AliasNode.create(column(alias, name), IdentifierNode.create(`${name}${suffix}`))),
  )
}

/** `(select count(*) …)`, correlated. */
function countOf(context: Context): SelectQueryNode {
  const { node } = sources(context)
  const count = FunctionNode.create('count', [RawNode.createWithSql('*')])
  return SelectQueryNode.cloneWithSelections(node, [
    SelectionNode.create(AliasNode.create(count, IdentifierNode.create('amount'))),
  ])
}

function sources(context: Context): { node: SelectQueryNode; aliases: string[] } {
  const { random, tables } = context
  const aliases = [random.pick(ALIASES)]
  let node = from(random.pick(tables), String(aliases[0]))
  const joins = random.below(context.depth > 0 ? 2 : 3)
  for (let each = 0; each < joins; each++) {
    const alias = ALIASES.find((name) => !aliases.includes(name)) ?? 'w'
    const join = randomJoin(context, aliases, alias)
    aliases.push(alias)
    node = { ...node, joins: [...(node.joins ?? []), join] }
  }
  return { node: filtered(context, node, aliases), aliases }
}

function randomJoin(context: Context, aliases: string[], alias: string): JoinNode {
  const { random } = context
  const type: JoinType = random.pick(JOINS)
  const source = AliasNode.create(joinedSource(context), IdentifierNode.create(alias))
  if (type === 'CrossJoin') return JoinNode.create(type, source)
  const tie = equals(column(alias, random.pick(COLUMNS)), column(random.pick(aliases), random.pick(COLUMNS)))
  const isMore = type !== 'FullJoin' && random.chance(0.5)
  const on = isMore ? AndNode.create(tie, condition(context, [...aliases, alias])) : tie
  return { ...JoinNode.create(type, source), on: OnNode.create(on) }
}

function joinedSource(context: Context): OperationNode {
  const table = context.random.pick(context.tables)
  if (!context.random.chance(0.2)) return TableNode.create(table)
  const inner = filtered({ ...context, outer: [], depth: 2 }, from(table, 'y'), ['y'])
  return SelectQueryNode.cloneWithSelections(inner, rowOf('y'))
}

function filtered(context: Context, node: SelectQueryNode, aliases: string[]): SelectQueryNode {
  const amount = context.random.below(4)
  let where: WhereNode | undefined
  for (let each = 0; each < amount; each++) {
    const next = condition(context, aliases)
    where = where ? WhereNode.cloneWithOperation(where, 'And', next) : WhereNode.create(next)
  }
  return where ? { ...node, where } : node
}

function condition(context: Context, aliases: readonly string[]): OperationNode {
  const { random, outer, depth } = context
  const name = random.pick(COLUMNS)
  const own = column(random.pick(aliases), name)
  const kind = random.below(depth < 2 ? 10 : 8)
  if (kind < 3) return equals(own, ValueNode.create(random.pick(VALUES[name])))
  if (kind === 3)
    return operation(own, 'in', PrimitiveValueListNode.create([random.pick(VALUES[name]), random.pick(VALUES[name])]))
  if (kind === 4) return equals(own, column(random.pick(aliases), random.pick(COLUMNS)))
  if (kind === 5) return equals(own, column(random.pick([...aliases, ...outer]), random.pick(COLUMNS)))
  if (kind === 6) {
    const deeper = { ...context, depth: 2 }
    return ParensNode.create(OrNode.create(condition(deeper, aliases), condition(deeper, aliases)))
  }
  if (kind === 7) return operation(column(random.pick(aliases), 'n'), '>', ValueNode.create(random.below(4)))
  const inner = countOf({ ...context, outer: [...outer, ...aliases], depth: depth + 1 })
  if (kind === 8) return UnaryOperationNode.create(OperatorNode.create('exists'), withoutCount(inner))
  return operation(inner, '=', ValueNode.create(random.below(2)))
}

function withoutCount(node: SelectQueryNode): SelectQueryNode {
  const one = AliasNode.create(ValueNode.createImmediate(1), IdentifierNode.create('one'))
  return { ...node, selections: [SelectionNode.create(one)] }
}

function from(table: string, alias: string): SelectQueryNode {
  return {
    kind: 'SelectQueryNode',
    from: FromNode.create([AliasNode.create(TableNode.create(table), IdentifierNode.create(alias))]),
  }
}

function column(alias: string, name: string): ReferenceNode {
  return ReferenceNode.create(ColumnNode.create(name), TableNode.create(alias))
}

function equals(left: OperationNode, right: OperationNode): OperationNode {
  return operation(left, '=', right)
}

function operation(left: OperationNode, operator: Operator, right: OperationNode): OperationNode {
  return BinaryOperationNode.create(left, OperatorNode.create(operator), right)
}

/** A statement that writes to one of the tables, often moving rows from one key to another. */
export function randomWrite(random: Random, tables: readonly string[], only?: 'insert'): string {
  const table = random.pick(tables)
  const kind = only ? 0 : random.below(10)
  const text = (name: 'org' | 'id' | 'parent') => `'${random.pick(VALUES[name])}'`
  const parent = random.chance(0.2) ? 'null' : text('parent')
  if (kind < 3) {
    return `insert into ${table} (org, id, parent, n) values (${text('org')}, ${text('id')}, ${parent}, ${random.below(5)})`
  }
  const where = `ctid in (select ctid from ${table} order by md5(id || org || n::text || '${random.below(100)}') limit ${1 + random.below(2)})`
  if (kind < 4) return `delete from ${table} where ${where}`
  if (kind < 6) return `update ${table} set n = ${random.below(5)} where ${where}`
  return `update ${table} set ${random.pick([`id = ${text('id')}`, `parent = ${parent}`, `org = ${text('org')}`])} where ${where}`
}
