// Part of "Off-limits topics": what becomes of an answer with figures, dates or names that the agent was not given.
import { Controller, useFormContext, useWatch } from 'react-hook-form'
import { RadioGroup } from '#web/components/ui/radio-group.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import type { AgentForm } from '../../agent-form.rules.ts'
import { TextField } from '../fields/text-field.tsx'

const ACTIONS = ['allow', 'ask', 'handoff'] as const

/** Mark it for the team, ask the customer, or call a person; for the last two, in which words. */
export function UnfoundedChoice() {
  const { t } = useTranslation('agents')
  const { control } = useFormContext<AgentForm>()
  const { action } = useWatch({ control, name: 'unfounded' })
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-2 font-medium">{t(($) => $.unfounded.title)}</legend>
      <p className="text-muted-foreground text-sm">{t(($) => $.unfounded.lead)}</p>
      <Controller
        name="unfounded.action"
        control={control}
        render={({ field }) => (
          <RadioGroup
            label={t(($) => $.unfounded.title)}
            value={field.value}
            onValueChange={field.onChange}
            options={ACTIONS.map((value) => ({
              value,
              label: t(($) => $.unfounded.actions[value]),
              hint: t(($) => $.unfounded.actionHints[value]),
            }))}
            className="sm:grid-cols-3"
          />
        )}
      />
      {action !== 'allow' && (
        <TextField
          name="unfounded.text"
          label={t(($) => $.guards.text)}
          hint={t(($) => $.unfounded.textHints[action])}
          placeholder={t(($) => $.unfounded.textPlaceholder)}
        />
      )}
    </fieldset>
  )
}
