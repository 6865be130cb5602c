// Groups of a table question, and the order of its rows or groups.
import { DIRECTIONS } from '#shared/knowledge/table-questions.ts'
import type { TableColumn } from '#shared/knowledge/tables.ts'
import { Field } from '#web/components/ui/field.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { columnOptions } from './column-options.ts'
import { type QuestionDraft, type SortBy, sortChoices } from './table-form.rules.ts'

/** Of the selects: no group, no order of one's own. */
const NONE = 'none'

type OrderFieldsProps = {
  columns: TableColumn[]
  draft: QuestionDraft
  onChange: (patch: Partial<QuestionDraft>) => void
}

/** A direction can be chosen where there is an order. */
export function OrderFields({ columns, draft, onChange }: OrderFieldsProps) {
  const { t } = useTranslation('rag-tester')
  const { groupBy, sortBy, direction, figures } = draft
  const choices = sortChoices(columns, draft)
  function labelOf(choice: SortBy): string {
    if ('column' in choice) return columns[choice.column - 1]?.name ?? ''
    return figures.length > 0 ? t(($) => $.tables.byFigure, { number: choice.aggregate }) : t(($) => $.tables.byRows)
  }
  return (
    <>
      <Field label={t(($) => $.tables.groupBy)}>
        <Select
          value={groupBy === null ? NONE : String(groupBy)}
          onValueChange={(next) => onChange({ groupBy: next === NONE ? null : Number(next) })}
          options={[{ value: NONE, label: t(($) => $.tables.noGroups) }, ...columnOptions(columns)]}
        />
      </Field>
      <Field label={t(($) => $.tables.sortBy)}>
        <Select
          value={sortBy === null ? NONE : JSON.stringify(sortBy)}
          onValueChange={(next) =>
            onChange({ sortBy: choices.find((choice) => JSON.stringify(choice) === next) ?? null })
          }
          options={[
            { value: NONE, label: groupBy === null ? t(($) => $.tables.fileOrder) : t(($) => $.tables.groupOrder) },
            ...choices.map((choice) => ({ value: JSON.stringify(choice), label: labelOf(choice) })),
          ]}
        />
      </Field>
      <Field label={t(($) => $.tables.direction)}>
        <Select
          value={direction}
          disabled={sortBy === null}
          onValueChange={(next) => onChange({ direction: DIRECTIONS.find((each) => each === next) ?? 'asc' })}
          options={DIRECTIONS.map((value) => ({ value, label: t(($) => $.tables.directions[value]) }))}
        />
      </Field>
    </>
  )
}
