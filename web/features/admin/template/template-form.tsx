// The text of the template, checked while it is typed, and tried on an agent.
import { useState } from 'react'
import {
  TEMPLATE_MAX,
  TEMPLATE_PLACEHOLDERS,
  type TemplateVersion,
  unknownPlaceholders,
} from '#shared/organizations/prompt-template.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { DateTime } from '#web/components/ui/date-time.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import { UnsavedGuard } from '#web/components/unsaved-guard.tsx'
import { estimateTokens } from '#web/lib/estimate-tokens.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { PreviewDialog } from './preview-dialog.tsx'

/** `current`: null while there is none. A text that was changed elsewhere meanwhile is announced, and kept from being overwritten unseen. */
export function TemplateForm({ current }: { current: TemplateVersion | null }) {
  const { t } = useTranslation('admin')
  const update = useMutation(api.admin.template.update)
  const [begun, setBegun] = useState(current)
  const [text, setText] = useState(current?.text ?? '')
  const [isSaving, setSaving] = useState(false)
  const [isTried, setTried] = useState(false)
  const error = useProblem(text)
  const isDirty = text.trim() !== (begun?.text ?? '')
  const isOverwriting = isDirty && current?.number !== begun?.number
  if (!isDirty && current?.number !== begun?.number) {
    setBegun(current)
    setText(current?.text ?? '')
  }
  async function save() {
    setSaving(true)
    try {
      setBegun(await update({ text }))
      toast.success(t(($) => $.template.saved))
    } catch {
      // The toast says why; the text stays.
    } finally {
      setSaving(false)
    }
  }
  return (
    <CardSection title={t(($) => $.template.title)} description={t(($) => $.template.description)}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Field
          label={t(($) => $.template.text)}
          hint={
            <>
              {t(($) => $.template.hint)} <code>{TEMPLATE_PLACEHOLDERS.map((name) => `{{${name}}}`).join(', ')}</code>
            </>
          }
          error={isDirty || current ? error : undefined}
          counter={{ used: text.length, max: TEMPLATE_MAX }}
          isRequired
        >
          <Textarea className="max-h-[60dvh] min-h-48" value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
        <p className="text-[0.8125rem] text-muted-foreground">
          {t(($) => $.template.tokens, { count: estimateTokens(text), value: formatNumber(estimateTokens(text)) })}
          {current && (
            <>
              {' · '}
              {t(($) => $.template.version, { number: current.number })} <DateTime at={current.createdAt} />
            </>
          )}
        </p>
        {isOverwriting && <p role="alert">{t(($) => $.template.changedElsewhere)}</p>}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" isBusy={isSaving} disabled={!isDirty || error !== undefined}>
            {t(($) => $.template.save)}
          </Button>
          <Button isForReading disabled={text.trim() === ''} onClick={() => setTried(true)}>
            {t(($) => $.template.try)}
          </Button>
        </div>
      </form>
      <UnsavedGuard isDirty={isDirty} />
      {isTried && <PreviewDialog text={text} onClose={() => setTried(false)} />}
    </CardSection>
  )
}

/** Why the text cannot be saved; undefined: it can. */
function useProblem(text: string): string | undefined {
  const { t } = useTranslation('admin')
  const [unknown] = unknownPlaceholders(text)
  if (text.trim() === '') return t(($) => $.template.missing)
  if (text.trim().length > TEMPLATE_MAX) return t(($) => $.template.tooLong, { max: formatNumber(TEMPLATE_MAX) })
  return unknown === undefined ? undefined : t(($) => $.template.unknown, { name: unknown })
}
