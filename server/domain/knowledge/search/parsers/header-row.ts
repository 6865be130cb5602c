// Where a table begins in the rows of a sheet: what stands above it are its title, its date, whom it is for.

/**
 * The row that names the columns: the first in which more than half as many cells are filled as in the fuller rows, at least two. Of a
 * single column it is the first. -1 where no row is one.
 */
export function headerRowAt(rows: readonly (readonly string[])[], columns: number): number {
  if (columns < 2) return rows.findIndex((row) => row.some(Boolean))
  const filled = rows.map((row) => row.filter(Boolean).length)
  const least = Math.max(2, Math.floor(upperQuartile(filled.filter((count) => count >= 2)) / 2) + 1)
  return filled.findIndex((count) => count >= least)
}

/**
 * Names of the columns, and the row at which the table continues below them. A name that spans several columns, each with a name of its own
 * in the row below, is prefixed to all of them: `Остаток, шт`.
 */
export function readHeader(rows: readonly (readonly string[])[], at: number): { names: string[]; bodyAt: number } {
  const upper = rows[at] ?? []
  const lower = rows[at + 1] ?? []
  const columns = Array.from({ length: Math.max(upper.length, lower.length) }, (_, column) => column)
  const names = columns.map((column) => nameOfTwo(upper, lower, column))
  const isOfTwo = rows.length > at + 2 && columns.some((column) => !upper[column] && names[column])
  if (!isOfTwo || names.includes(null)) return { names: [...upper], bodyAt: at + 1 }
  return { names: names.map((name) => name ?? ''), bodyAt: at + 2 }
}

/** The name of a column in a header of two rows; null where the lower row can be none of a header. */
function nameOfTwo(upper: readonly string[], lower: readonly string[], column: number): string | null {
  const [over, own] = [upper[column] ?? '', lower[column] ?? '']
  if (own === '' || own === over) return over
  const start = over ? column : upper.slice(0, column).findLastIndex(Boolean)
  const isBelow = !!lower[start] && !upper[start + 1] && !!lower[start + 1]
  return isBelow && !/^[\d+-]/.test(own) ? `${upper[start]}, ${own}` : null
}

function upperQuartile(counts: number[]): number {
  return counts.sort((a, b) => a - b)[Math.floor(counts.length * 0.75)] ?? 0
}
