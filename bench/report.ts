// How the figures are printed: plain text tables, each figure of ours next to the floor's, and their ratio next to its target.

/** Prints a title. */
export function heading(text: string): void {
  print(`\n${text}\n${'─'.repeat(text.length)}`)
}

/** Prints rows under headings; numbers are right-aligned. */
export function table(headings: string[], rows: (string | number)[][]): void {
  const cells = [headings, ...rows.map((row) => row.map((cell) => (typeof cell === 'number' ? short(cell) : cell)))]
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)))
  for (const row of cells) {
    print(
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  '),
    )
  }
}

/** Prints one ratio with its limit and its target. */
export function target(name: string, value: number, limit: string, aim: string): void {
  print(`${name.padEnd(52)} ${short(value).padStart(8)}   to reach ${limit}, aim ${aim}`)
}

/** Prints a line. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Three significant digits. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (value >= 100) return value.toFixed(0)
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
