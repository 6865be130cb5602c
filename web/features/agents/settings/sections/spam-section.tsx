// Settings: how many answers a day an agent and one customer may use.
import { useFormContext, useWatch } from 'react-hook-form'
import { AGENT_DAILY_LIMIT_DEFAULT, CUSTOMER_DAILY_LIMIT_DEFAULT } from '#shared/limits.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import type { AgentForm } from '../../agent-form.rules.ts'
import { NumberField } from '../fields/number-field.tsx'
import { SwitchField } from '../fields/switch-field.tsx'
import { TextField } from '../fields/text-field.tsx'
import { FoldedSection } from '../section.tsx'

/** Both limits, the warning before them, the one-time message to the customer, and whether bots are answered. */
export function SpamSection() {
  const { t } = useTranslation('agents')
  const { control } = useFormContext<AgentForm>()
  const { agentDailyLimit, customerDailyLimit } = useWatch({ control, name: 'spam' })
  const limits = [
    customerDailyLimit !== null && t(($) => $.spam.perCustomer, { value: formatNumber(customerDailyLimit) }),
    agentDailyLimit !== null && t(($) => $.spam.perAgent, { value: formatNumber(agentDailyLimit) }),
  ].filter((limit) => limit !== false)
  const isSet = limits.length > 0
  const answersBots = useWatch({ control, name: 'machineTalk.isOn' }) ? [] : [t(($) => $.spam.machinesOff)]
  const summary = [...(isSet ? limits : [t(($) => $.spam.off)]), ...answersBots].join(' · ')
  return (
    <FoldedSection id="spam" summary={summary} isSet={isSet}>
      <div className="grid gap-5 sm:grid-cols-2">
        <NumberField
          name="spam.customerDailyLimit"
          label={t(($) => $.spam.customerLimit)}
          hint={t(($) => $.spam.byDefault, { value: formatNumber(CUSTOMER_DAILY_LIMIT_DEFAULT) })}
          placeholder={t(($) => $.spam.unlimited)}
          unit={t(($) => $.spam.unit)}
        />
        <NumberField
          name="spam.agentDailyLimit"
          label={t(($) => $.spam.agentLimit)}
          hint={t(($) => $.spam.byDefault, { value: formatNumber(AGENT_DAILY_LIMIT_DEFAULT) })}
          placeholder={t(($) => $.spam.unlimited)}
          unit={t(($) => $.spam.unit)}
        />
      </div>
      {isSet && (
        <>
          <NumberField
            name="spam.warningPercent"
            label={t(($) => $.spam.warning)}
            hint={t(($) => $.spam.warningHint)}
            unit="%"
            className="max-w-sm"
          />
          <TextField
            name="spam.text"
            label={t(($) => $.spam.text)}
            hint={t(($) => $.spam.textHint)}
            placeholder={t(($) => $.spam.textPlaceholder)}
          />
        </>
      )}
      <SwitchField name="machineTalk.isOn" label={t(($) => $.spam.machines)} hint={t(($) => $.spam.machinesHint)} />
    </FoldedSection>
  )
}
