// Walking Kysely's query tree without knowing every kind of node.
import type { AliasNode, IdentifierNode, OperationNode, TableNode } from 'kysely'

/** Kinds whose fields hold values of the application, which must never be taken for parts of the query. */
const LEAVES = new Set([
  'ValueNode',
  'PrimitiveValueListNode',
  'IdentifierNode',
  'OperatorNode',
  'DefaultInsertValueNode',
])

/** The nodes directly below one. */
export function childNodes(node: OperationNode): OperationNode[] {
  if (LEAVES.has(node.kind)) return []
  const children: OperationNode[] = []
  for (const field of Object.values(node)) {
    if (isNode(field)) children.push(field)
    else if (Array.isArray(field)) children.push(...field.filter(isNode))
  }
  return children
}

/** The same node with its children replaced; the node itself when none changed. */
export function mapChildren(node: OperationNode, map: (child: OperationNode) => OperationNode): OperationNode {
  if (LEAVES.has(node.kind)) return node
  let changed: Record<string, unknown> | undefined
  for (const [name, field] of Object.entries(node)) {
    const mapped = mapField(field, map)
    if (mapped !== field) {
      changed ??= { ...node }
      changed[name] = mapped
    }
  }
  return changed ? (changed as unknown as OperationNode) : node
}

function mapField(field: unknown, map: (child: OperationNode) => OperationNode): unknown {
  if (isNode(field)) return map(field)
  if (!Array.isArray(field)) return field
  let changed = false
  const items = field.map((item: unknown) => {
    const mapped = isNode(item) ? map(item) : item
    changed ||= mapped !== item
    return mapped
  })
  return changed ? items : field
}

function isNode(value: unknown): value is OperationNode {
  return typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string'
}

export type TableSource = { table: string; alias: string; schema: string | null }

/** The table that a FROM item or joined item names, with the name the query knows it by; null for sub-queries and raw SQL. */
export function tableSource(node: OperationNode): TableSource | null {
  if (node.kind === 'TableNode') {
    const { identifier, schema } = (node as TableNode).table
    return { table: identifier.name, alias: identifier.name, schema: schema?.name ?? null }
  }
  if (node.kind !== 'AliasNode') return null
  const { node: inner, alias } = node as AliasNode
  if (inner.kind !== 'TableNode' || alias.kind !== 'IdentifierNode') return null
  const { identifier, schema } = (inner as TableNode).table
  return { table: identifier.name, alias: (alias as IdentifierNode).name, schema: schema?.name ?? null }
}
