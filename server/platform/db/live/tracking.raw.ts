// What raw SQL inside a query may hide: reads of tables that the query tree does not show, and text that changes how the conditions around
// it are parsed.
import type {
  AndNode,
  BinaryOperationNode,
  FunctionNode,
  OperationNode,
  OperatorNode,
  RawNode,
  SelectQueryNode,
  UnaryOperationNode,
} from 'kysely'

/** Kysely's own jsonArrayFrom and jsonObjectFrom: text around one sub-query. */
const JSON_HELPERS = new Set([
  "(select coalesce(json_agg(agg), '[]') from \u0000 as agg)",
  '(select to_json(obj) from \u0000 as obj)',
])
const RELATION_WORDS =
  /\b(from|join|into|update|delete|insert|merge|table|with|select|using|values|execute|call|do|copy|union|except|intersect)\b/i
/** Uses of the words above that do not name a relation. */
const HARMLESS = /\bis\s+(not\s+)?distinct\s+from\b|\bextract\s*\(\s*\w+\s+from\b/gi
/** Built-in functions that read what their arguments name, or whose result changes with writes elsewhere. */
const READING_FUNCTIONS = /_to_xml|_to_xmlschema|ts_stat|nextval|currval|lastval|dblink|\bpg_(?!typeof\b)|\blo_/i
/** Words and signs by which text can reach beyond its own operand. */
const OPEN_ENDS = /\b(or|and|between|not|case|when|then|else)\b|--|\/\*|;/i

/** The sub-query of Kysely's JSON helpers; null for any other text. */
export function jsonHelperQuery(node: RawNode): SelectQueryNode | null {
  const [inner] = node.parameters
  const isHelper = node.parameters.length === 1 && JSON_HELPERS.has(node.sqlFragments.join('\u0000'))
  return isHelper && inner?.kind === 'SelectQueryNode' ? (inner as SelectQueryNode) : null
}

/** Whether the text could read tables of its own. Its parameters are checked separately. */
export function mayReadTables(node: RawNode): boolean {
  const text = node.sqlFragments.join(' ? ')
  if (!isBalanced(text)) return true
  const bare = withoutQuotes(text).replace(HARMLESS, ' ')
  return RELATION_WORDS.test(bare) || READING_FUNCTIONS.test(bare) || /--|\/\*|;/.test(bare)
}

/** Whether a function could read tables. Our own functions are checked at start. */
export function isReadingFunction(node: FunctionNode): boolean {
  return READING_FUNCTIONS.test(node.func)
}

const CLOSED_KINDS = new Set([
  'ReferenceNode',
  'ColumnNode',
  'ValueNode',
  'PrimitiveValueListNode',
  'ValueListNode',
  'ParensNode',
  'SelectQueryNode',
  'FunctionNode',
  'AggregateFunctionNode',
  'TupleNode',
  'JSONReferenceNode',
  'CastNode',
  'CaseNode',
])

/**
 * Whether a condition keeps its meaning when ANDed with another. Raw text may not: in `a or b and key = 1` the last part narrows nothing.
 */
export function isClosed(node: OperationNode): boolean {
  if (CLOSED_KINDS.has(node.kind)) return true
  if (node.kind === 'RawNode') return isClosedText(node as RawNode)
  if (node.kind === 'UnaryOperationNode') return isClosed((node as UnaryOperationNode).operand)
  return node.kind === 'BinaryOperationNode' && isClosedOperation(node as BinaryOperationNode)
}

function isClosedOperation({ leftOperand, operator, rightOperand }: BinaryOperationNode): boolean {
  if (operator.kind !== 'OperatorNode' || !isClosed(leftOperand)) return false
  const isRange = (operator as OperatorNode).operator.startsWith('between') && rightOperand.kind === 'AndNode'
  if (!isRange) return isClosed(rightOperand)
  const { left, right } = rightOperand as AndNode
  return isClosed(left) && isClosed(right)
}

function isClosedText(node: RawNode): boolean {
  const text = node.sqlFragments.join(' ')
  return !OPEN_ENDS.test(text) && isBalanced(text) && node.parameters.every(isClosed)
}

function withoutQuotes(text: string): string {
  return text.replace(/'[^']*'/g, "''")
}

/** Whether parentheses are balanced and no quoting but the plain one is used. */
function isBalanced(text: string): boolean {
  if (text.includes('\\')) return false
  let depth = 0
  for (const sign of text.replace(/'[^']*'|"[^"]*"/g, '')) {
    if (sign === "'" || sign === '"' || sign === '$') return false
    if (sign === '(') depth++
    else if (sign === ')' && --depth < 0) return false
  }
  return depth === 0
}
