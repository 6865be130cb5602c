// What the analysis has found in each column, and the type, which a person can correct.
import { useState } from 'react'
import type { DataTable, TableColumn } from '#shared/knowledge/tables.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { ColumnNotes } from './column-notes.tsx'
import { ColumnTypeChoice } from './column-type-choice.tsx'
import { HeaderChoice } from './header-choice.tsx'
import { TableQuestions } from './table-questions.tsx'

/** Name, type and samples of each column, and how many of its cells do not fit the type. */
export function ColumnList({ table }: { table: DataTable }) {
  const { t } = useTranslation('tables')
  return (
    <div className="flex flex-col gap-3">
      <TableQuestions table={table} />
      <p className="max-w-prose text-muted-foreground">{t(($) => $.columns.hint)}</p>
      <section
        aria-label={t(($) => $.columns.label)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
        tabIndex={0}
        className="overflow-x-auto rounded-lg border border-border"
      >
        <table className="w-full text-start text-[0.8125rem]">
          <thead className="bg-muted text-muted-foreground">
            <tr>
              <th className="px-3 py-2 text-start font-medium">{t(($) => $.columns.name)}</th>
              <th className="px-3 py-2 text-start font-medium">{t(($) => $.columns.type)}</th>
              <th className="px-3 py-2 text-start font-medium">{t(($) => $.columns.samples)}</th>
            </tr>
          </thead>
          <tbody className="divide-y divide-border">
            {table.columns.map(({ name }, index) => (
              <Column key={name} table={table} number={index + 1} />
            ))}
          </tbody>
        </table>
      </section>
      <ReadingDisclosure table={table} />
    </div>
  )
}

/** Where the question is asked already, the choice stands there. */
function ReadingDisclosure({ table }: { table: DataTable }) {
  const { t } = useTranslation('tables')
  const [isOpen, setOpen] = useState(false)
  if (table.warnings.some(({ kind }) => kind === 'header_unsure')) return null
  return (
    <div className="flex flex-col items-start gap-3">
      <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t(($) => $.reading.open)}
      </Button>
      {isOpen && <HeaderChoice table={table} />}
    </div>
  )
}

function Column({ table, number }: { table: DataTable; number: number }) {
  const { t } = useTranslation('tables')
  const column = table.columns[number - 1]
  if (!column) return null
  const isImported = table.importedColumn === number
  return (
    <tr className="align-top">
      <th scope="row" className="px-3 py-2 text-start font-medium">
        {column.unit === undefined ? column.name : `${column.name}, ${column.unit}`}{' '}
        {isImported && <Badge tone="primary">{t(($) => $.columns.imported)}</Badge>}
      </th>
      <td className="px-3 py-2">
        <ColumnTypeChoice tableId={table._id} number={number} column={column} />
        <ColumnNotes column={column} />
      </td>
      <td className="px-3 py-2 text-muted-foreground">
        {column.samples.length > 0 ? <Samples column={column} /> : t(($) => $.columns.empty)}
      </td>
    </tr>
  )
}

/** Cells, and what was read where it looks another way. */
function Samples({ column: { samples, readAs = [], type } }: { column: TableColumn }) {
  const { t } = useTranslation('tables')
  const shown = (value: string | number | boolean | null) => {
    if (value === null) return t(($) => $.columns.nothing)
    if (typeof value === 'boolean') return t(($) => $.columns[value ? 'yes' : 'no'])
    return typeof value === 'number' ? formatNumber(value) : value
  }
  const texts = samples.map((cell, at) => {
    const value = readAs[at]
    if (type === 'text' || value === undefined || shown(value) === cell) return cell
    return t(($) => $.columns.readAs, { cell, value: shown(value) })
  })
  return texts.join(' · ')
}
