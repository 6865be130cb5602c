// Settings: the money an agent may spend in a month.
import { useFormContext, useWatch } from 'react-hook-form'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import type { AgentForm } from '../agent-form.rules.ts'
import { NumberField } from './fields/number-field.tsx'
import { FoldedSection } from './section.tsx'

/** US dollars of a calendar month; empty: no ceiling of its own. */
export function SpendingSection() {
  const { t } = useTranslation('agents')
  const { control } = useFormContext<AgentForm>()
  const limit = useWatch({ control, name: 'spending.monthlyLimitUsd' })
  return (
    <FoldedSection
      id="spending"
      summary={limit === null ? t(($) => $.spending.off) : t(($) => $.spending.on, { value: formatNumber(limit, 2) })}
      isSet={limit !== null}
    >
      <NumberField
        name="spending.monthlyLimitUsd"
        label={t(($) => $.spending.limit)}
        hint={t(($) => $.spending.hint)}
        placeholder={t(($) => $.spending.unlimited)}
        unit="USD"
        className="max-w-sm"
      />
    </FoldedSection>
  )
}
