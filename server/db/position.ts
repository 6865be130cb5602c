// Reading a snapshot position: the text of `pg_current_snapshot()`, `xmin:xmax:in-progress,…`.

type Position = { xmin: bigint; xmax: bigint; inProgress: ReadonlySet<bigint> }

let last: { text: string; position: Position } | undefined

/** Whether a committed transaction is seen at a position. Both come from the same database. */
export function isVisible(xid: string, position: string): boolean {
  const { xmin, xmax, inProgress } = parse(position)
  const id = BigInt(xid)
  if (id < xmin) return true
  return id < xmax && !inProgress.has(id)
}

/** Remembers the last answer: callers ask about many transactions and one position. */
function parse(text: string): Position {
  if (last?.text === text) return last.position
  const [xmin, xmax, inProgress] = text.split(':')
  if (!xmin || !xmax || inProgress === undefined) throw new Error(`Not a snapshot position: ${text}`)
  const ids = inProgress === '' ? [] : inProgress.split(',').map(BigInt)
  const position = { xmin: BigInt(xmin), xmax: BigInt(xmax), inProgress: new Set(ids) }
  last = { text, position }
  return position
}
