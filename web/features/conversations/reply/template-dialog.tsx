// Choosing an approved template, filling its places and sending it.
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { fill, isTemplateLine, type MessageTemplate, templateText } from '#shared/channels/templates.ts'
import type { Id } from '#shared/ids.ts'
import { TEMPLATE_WORDS_TEXT_MAX } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Dialog, DialogContent } from '#web/components/ui/dialog.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { useFetched } from '#web/lib/server/query-client.ts'
import { toast } from '#web/lib/toast.ts'

type TemplateDialogProps = { conversationId: Id<'conversations'>; onClose: () => void }

/** Open while mounted. */
export function TemplateDialog({ conversationId, onClose }: TemplateDialogProps) {
  const { t } = useTranslation('conversations')
  const { templates, failure, reload } = useTemplates(conversationId)
  return (
    <Dialog open onOpenChange={(isOpen) => isOpen || onClose()}>
      <DialogContent title={t(($) => $.template.title)} description={t(($) => $.template.description)}>
        {!templates && !failure && <p role="status">{t(($) => $.template.loading)}</p>}
        {(failure || templates?.length === 0) && (
          <Alert
            tone={failure ? 'destructive' : 'info'}
            action={
              <Button size="sm" onClick={reload}>
                {t(($) => $.template.reload)}
              </Button>
            }
          >
            {failure ?? t(($) => $.template.empty)}
          </Alert>
        )}
        {templates && templates.length > 0 && (
          <Choice conversationId={conversationId} templates={templates} onSent={onClose} />
        )}
      </DialogContent>
    </Dialog>
  )
}

function useTemplates(conversationId: Id<'conversations'>) {
  const list = useAction(api.conversations.templates.list, { hasToast: false })
  const { value, error, reload } = useFetched(['templates', conversationId], () => list({ conversationId }))
  return { templates: value, failure: value ? undefined : error && describeError(error).message, reload }
}

const keyOf = ({ name, language }: MessageTemplate) => `${name} ${language}`

type ChoiceProps = Pick<TemplateDialogProps, 'conversationId'> & { templates: MessageTemplate[]; onSent: () => void }

function Choice({ conversationId, templates, onSent }: ChoiceProps) {
  const { t } = useTranslation('conversations')
  const [key, setKey] = useState(() => (templates[0] ? keyOf(templates[0]) : ''))
  const template = templates.find((each) => keyOf(each) === key)
  return (
    <div className="flex flex-col gap-5">
      <Field label={t(($) => $.template.pick)}>
        <Select
          value={key}
          onValueChange={setKey}
          options={templates.map((each) => ({ value: keyOf(each), label: `${each.name} (${each.language})` }))}
        />
      </Field>
      {template && <Words key={key} conversationId={conversationId} template={template} onSent={onSent} />}
    </div>
  )
}

type WordsProps = Pick<TemplateDialogProps, 'conversationId'> & { template: MessageTemplate; onSent: () => void }

function Words({ conversationId, template, onSent }: WordsProps) {
  const { t } = useTranslation('conversations')
  const send = useAction(api.conversations.templates.send, { hasToast: false })
  const form = useForm({ defaultValues: { words: template.places.map(() => ({ text: '' })) } })
  const [failure, setFailure] = useState<string>()
  const { errors, isSubmitting } = form.formState
  const entered = form.watch('words').map(({ text }) => text.trim())
  const submit = form.handleSubmit(async () => {
    setFailure(undefined)
    try {
      const { name, language } = template
      await send({ conversationId, name, language, words: entered })
      toast.success(t(($) => $.template.sent))
      onSent()
    } catch (error) {
      setFailure(describeError(error).message)
    }
  })
  const labelOf = ({ in: part, key }: MessageTemplate['places'][number]) => {
    if (part === 'button') return t(($) => $.template.buttonPlace, { button: template.buttons[Number(key)] ?? key })
    return part === 'header' ? t(($) => $.template.headerPlace, { key }) : t(($) => $.template.place, { key })
  }
  const validate = (text: string) => {
    if (text.trim() === '') return t(($) => $.template.required)
    return isTemplateLine(text.trim()) || t(($) => $.template.format)
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      {template.places.map((place, index) => (
        <Field
          key={`${place.in} ${place.key}`}
          label={labelOf(place)}
          error={errors.words?.[index]?.text?.message}
          isRequired
        >
          <Input
            autoComplete="off"
            maxLength={TEMPLATE_WORDS_TEXT_MAX}
            {...form.register(`words.${index}.text`, { validate })}
          />
        </Field>
      ))}
      <div className="flex flex-col gap-1.5">
        <h3 className="font-medium">{t(($) => $.template.preview)}</h3>
        <p className="whitespace-pre-wrap rounded-lg bg-muted p-3">
          {templateText(template, fill(template, entered)?.words ?? [])}
        </p>
      </div>
      {failure && <Alert tone="destructive">{failure}</Alert>}
      <Button type="submit" variant="primary" className="self-end" isBusy={isSubmitting}>
        {t(($) => $.template.send)}
      </Button>
    </form>
  )
}
