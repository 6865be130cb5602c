// Settings: the instructions that the model is given before every conversation.
import { useFormContext, useWatch } from 'react-hook-form'
import type { Agent } from '#shared/agents/agents.ts'
import { SYSTEM_PROMPT_MAX } from '#shared/limits.ts'
import { Field } from '#web/components/ui/field.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import { estimateTokens } from '#web/lib/estimate-tokens.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import type { AgentForm } from '../../agent-form.rules.ts'
import { PromptGenerator } from '../../prompt-generator/prompt-generator.tsx'
import { useFieldError } from '../fields/use-field-error.ts'
import { OpenSection } from '../section.tsx'

/** System prompt with its length in characters and, roughly, in tokens, and help with writing it. */
export function PromptSection({ agent }: { agent: Agent }) {
  const { t } = useTranslation('agents')
  const { control, register, setValue } = useFormContext<AgentForm>()
  const error = useFieldError('systemPrompt')
  const prompt = useWatch({ control, name: 'systemPrompt' })
  const tokens = estimateTokens(prompt)
  return (
    <OpenSection
      id="prompt"
      actions={
        <PromptGenerator
          agent={agent}
          current={prompt}
          onChange={(text) => setValue('systemPrompt', text, { shouldDirty: true })}
        />
      }
    >
      <Field
        label={t(($) => $.settings.systemPrompt)}
        hint={t(($) => $.settings.tokens, { count: tokens, value: formatNumber(tokens) })}
        error={error}
        counter={{ used: prompt.length, max: SYSTEM_PROMPT_MAX }}
      >
        <Textarea
          className="max-h-[60dvh] min-h-48 leading-6"
          placeholder={t(($) => $.settings.promptPlaceholder)}
          {...register('systemPrompt')}
        />
      </Field>
    </OpenSection>
  )
}
