// Settings: which topics the agent avoids, what it never sends, and how its promises are handled.
import { Controller, useFormContext, useWatch } from 'react-hook-form'
import { RadioGroup } from '#web/components/ui/radio-group.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import type { AgentForm } from '../../agent-form.rules.ts'
import { ChipsField } from '../fields/chips-field.tsx'
import { TextField } from '../fields/text-field.tsx'
import { FoldedSection } from '../section.tsx'
import { UnfoundedChoice } from './unfounded-choice.tsx'

const ACTIONS = ['text', 'handoff', 'silent'] as const
const PROMISES = ['handoff', 'allow'] as const

/** A list of phrases for each side of the conversation, and the guard against promises that no one will keep. */
export function GuardsSection() {
  const { t } = useTranslation('agents')
  const { control } = useFormContext<AgentForm>()
  const { questions, answers, promises } = useWatch({ control, name: 'guards' })
  const unfounded = useWatch({ control, name: 'unfounded' })
  const count = questions.phrases.length + answers.phrases.length
  const phrases = count === 0 ? t(($) => $.guards.none) : t(($) => $.guards.phrases, { count })
  const summary = [
    phrases,
    t(($) => $.guards.promisesShort[promises]),
    ...(unfounded.action === 'allow' ? [] : [t(($) => $.unfounded.short)]),
  ]
  const isSet = count > 0 || promises !== 'handoff' || unfounded.action !== 'allow'
  return (
    <FoldedSection id="guards" summary={summary.join(' · ')} isSet={isSet}>
      <Guard side="questions" />
      <Guard side="answers" />
      <fieldset className="flex min-w-0 flex-col gap-2">
        <legend className="mb-2 font-medium">{t(($) => $.guards.promises)}</legend>
        <Controller
          name="guards.promises"
          control={control}
          render={({ field }) => (
            <RadioGroup
              label={t(($) => $.guards.promises)}
              value={field.value}
              onValueChange={field.onChange}
              options={PROMISES.map((value) => ({
                value,
                label: t(($) => $.guards.promiseChoices[value]),
                hint: t(($) => $.guards.promiseHints[value]),
              }))}
            />
          )}
        />
      </fieldset>
      <UnfoundedChoice />
    </FoldedSection>
  )
}

function Guard({ side }: { side: 'questions' | 'answers' }) {
  const { t } = useTranslation('agents')
  const { control } = useFormContext<AgentForm>()
  const { phrases, action } = useWatch({ control, name: `guards.${side}` })
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-2 font-medium">{t(($) => $.guards.sides[side])}</legend>
      <ChipsField
        name={`guards.${side}.phrases`}
        label={t(($) => $.guards.list)}
        hint={t(($) => $.guards.hints[side])}
        placeholder={t(($) => $.guards.add)}
      />
      {phrases.length > 0 && (
        <Controller
          name={`guards.${side}.action`}
          control={control}
          render={({ field }) => (
            <RadioGroup
              label={t(($) => $.guards.action)}
              value={field.value}
              onValueChange={field.onChange}
              options={ACTIONS.map((value) => ({
                value,
                label: t(($) => $.guards.actions[value]),
                hint: t(($) => $.guards.actionHints[value]),
              }))}
              className="sm:grid-cols-3"
            />
          )}
        />
      )}
      {phrases.length > 0 && action !== 'silent' && (
        <TextField
          name={`guards.${side}.text`}
          label={t(($) => $.guards.text)}
          hint={t(($) => $.guards.textHints[action])}
          placeholder={t(($) => $.guards.textPlaceholder)}
        />
      )}
    </fieldset>
  )
}
