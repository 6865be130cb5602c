// Compiles template statements once for each shape: a template always gives the same SQL, only its parameters differ. Compiling the large
// ones takes longer than sending them.
import type { CompiledQuery, OperationNode, QueryId, RawNode, RootOperationNode, ValueNode } from 'kysely'

/** Trie nodes that are cached: lists of varying length would add nodes without bound. */
const BEGINNINGS_KEPT = 20_000

/** What follows in a shape: the texts of a template, a parameter's place, a literal. */
type Mark = readonly string[] | string
type Shape = { next: Map<Mark, Shape>; sql: string | null }
type Compile = (node: RootOperationNode, queryId: QueryId) => CompiledQuery

const PARAMETER = '$'

/** A compiler that caches by shape. `compile` is called once for each shape, and for everything that is not a template. */
export function rememberingCompiler(compile: Compile): Compile {
  let root: Shape = { next: new Map(), sql: null }
  let kept = 0
  const enter = (shape: Shape, mark: Mark): Shape => {
    const known = shape.next.get(mark)
    if (known) return known
    const made: Shape = { next: new Map(), sql: null }
    shape.next.set(mark, made)
    kept += 1
    return made
  }
  const walk = (node: OperationNode, shape: Shape, parameters: unknown[]): Shape | null => {
    if (node.kind === 'ValueNode') {
      const { value, immediate } = node as ValueNode
      if (immediate)
        return typeof value === 'object' && value !== null ? null : enter(shape, `${typeof value} ${value}`)
      parameters.push(value)
      return enter(shape, PARAMETER)
    }
    if (node.kind !== 'RawNode') return null
    const { sqlFragments, parameters: inner } = node as RawNode
    // The strings of a template literal are one object for the life of the program; other arrays are created on each call.
    const isTemplate = 'raw' in sqlFragments
    let at: Shape | null = enter(shape, isTemplate ? sqlFragments : `${sqlFragments.length} ${sqlFragments.join('\0')}`)
    for (const each of inner) {
      at = walk(each, at, parameters)
      if (!at) return null
    }
    return at
  }
  return (node, queryId) => {
    if (kept >= BEGINNINGS_KEPT) {
      root = { next: new Map(), sql: null }
      kept = 0
    }
    const parameters: unknown[] = []
    const shape = walk(node, root, parameters)
    if (!shape) return compile(node, queryId)
    if (shape.sql !== null) return { query: node, queryId, sql: shape.sql, parameters }
    const compiled = compile(node, queryId)
    shape.sql = compiled.sql
    return compiled
  }
}
