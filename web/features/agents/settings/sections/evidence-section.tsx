// Settings: what the agent does when its knowledge does not seem to hold the answer, and how it searches.
import { Controller, useFormContext, useWatch } from 'react-hook-form'
import { RadioGroup } from '#web/components/ui/radio-group.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import type { AgentForm } from '../../agent-form.rules.ts'
import { SwitchField } from '../fields/switch-field.tsx'
import { FoldedSection } from '../section.tsx'

const CHOICES = ['answer', 'clarify', 'handoff'] as const

/** Whether to admit it, ask or hand over; and whether questions are rewritten for the search. */
export function EvidenceSection() {
  const { t } = useTranslation('agents')
  const { control } = useFormContext<AgentForm>()
  const { whenWeak, rewritesQuestions } = useWatch({ control, name: 'evidence' })
  const summary = [
    t(($) => $.evidence.summary[whenWeak]),
    ...(rewritesQuestions ? [t(($) => $.evidence.rewritesShort)] : []),
  ]
  return (
    <FoldedSection id="evidence" summary={summary.join(', ')} isSet={whenWeak !== 'answer' || rewritesQuestions}>
      <Controller
        name="evidence.whenWeak"
        control={control}
        render={({ field }) => (
          <RadioGroup
            label={t(($) => $.evidence.whenWeak)}
            value={field.value}
            onValueChange={field.onChange}
            options={CHOICES.map((value) => ({
              value,
              label: t(($) => $.evidence.choices[value]),
              hint: t(($) => $.evidence.choiceHints[value]),
            }))}
            className="sm:grid-cols-3"
          />
        )}
      />
      <SwitchField
        name="evidence.rewritesQuestions"
        label={t(($) => $.evidence.rewrites)}
        hint={t(($) => $.evidence.rewritesHint)}
      />
    </FoldedSection>
  )
}
