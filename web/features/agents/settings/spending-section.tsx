// Settings: the money an agent may spend in a month.
import { useFormContext, useWatch } from 'react-hook-form'
import { EXTRACTIVE_MODEL, type ModelInfo } from '#shared/models.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import type { AgentForm } from '../agent-form.rules.ts'
import { NumberField } from './fields/number-field.tsx'
import { FoldedSection } from './section.tsx'

/** US dollars of a calendar month; empty: no ceiling of its own. What has no known price cannot be held to it, and it says so. */
export function SpendingSection({ models }: { models: ModelInfo[] }) {
  const { t } = useTranslation('agents')
  const { control } = useFormContext<AgentForm>()
  const [limit, model, fallbacks] = useWatch({
    control,
    name: ['spending.monthlyLimitUsd', 'model', 'fallback.models'],
  })
  const unpriced = [model, ...fallbacks].filter((name) => !hasPrice(name, models))
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
      {limit !== null && unpriced.length > 0 && (
        <Alert tone="warning">{t(($) => $.spending.unpriced, { models: [...new Set(unpriced)].join(', ') })}</Alert>
      )}
    </FoldedSection>
  )
}

function hasPrice(name: string, models: ModelInfo[]): boolean {
  return name === EXTRACTIVE_MODEL || models.some((model) => model.name === name && model.outputUsdPerMillion !== null)
}
