// Settings: how much of a conversation the model is given.
import { useFormContext, useWatch } from 'react-hook-form'
import { CONTEXT_AGE_OPTIONS_MINUTES } from '#shared/limits.ts'
import { formatNumber, formatSpan } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import type { AgentForm } from '../../agent-form.rules.ts'
import { NumberField } from '../fields/number-field.tsx'
import { SelectField } from '../fields/select-field.tsx'
import { FoldedSection } from '../section.tsx'

const MINUTE_MS = 60_000

/** Tokens, messages and age; whatever is reached first drops the oldest messages. */
export function ContextSection() {
  const { t } = useTranslation('agents')
  const { control } = useFormContext<AgentForm>()
  const { maxTokens, maxMessages, maxAgeMinutes } = useWatch({ control, name: 'context' })
  const summary = t(($) => $.context.summary, {
    messages: t(($) => $.context.messageCount, { count: maxMessages || 0, value: formatNumber(maxMessages || 0) }),
    tokens: t(($) => $.context.tokenCount, { count: maxTokens || 0, value: formatNumber(maxTokens || 0) }),
    age:
      maxAgeMinutes === null
        ? t(($) => $.context.anyAgeShort)
        : t(($) => $.context.ageShort, { span: formatSpan(maxAgeMinutes * MINUTE_MS) }),
  })
  return (
    <FoldedSection id="context" summary={summary}>
      <div className="grid gap-5 sm:grid-cols-2">
        <NumberField name="context.maxMessages" label={t(($) => $.context.maxMessages)} />
        <NumberField
          name="context.maxTokens"
          label={t(($) => $.context.maxTokens)}
          hint={t(($) => $.context.tokensHint)}
        />
        <SelectField
          name="context.maxAgeMinutes"
          label={t(($) => $.context.maxAge)}
          hint={t(($) => $.context.ageHint)}
          options={[
            { value: null, label: t(($) => $.context.anyAge) },
            ...CONTEXT_AGE_OPTIONS_MINUTES.map((minutes) => ({
              value: minutes,
              label: formatSpan(minutes * MINUTE_MS),
            })),
          ]}
        />
      </div>
    </FoldedSection>
  )
}
