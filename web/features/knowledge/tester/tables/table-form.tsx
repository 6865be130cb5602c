// A form for the arguments of the table tool: filters, figures, groups, an order. The agent's own tool answers it.
import { Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { Id } from '#shared/ids.ts'
import { AGGREGATES_MAX, FILTERS_MAX, QUERY_ROWS_MAX, type TableCall } from '#shared/knowledge/table-questions.ts'
import type { DataTable } from '#shared/knowledge/tables.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { NumberInput } from '#web/components/ui/number-input.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { FigureFields } from './figure-fields.tsx'
import { FilterFields } from './filter-fields.tsx'
import { OrderFields } from './order-fields.tsx'
import { TableCallView } from './table-call.tsx'
import {
  changed,
  filterOn,
  isLimitGood,
  NEW_QUESTION,
  type QuestionDraft,
  questionOf,
  unfilled,
} from './table-form.rules.ts'
import { useTried } from './use-tried.ts'

type TableFormProps = {
  table: DataTable
  asker: { knowledgeSpaceId: Id<'knowledgeSpaces'>; agentId?: Id<'agents'> }
}

/** Offers only what fits the columns, so that the tool accepts every choice. Use the table as its key. */
export function TableForm({ table, asker }: TableFormProps) {
  const { t } = useTranslation('rag-tester')
  const askTable = useAction(api.agents.tables.ask, { hasToast: false })
  const [draft, setDraft] = useState(NEW_QUESTION)
  const [isChecked, setChecked] = useState(false)
  const tried = useTried<TableCall>(() => askTable({ ...asker, question: questionOf(table._id, draft) }))
  const { columns } = table
  const missing = isChecked ? unfilled(draft) : []
  const change = (patch: Partial<QuestionDraft>) => setDraft((before) => changed(columns, before, patch))
  function submit(event: FormEvent) {
    event.preventDefault()
    setChecked(true)
    if (unfilled(draft).length === 0 && isLimitGood(draft)) void tried.run()
  }
  return (
    <>
      <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
        {draft.filters.map((filter, at) => (
          <FilterFields
            key={filter.key}
            columns={columns}
            filter={filter}
            number={at + 1}
            isMissing={missing.includes(filter.key)}
            onChange={(next) => change({ filters: draft.filters.map((each) => (each === filter ? next : each)) })}
            onRemove={() => change({ filters: draft.filters.filter((each) => each !== filter) })}
          />
        ))}
        {draft.figures.map((figure, at) => (
          <FigureFields
            key={figure.key}
            columns={columns}
            figure={figure}
            number={at + 1}
            onChange={(next) => change({ figures: draft.figures.map((each) => (each === figure ? next : each)) })}
            onRemove={() => change({ figures: draft.figures.filter((each) => each !== figure) })}
          />
        ))}
        <Additions columns={columns} draft={draft} onChange={change} />
        <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
          <OrderFields columns={columns} draft={draft} onChange={change} />
          <Field
            label={t(($) => $.tables.limit)}
            error={
              isLimitGood(draft) ? undefined : t(($) => $.tables.limitRange, { max: formatNumber(QUERY_ROWS_MAX) })
            }
          >
            <NumberInput value={draft.limit} onValueChange={(limit) => change({ limit })} />
          </Field>
        </div>
        <Button type="submit" variant="primary" className="self-start" isBusy={tried.isBusy}>
          {t(($) => $.tables.ask)}
        </Button>
      </form>
      {tried.failure && (
        <Alert tone="destructive" title={t(($) => $.tables.failed)}>
          {tried.failure}
        </Alert>
      )}
      {tried.value && <TableCallView call={tried.value} />}
    </>
  )
}

type AdditionsProps = {
  columns: DataTable['columns']
  draft: QuestionDraft
  onChange: (patch: Partial<QuestionDraft>) => void
}

function Additions({ columns, draft: { filters, figures }, onChange }: AdditionsProps) {
  const { t } = useTranslation('rag-tester')
  const key = 1 + Math.max(0, ...[...filters, ...figures].map((each) => each.key))
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        size="sm"
        disabled={filters.length >= FILTERS_MAX}
        onClick={() => onChange({ filters: [...filters, filterOn(columns, key, 1)] })}
      >
        <Plus aria-hidden="true" />
        {t(($) => $.tables.addFilter)}
      </Button>
      <Button
        size="sm"
        disabled={figures.length >= AGGREGATES_MAX}
        onClick={() => onChange({ figures: [...figures, { key, function: 'count', column: null }] })}
      >
        <Plus aria-hidden="true" />
        {t(($) => $.tables.addFigure)}
      </Button>
    </div>
  )
}
