// Settings: reminding a customer who has fallen silent.
import { Plus } from 'lucide-react'
import { useFieldArray, useFormContext, useWatch } from 'react-hook-form'
import { FOLLOW_UP_STEPS_MAX } from '#shared/limits.ts'
import { Button } from '#web/components/ui/button.tsx'
import { formatSpan } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import type { AgentForm } from '../../agent-form.rules.ts'
import { NumberField } from '../fields/number-field.tsx'
import { QuietHoursField } from '../fields/quiet-hours-field.tsx'
import { SwitchField } from '../fields/switch-field.tsx'
import { FoldedSection } from '../section.tsx'
import { FollowUpStep } from './follow-up-step.tsx'

/** Minutes that the first reminder waits, and each further one after the one before. */
const FIRST_MINUTES = 60
const NEXT_MINUTES = 24 * 60
/** Longest wait of a step, minutes. */
const WAIT_MAX_MINUTES = 7 * 24 * 60
const MINUTE_MS = 60_000

/** Steps, quiet hours and the most reminders of a day. */
export function FollowUpsSection() {
  const { t } = useTranslation('agents')
  const { control } = useFormContext<AgentForm>()
  const { isOn, steps } = useWatch({ control, name: 'followUps' })
  const spans = steps.map(({ afterMinutes }) => formatSpan((afterMinutes || 0) * MINUTE_MS))
  const summary =
    isOn && spans.length > 0 ? t(($) => $.followUps.after, { spans: spans.join(', ') }) : t(($) => $.followUps.off)
  return (
    <FoldedSection id="follow-ups" summary={summary} isSet={isOn && spans.length > 0}>
      <SwitchField name="followUps.isOn" label={t(($) => $.followUps.isOn)} hint={t(($) => $.followUps.isOnHint)} />
      {isOn && (
        <>
          <Steps />
          <QuietHoursField />
          <NumberField
            name="followUps.maxPerCustomerADay"
            label={t(($) => $.followUps.max)}
            hint={t(($) => $.followUps.maxHint)}
            className="max-w-sm"
          />
        </>
      )}
    </FoldedSection>
  )
}

function Steps() {
  const { t } = useTranslation('agents')
  const { control, getValues } = useFormContext<AgentForm>()
  const { fields, append, remove } = useFieldArray({ control, name: 'followUps.steps' })
  function add() {
    const last = getValues('followUps.steps').at(-1)?.afterMinutes
    const afterMinutes = last ? Math.min(last + NEXT_MINUTES, WAIT_MAX_MINUTES) : FIRST_MINUTES
    append({ afterMinutes, mode: 'text', text: '' }, { focusName: `followUps.steps.${fields.length}.text` })
  }
  return (
    <div className="flex flex-col gap-4">
      {fields.length > 0 && (
        <ol className="flex flex-col gap-4">
          {fields.map((field, at) => (
            <FollowUpStep key={field.id} at={at} onRemove={() => remove(at)} />
          ))}
        </ol>
      )}
      {fields.length === 0 && <p className="text-muted-foreground">{t(($) => $.followUps.noSteps)}</p>}
      {fields.length < FOLLOW_UP_STEPS_MAX && (
        <Button className="self-start" onClick={add}>
          <Plus aria-hidden="true" />
          {t(($) => $.followUps.add)}
        </Button>
      )}
    </div>
  )
}
