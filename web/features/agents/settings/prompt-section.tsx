// Settings: the instructions that the model is given before every conversation.
import { useFormContext } from 'react-hook-form'
import { SYSTEM_PROMPT_MAX } from '#shared/limits.ts'
import { CardSection } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { type AgentForm, estimateTokens } from '../agent-form.rules.ts'
import { usePromptError } from '../use-field-errors.ts'

/** System prompt with its length in characters and, roughly, in tokens. */
export function PromptSection() {
  const { t } = useTranslation('agents')
  const form = useFormContext<AgentForm>()
  const promptError = usePromptError()
  const prompt = form.watch('systemPrompt')
  const tokens = estimateTokens(prompt)
  return (
    <CardSection id="prompt" title={t(($) => $.settings.prompt)} description={t(($) => $.settings.promptHint)}>
      <Field
        label={t(($) => $.settings.systemPrompt)}
        hint={t(($) => $.settings.tokens, { count: tokens, value: formatNumber(tokens) })}
        error={promptError(form.formState.errors.systemPrompt)}
        counter={{ used: prompt.length, max: SYSTEM_PROMPT_MAX }}
      >
        <Textarea
          className="max-h-[60dvh] min-h-48 leading-6"
          placeholder={t(($) => $.settings.promptPlaceholder)}
          {...form.register('systemPrompt')}
        />
      </Field>
    </CardSection>
  )
}
