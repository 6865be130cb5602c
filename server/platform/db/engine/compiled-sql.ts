// The SQL of statements that are written as templates, put together once for each shape: the same template gives the same text however
// often it is run, and only its parameters differ. Putting the large ones together takes longer than sending them.
import type { CompiledQuery, OperationNode, QueryId, RawNode, RootOperationNode, ValueNode } from 'kysely'

/** Beginnings of shapes that are kept; lists of many lengths may make more. */
const BEGINNINGS_KEPT = 20_000

/** What follows in a shape: the texts of a template, a parameter's place, a literal. */
type Mark = readonly string[] | string
type Shape = { next: Map<Mark, Shape>; sql: string | null }
type Compile = (node: RootOperationNode, queryId: QueryId) => CompiledQuery

const PARAMETER = '$'

/** A compiler that remembers the shapes it has met. `compile` is asked for each of them once, and for whatever is no template. */
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
    // The texts of a template are one object for as long as the program runs; others are made anew each time.
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
