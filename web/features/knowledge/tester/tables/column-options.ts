// Columns of a table as options of a select, by their numbers.
import type { TableColumn } from '#shared/knowledge/tables.ts'
import type { SelectOption } from '#web/components/ui/select.tsx'

/** All of them, or those that are named by number. */
export function columnOptions(columns: TableColumn[], numbers = columns.map((_, at) => at + 1)): SelectOption[] {
  return numbers.map((number) => ({ value: String(number), label: columns[number - 1]?.name ?? '' }))
}
