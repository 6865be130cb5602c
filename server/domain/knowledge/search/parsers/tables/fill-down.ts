// Fills down a category that is written only in the first row of its group.
import type { TableWarning } from '#shared/knowledge/tables.ts'

const CATEGORY =
  /категор|групп|раздел|бренд|марка|тип|вид|произв|отдел|класс|серия|коллекц|город|филиал|склад|поставщ|category|group|section|brand|type|class|series|department|city|branch|warehouse|vendor|supplier|maker|санат|топ|бөлім|түр/iu
/** Marks of single items, which are no groups. */
const MARK =
  /акци|хит|новин|скидк|примеч|коммент|статус|налич|фото|ссылк|note|comment|sale|promo|status|badge|photo|link|ескерту/iu
/** Leading columns that may name groups. */
const COLUMNS = 2

/** @returns the rows with what continues filled in, and the warnings about it */
export function fillDown(
  names: string[],
  rows: { cells: string[]; section: string }[],
  isValue: (cell: string) => boolean,
): { rows: string[][]; warnings: TableWarning[] } {
  const filled = rows.map(({ cells }) => [...cells])
  const warnings: TableWarning[] = []
  for (let column = 0; column < COLUMNS; column++) {
    const name = names[column] ?? ''
    if (
      !namesGroups(
        name,
        rows.map(({ cells }) => cells),
        column,
        isValue,
      )
    )
      continue
    let count = 0
    let above = ''
    let section = ''
    for (const [at, row] of filled.entries()) {
      if (rows[at]?.section !== section) above = ''
      section = rows[at]?.section ?? ''
      if (row[column]) above = row[column] ?? ''
      else if (above && row.some(Boolean)) {
        row[column] = above
        count += 1
      }
    }
    if (count > 0) warnings.push({ kind: 'filled_down', column: name, count })
  }
  return { rows: filled, warnings }
}

/** Words in the first row, each only once, with empty cells below them, left of a column in which every row has its own. */
function namesGroups(name: string, rows: string[][], column: number, isValue: (cell: string) => boolean): boolean {
  const cells = rows.map((row) => row[column] ?? '')
  const named = cells.filter(Boolean)
  if (MARK.test(name) || !cells[0] || named.length === cells.length || named.some(isValue)) return false
  if (new Set(named.map((cell) => cell.toLowerCase())).size < named.length) return false
  const isNamed = rows.every((row) => row.slice(column + 1).some((cell) => cell !== '' && !isValue(cell)))
  if (!isNamed) return false
  return CATEGORY.test(name) || (column === 0 && named.length * 2 <= cells.length)
}
