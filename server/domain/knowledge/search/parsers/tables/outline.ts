// Groups of rows that a spreadsheet can collapse: a summary row that only sums up its details is not a row of the table, but names their
// group.
import { readNumber } from './cell-values.ts'

/** `groups` names the group of each row, with those it lies in before it; empty for none. */
type Outline = { summaries: ReadonlySet<number>; groups: string[] }
type Direction = Outline & { proven: number }

const GROUP_NAME_MAX = 200
/** By which the parts of a sum may be rounded, each. */
const ROUNDING = 0.005

/**
 * Finds the rows that sum up adjacent rows of a deeper level, above them or, if more sums match, below them. A row of a higher level than
 * its neighbours with other numbers than their sums is a normal row.
 *
 * @param levels how deep each row lies; all the same where nothing can be collapsed
 */
export function outlineOf(rows: string[][], levels: number[]): Outline {
  const down = outlineDown(rows, levels)
  if (!levels.some((level) => level > 0)) return down
  const up = outlineDown(rows.toReversed(), levels.toReversed())
  if (up.proven <= down.proven) return down
  const summaries = new Set([...up.summaries].map((at) => rows.length - 1 - at))
  return { summaries, groups: up.groups.toReversed() }
}

/** With sums above what they add up. */
function outlineDown(rows: string[][], levels: number[]): Direction {
  const found = { summaries: new Set<number>(), groups: rows.map(() => ''), proven: 0 }
  const isParent = (at: number) => (levels[at + 1] ?? 0) > (levels[at] ?? 0)
  const open: { level: number; name: string }[] = []
  for (const [at, row] of rows.entries()) {
    const level = levels[at] ?? 0
    while (open.length > 0 && (open.at(-1)?.level ?? 0) >= level) open.pop()
    found.groups[at] = open
      .map(({ name }) => name)
      .join(' / ')
      .slice(0, GROUP_NAME_MAX)
      .toWellFormed()
    if (!isParent(at)) continue
    const details: string[][] = []
    for (let below = at + 1; (levels[below] ?? 0) > level; below++)
      if (!isParent(below)) details.push(rows[below] ?? [])
    const sums = compareSums(row, details)
    if (!sums.areSums) continue
    found.summaries.add(at)
    if (sums.isProven) found.proven += 1
    open.push({ level, name: nameOf(row) })
  }
  return found
}

/** `isProven`: a number other than zero is the sum of its details. `areSums`: proven, or nothing contradicts it. */
function compareSums(row: string[], details: string[][]): { areSums: boolean; isProven: boolean } {
  const shared = row.flatMap((cell, column) => {
    const own = numberIn(cell)
    const parts = details.map((detail) => numberIn(detail[column] ?? '')).filter((part) => part !== undefined)
    if (own === undefined || parts.length === 0) return []
    const sum = parts.reduce((before, part) => before + part, 0)
    return [{ own, isSum: Math.abs(sum - own) <= ROUNDING * (parts.length + 1) }]
  })
  const isProven = shared.some(({ own, isSum }) => isSum && own !== 0)
  return { areSums: isProven || shared.every(({ isSum }) => isSum), isProven }
}

function nameOf(row: string[]): string {
  const filled = row.filter(Boolean)
  return (filled.find((cell) => numberIn(cell) === undefined) ?? filled[0] ?? '').replace(/\s+/g, ' ')
}

function numberIn(cell: string): number | undefined {
  return readNumber(cell, 'point') ?? readNumber(cell, 'comma')
}
