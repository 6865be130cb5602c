// Settings: how an answer reaches the customer.
import { Controller, useFormContext, useWatch } from 'react-hook-form'
import { RadioGroup } from '#web/components/ui/radio-group.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import type { AgentForm } from '../../agent-form.rules.ts'
import { SwitchField } from '../fields/switch-field.tsx'
import { FoldedSection } from '../section.tsx'

const PACES = ['instant', 'human'] as const

/** In one message or by paragraphs, at once or at the pace of a person. */
export function RepliesSection() {
  const { t } = useTranslation('agents')
  const { control } = useFormContext<AgentForm>()
  const offersChoices = useWatch({ control, name: 'choices.isOn' })
  const asksRatings = useWatch({ control, name: 'ratings.isOn' })
  const sendsAgain = useWatch({ control, name: 'resending.isOn' })
  const { splitByParagraphs, pace } = useWatch({ control, name: 'replies' })
  const summary = [
    t(($) => (splitByParagraphs ? $.replies.splitOn : $.replies.splitOff)),
    t(($) => $.replies.paceSummary[pace]),
    ...(offersChoices ? [t(($) => $.replies.choicesOn)] : []),
    ...(asksRatings ? [t(($) => $.replies.ratingsOn)] : []),
    ...(sendsAgain ? [t(($) => $.replies.resendingOn)] : []),
  ]
  return (
    <FoldedSection
      id="replies"
      summary={summary.join(', ')}
      isSet={splitByParagraphs || pace === 'human' || offersChoices || asksRatings || sendsAgain}
    >
      <SwitchField
        name="replies.splitByParagraphs"
        label={t(($) => $.replies.split)}
        hint={t(($) => $.replies.splitHint)}
      />
      <Controller
        name="replies.pace"
        control={control}
        render={({ field }) => (
          <RadioGroup
            label={t(($) => $.replies.pace)}
            value={field.value}
            onValueChange={field.onChange}
            options={PACES.map((value) => ({
              value,
              label: t(($) => $.replies.paces[value]),
              hint: t(($) => $.replies.paceHints[value]),
            }))}
            className="sm:grid-cols-2"
          />
        )}
      />
      <SwitchField name="choices.isOn" label={t(($) => $.replies.choices)} hint={t(($) => $.replies.choicesHint)} />
      <SwitchField name="ratings.isOn" label={t(($) => $.replies.ratings)} hint={t(($) => $.replies.ratingsHint)} />
      <SwitchField
        name="resending.isOn"
        label={t(($) => $.replies.resending)}
        hint={t(($) => $.replies.resendingHint)}
      />
    </FoldedSection>
  )
}
