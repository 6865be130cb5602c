// Where a table begins and ends in its sheet: chosen by the rows as they are written.
import { type FormEvent, useId, useState } from 'react'
import type { DataTable, TableReading } from '#shared/knowledge/tables.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { NumberInput } from '#web/components/ui/number-input.tsx'
import { RadioGroup } from '#web/components/ui/radio-group.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { RowsPreview } from './rows-preview.tsx'
import { useReading } from './use-reading.ts'

const LINES = [1, 2, 3] as const
const RANGE = ['lastRow', 'firstColumn', 'lastColumn'] as const
type Range = Record<(typeof RANGE)[number], number | null>

/** Waits for the beginning of the sheet. */
export function HeaderChoice({ table }: { table: DataTable }) {
  const rows: string[][] | undefined = useQuery(api.knowledge.tables.firstRows, { tableId: table._id })
  if (rows) return <HeaderForm table={table} rows={rows} />
  return (
    <Delayed>
      <Skeleton className="h-40 rounded-lg" />
    </Delayed>
  )
}

function HeaderForm({ table, rows }: { table: DataTable; rows: string[][] }) {
  const { t } = useTranslation('tables')
  const { replace, isBusy, obstacle } = useReading(table)
  const { reading } = table
  const [row, setRow] = useState(String(reading.headerRow ?? firstFilled(rows)))
  const [lines, setLines] = useState(String(reading.headerRows ?? 1))
  const [range, setRange] = useState<Range>({
    lastRow: reading.lastRow ?? null,
    firstColumn: reading.firstColumn ?? null,
    lastColumn: reading.lastColumn ?? null,
  })
  const id = useId()
  function submit(event: FormEvent) {
    event.preventDefault()
    void replace(readingOf(reading, Number(row), { lines: Number(lines), range }))
  }
  return (
    <form noValidate className="flex flex-col gap-3" onSubmit={submit}>
      <h4 id={id} className="font-medium">
        {t(($) => $.questions.header)}
      </h4>
      <RowChoice rows={rows} row={row} onChoose={setRow} />
      <div className="flex flex-wrap gap-3">
        <Field label={t(($) => $.reading.lines)}>
          <Select
            className="w-32"
            value={lines}
            onValueChange={setLines}
            options={LINES.map((count) => ({ value: String(count), label: t(($) => $.reading.line_count, { count }) }))}
          />
        </Field>
        <RangeFields range={range} onChange={setRange} />
      </div>
      <p className="max-w-prose text-[0.8125rem] text-muted-foreground">{obstacle ?? t(($) => $.reading.rowsGone)}</p>
      {!obstacle && (
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" isBusy={isBusy} aria-describedby={id}>
            {t(($) => $.reading.save)}
          </Button>
          <Button isBusy={isBusy} onClick={() => void replace({})}>
            {t(($) => $.reading.auto)}
          </Button>
        </div>
      )}
    </form>
  )
}

function RowChoice({ rows, row, onChoose }: { rows: string[][]; row: string; onChoose: (row: string) => void }) {
  const { t } = useTranslation('tables')
  const filled = rows.flatMap((cells, at) => (cells.some(Boolean) ? [{ cells, number: at + 1 }] : []))
  return (
    <RadioGroup
      className="max-h-80 overflow-y-auto"
      label={t(($) => $.questions.header)}
      value={row}
      onValueChange={onChoose}
      options={[
        { value: '0', label: t(($) => $.reading.noHeader) },
        ...filled.map(({ cells, number }) => ({
          value: String(number),
          label: t(($) => $.reading.row, { row: number }),
          hint: <RowsPreview rows={[cells]} />,
        })),
      ]}
    />
  )
}

function RangeFields({ range, onChange }: { range: Range; onChange: (range: Range) => void }) {
  const { t } = useTranslation('tables')
  return RANGE.map((key) => (
    <Field
      key={key}
      label={t(($) => $.reading[key])}
      hint={t(($) => $.reading[key === 'lastRow' ? 'lastRowHint' : 'range'])}
    >
      <NumberInput
        className="w-32"
        value={range[key]}
        onValueChange={(value) => onChange({ ...range, [key]: value })}
      />
    </Field>
  ))
}

function firstFilled(rows: string[][]): number {
  return (
    Math.max(
      0,
      rows.findIndex((cells) => cells.filter(Boolean).length > 1),
    ) + 1
  )
}

/** Earlier answers about the delimiter and lone rows stay. Fields that hold no whole number are as good as empty. */
function readingOf(before: TableReading, headerRow: number, of: { lines: number; range: Range }): TableReading {
  const { delimiter, loneRows } = before
  const whole = Object.entries(of.range).filter(([, value]) => value !== null && Number.isInteger(value) && value > 0)
  return {
    ...(delimiter && { delimiter }),
    ...(loneRows && { loneRows }),
    headerRow,
    ...(headerRow > 0 && { headerRows: of.lines }),
    ...Object.fromEntries(whole),
  }
}
