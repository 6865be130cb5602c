// What the instructions are to be written from.
import { useState } from 'react'
import { PROMPT_LANGUAGES, type PromptDraft, type PromptLanguage } from '#shared/agents/agents.ts'
import { PROMPT_DESCRIPTION_MAX } from '#shared/limits.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import type { Wish } from './use-prompt-writer.ts'

type DescriptionFormProps = {
  /** An earlier draft gives back what was typed for it. */
  draft: PromptDraft | null
  isWriting: boolean
  onGenerate: (wish: Wish) => void
  onStop: () => void
}

/** Description and language. Not a form element: it stands inside the settings form of the agent. */
export function DescriptionForm({ draft, isWriting, onGenerate, onStop }: DescriptionFormProps) {
  const { t } = useTranslation('prompt-generator')
  const [typed, setTyped] = useState<string | null>(null)
  const [chosen, setChosen] = useState<PromptLanguage | null>(null)
  const [isChecked, setChecked] = useState(false)
  const description = typed ?? draft?.description ?? ''
  const language = chosen ?? draft?.language ?? currentLanguage()
  const tooLong = description.length > PROMPT_DESCRIPTION_MAX
  const isMissing = description.trim() === ''

  const generate = () => {
    setChecked(true)
    if (!isMissing && !tooLong) onGenerate({ description: description.trim(), language })
  }
  const error = tooLong
    ? t(($) => $.descriptionTooLong, { count: PROMPT_DESCRIPTION_MAX })
    : isChecked && isMissing
      ? t(($) => $.descriptionRequired)
      : undefined

  return (
    <div className="flex flex-col gap-4">
      <Field
        label={t(($) => $.description)}
        isRequired
        error={error}
        counter={{ used: description.length, max: PROMPT_DESCRIPTION_MAX }}
      >
        <Textarea
          className="max-h-60"
          value={description}
          placeholder={t(($) => $.descriptionPlaceholder)}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      <div className="flex flex-wrap items-end justify-between gap-3">
        <Field label={t(($) => $.language)} className="min-w-44">
          <Select
            value={language}
            onValueChange={(value) => setChosen(value as PromptLanguage)}
            options={PROMPT_LANGUAGES.map((value) => ({ value, label: t(($) => $[value]) }))}
          />
        </Field>
        {isWriting ? (
          <Button onClick={onStop}>{t(($) => $.stop)}</Button>
        ) : (
          <Button variant={draft ? 'secondary' : 'primary'} onClick={generate}>
            {t(($) => $[draft ? 'again' : 'generate'])}
          </Button>
        )}
      </div>
    </div>
  )
}
