// Settings: how the model sees the search of the agent's knowledge.
import { useFormContext, useWatch } from 'react-hook-form'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import type { AgentForm } from '../../agent-form.rules.ts'
import { TextField } from '../fields/text-field.tsx'
import { useFieldError } from '../fields/use-field-error.ts'
import { FoldedSection } from '../section.tsx'

/** Characters of the tool's description. */
const DESCRIPTION_MAX = 1000

/** Name and description; empty: the built-in ones. */
export function KnowledgeToolSection() {
  const { t } = useTranslation('agents')
  const { control, register } = useFormContext<AgentForm>()
  const { name, description } = useWatch({ control, name: 'knowledgeTool' })
  const error = useFieldError('knowledgeTool.name')
  const isSet = name !== '' || description !== ''
  return (
    <FoldedSection
      id="knowledge-tool"
      summary={isSet ? name || description : t(($) => $.knowledgeTool.builtIn)}
      isSet={isSet}
    >
      <Field label={t(($) => $.knowledgeTool.name)} hint={t(($) => $.knowledgeTool.nameHint)} error={error}>
        <Input
          autoComplete="off"
          spellCheck={false}
          placeholder="knowledge_search"
          className="max-w-sm font-mono"
          {...register('knowledgeTool.name')}
        />
      </Field>
      <TextField
        name="knowledgeTool.description"
        label={t(($) => $.knowledgeTool.description)}
        hint={t(($) => $.knowledgeTool.descriptionHint)}
        placeholder={t(($) => $.knowledgeTool.descriptionPlaceholder)}
        max={DESCRIPTION_MAX}
      />
    </FoldedSection>
  )
}
