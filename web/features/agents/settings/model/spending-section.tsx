// Settings: the monthly spending limit of an agent.
import { useFormContext, useWatch } from 'react-hook-form'
import { Link } from 'react-router'
import type { Agent } from '#shared/agents/agents.ts'
import { EXTRACTIVE_MODEL, type ModelInfo } from '#shared/agents/models.ts'
import { SpendMeter } from '#web/components/spend-meter.tsx'
import { Alert } from '#web/components/ui/alert.tsx'
import { formatNumber, formatUsd } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useMonthSpend } from '#web/lib/use-month-spend.ts'
import type { AgentForm } from '../../agent-form.rules.ts'
import { NumberField } from '../fields/number-field.tsx'
import { FoldedSection } from '../section.tsx'

/** US dollars per calendar month; empty: no limit of its own. Warns that models without a known price cannot be held to it. */
export function SpendingSection({ agent, models }: { agent: Agent; models: ModelInfo[] }) {
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
      <AgentSpend agent={agent} />
      {limit !== null && unpriced.length > 0 && (
        <Alert tone="warning">{t(($) => $.spending.unpriced, { models: [...new Set(unpriced)].join(', ') })}</Alert>
      )}
    </FoldedSection>
  )
}

/** Spending against the saved limit, whatever is typed in the field. */
function AgentSpend({ agent }: { agent: Agent }) {
  const { t } = useTranslation('agents')
  const typed = useWatch<AgentForm, 'spending.monthlyLimitUsd'>({ name: 'spending.monthlyLimitUsd' })
  const spend = useMonthSpend()?.agents.find(({ agentId }) => agentId === agent._id)
  if (!spend) return null
  const { limitUsd } = spend
  return (
    <div className="flex max-w-md flex-col gap-2">
      <SpendMeter spend={spend} limitUsd={limitUsd} />
      {typed !== limitUsd && (
        <p className="text-[0.8125rem] text-muted-foreground">
          {limitUsd === null
            ? t(($) => $.spending.noneInForce)
            : t(($) => $.spending.inForce, { limit: formatUsd(limitUsd, 2) })}
        </p>
      )}
      <Link
        to={paths.organizationSpend}
        className="self-start text-[0.8125rem] text-primary underline-offset-4 hover:underline"
      >
        {t(($) => $.spending.all)}
      </Link>
    </div>
  )
}

function hasPrice(name: string, models: ModelInfo[]): boolean {
  return name === EXTRACTIVE_MODEL || models.some((model) => model.name === name && model.outputUsdPerMillion !== null)
}
