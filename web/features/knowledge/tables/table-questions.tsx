// What only the owner can know of a table, asked with what each answer would make of it.
import { CircleQuestionMark } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { CsvDelimiter } from '#shared/csv.ts'
import {
  type ColumnDoubt,
  type DataTable,
  hasDoubt,
  isTableDoubt,
  type TableReading,
} from '#shared/knowledge/tables.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { RadioGroup, type RadioOption } from '#web/components/ui/radio-group.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { HeaderChoice } from './header-choice.tsx'
import { RowsPreview } from './rows-preview.tsx'
import { useReading } from './use-reading.ts'

/** Renders nothing without questions. */
export function TableQuestions({ table }: { table: DataTable }) {
  const { t } = useTranslation('tables')
  if (!hasDoubt(table)) return null
  return (
    <section
      aria-label={t(($) => $.questions.title)}
      className="flex flex-col gap-4 rounded-lg border border-warning p-4"
    >
      <div className="flex items-start gap-3">
        <CircleQuestionMark aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-warning-soft-foreground" />
        <div>
          <h3 className="font-medium">{t(($) => $.questions.title)}</h3>
          <p className="max-w-prose text-[0.8125rem] text-muted-foreground">{t(($) => $.questions.lead)}</p>
        </div>
      </div>
      <FileQuestion table={table} />
      {!table.warnings.some(isTableDoubt) &&
        table.columns.map(({ name, doubt, wanted }, at) =>
          doubt ? (
            <ColumnQuestion key={name} table={table} number={at + 1} doubt={doubt} isBusy={wanted !== undefined} />
          ) : null,
        )}
    </section>
  )
}

/** One at a time, since each answer rereads the file. */
function FileQuestion({ table }: { table: DataTable }) {
  const warning = table.warnings.find(isTableDoubt)
  switch (warning?.kind) {
    case 'delimiter_unsure':
      return <DelimiterQuestion table={table} readings={warning.readings} chosen={warning.chosen} />
    case 'sections_unsure':
      return <LoneRowsQuestion table={table} names={warning.names} />
    case 'header_unsure':
      return <HeaderChoice table={table} />
    default:
      return null
  }
}

const DELIMITER_NAMES = { ';': 'semicolon', ',': 'comma', '\t': 'tab', '|': 'bar' } as const

type DelimiterProps = {
  table: DataTable
  readings: { delimiter: CsvDelimiter; rows: string[][] }[]
  chosen: CsvDelimiter
}

function DelimiterQuestion({ table, readings, chosen }: DelimiterProps) {
  const { t } = useTranslation('tables')
  const options = readings.map(({ delimiter, rows }) => ({
    value: delimiter,
    label: t(($) => $.questions[DELIMITER_NAMES[delimiter]]),
    hint: <RowsPreview rows={rows} />,
  }))
  return (
    <ReadingQuestion
      table={table}
      title={t(($) => $.questions.delimiter)}
      first={chosen}
      options={options}
      readingOf={(delimiter) => ({ delimiter })}
    />
  )
}

function LoneRowsQuestion({ table, names }: { table: DataTable; names: string[] }) {
  const { t } = useTranslation('tables')
  return (
    <ReadingQuestion
      table={table}
      title={t(($) => $.questions.lone, { names: names.join(', ') })}
      first="sections"
      options={[
        { value: 'sections', label: t(($) => $.questions.sections), hint: t(($) => $.questions.sectionsHint) },
        { value: 'items', label: t(($) => $.questions.items), hint: t(($) => $.questions.itemsHint) },
      ]}
      readingOf={(loneRows) => ({ loneRows })}
    />
  )
}

type ReadingQuestionProps<Value extends string> = {
  table: DataTable
  title: string
  first: Value
  options: RadioOption<Value>[]
  readingOf: (value: Value) => TableReading
}

function ReadingQuestion<Value extends string>(props: ReadingQuestionProps<Value>) {
  const { table, title, first, options, readingOf } = props
  const { save, isBusy, obstacle } = useReading(table)
  return (
    <Question
      title={title}
      first={first}
      options={options}
      isBusy={isBusy}
      onSettle={(value) => save(readingOf(value))}
    >
      {obstacle}
    </Question>
  )
}

type ColumnQuestionProps = { table: DataTable; number: number; doubt: ColumnDoubt; isBusy: boolean }

function ColumnQuestion({ table, number, doubt, isBusy }: ColumnQuestionProps) {
  const { t } = useTranslation('tables')
  const settle = useMutation(api.knowledge.tables.settleColumn)
  const name = table.columns[number - 1]?.name ?? ''
  const reads = (pairs: [cell: string, value: string][]) =>
    pairs.map(([cell, value]) => t(($) => $.questions.reads, { cell, value })).join(' · ')
  const options =
    doubt.kind === 'sign'
      ? (['thousands', 'decimal'] as const).map((means) => ({
          value: means,
          label: t(($) => $.questions[means]),
          hint: reads(doubt.examples.map((example) => [example.cell, formatNumber(example[means])])),
        }))
      : (
          [
            ['day-first', 'dayFirst'],
            ['month-first', 'monthFirst'],
          ] as const
        ).map(([means, key]) => ({
          value: means,
          label: t(($) => $.questions[key]),
          hint: reads(doubt.examples.map((example) => [example.cell, example[key]])),
        }))
  const title =
    doubt.kind === 'sign'
      ? t(($) => $.questions.sign, { sign: doubt.sign, name })
      : t(($) => $.questions.dates, { name })
  return (
    <Question
      title={title}
      first={options[0]?.value ?? 'thousands'}
      options={options}
      isBusy={isBusy}
      onSettle={(means) => settle({ tableId: table._id, column: number, means }).catch(() => undefined)} // the toast reports it
    />
  )
}

type QuestionProps<Value extends string> = {
  title: string
  first: Value
  options: readonly RadioOption<Value>[]
  isBusy: boolean
  onSettle: (value: Value) => Promise<unknown>
  children?: ReactNode
}

function Question<Value extends string>({ title, first, options, isBusy, onSettle, children }: QuestionProps<Value>) {
  const { t } = useTranslation('tables')
  const [value, setValue] = useState(first)
  const id = useId()
  return (
    <div className="flex flex-col gap-2">
      <h4 id={id} className="font-medium">
        {title}
      </h4>
      <RadioGroup label={title} value={value} onValueChange={setValue} options={options} />
      {children ?? (
        <Button
          className="self-start"
          variant="primary"
          isBusy={isBusy}
          aria-describedby={id}
          onClick={() => void onSettle(value)}
        >
          {t(($) => $.questions.settle)}
        </Button>
      )}
    </div>
  )
}
