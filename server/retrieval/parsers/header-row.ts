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

function upperQuartile(counts: number[]): number {
  return counts.sort((a, b) => a - b)[Math.floor(counts.length * 0.75)] ?? 0
}
