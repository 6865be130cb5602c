// Cells of a table as written, some spanning several columns or rows → rows in which every cell is in its column.

/** `continues`: the cell is merged with the one above it; `isDeleted`: its author has deleted it, while changes were tracked. */
export type TableCell = { text: string; columns: number; rows: number; continues: boolean; isDeleted: boolean }

/** A row that is wider was not made for people to read; spans do not widen it. */
const COLUMNS_MAX = 100

/** A cell before its text and its spans are known. */
export function newCell(): TableCell {
  return { text: '', columns: 1, rows: 1, continues: false, isDeleted: false }
}

/** What spans several columns or rows says the same in all of them; what stands alone in its row says it once. */
export function spreadCells(table: readonly (readonly TableCell[])[]): string[][] {
  const reaching: { text: string; rows: number }[] = []
  let above: string[] = []
  return table.map((cells) => {
    const row: string[] = []
    const addReaching = () => {
      for (let from = reaching[row.length]; from && from.rows > 0; from = reaching[row.length]) {
        from.rows -= 1
        row.push(from.text)
      }
    }
    for (const cell of cells) {
      addReaching()
      const text = cell.continues && !cell.text ? (above[row.length] ?? '') : cell.text
      const columns = cells.length === 1 ? 1 : Math.min(cell.columns, Math.max(1, COLUMNS_MAX - row.length))
      for (let column = 0; column < columns; column++) {
        if (row.length < COLUMNS_MAX) reaching[row.length] = { text, rows: cell.rows - 1 }
        row.push(text)
      }
    }
    addReaching()
    above = row
    return row
  })
}
