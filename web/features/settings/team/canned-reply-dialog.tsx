// The dialog that edits a canned reply.
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { CANNED_NAME_MAX, CANNED_TEXT_MAX } from '#shared/limits.ts'
import { type CannedReply, createCannedReplyInput } from '#shared/messaging/operator-tools.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Dialog, DialogContent, DialogFooter } from '#web/components/ui/dialog.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'

const EMPTY = { name: '', texts: { ru: '', en: '' } }

/** Open while mounted. @param reply null: a new one */
export function CannedReplyDialog({ reply, onClose }: { reply: CannedReply | null; onClose: () => void }) {
  const { t } = useTranslation('settings')
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent title={reply ? t(($) => $.replies.editTitle) : t(($) => $.replies.createTitle)}>
        <ReplyForm reply={reply} onClose={onClose} />
      </DialogContent>
    </Dialog>
  )
}

function ReplyForm({ reply, onClose }: { reply: CannedReply | null; onClose: () => void }) {
  const { t } = useTranslation('settings')
  const create = useMutation(api.conversations.canned.create)
  const update = useMutation(api.conversations.canned.update)
  const form = useForm({
    resolver: zodResolver(createCannedReplyInput),
    defaultValues: reply ? { name: reply.name, texts: reply.texts } : EMPTY,
  })
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async (entry) => {
    const saving = reply ? update({ cannedReplyId: reply._id, reply: entry }) : create(entry)
    const isSaved = await saving.then(
      () => true,
      () => false, // reported in a toast
    )
    if (!isSaved) return
    toast.success(t(($) => $.replies.saved))
    onClose()
  })
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <Field
        label={t(($) => $.replies.name)}
        hint={t(($) => $.replies.nameHint)}
        error={errors.name && t(($) => $.replies.nameError, { max: CANNED_NAME_MAX })}
        isRequired
      >
        <Input autoComplete="off" {...form.register('name')} />
      </Field>
      <Field
        label={t(($) => $.replies.ru)}
        error={errors.texts && t(($) => $.replies.textError, { max: CANNED_TEXT_MAX })}
      >
        <Textarea rows={4} lang="ru" {...form.register('texts.ru')} />
      </Field>
      <Field label={t(($) => $.replies.en)}>
        <Textarea rows={4} lang="en" {...form.register('texts.en')} />
      </Field>
      <DialogFooter>
        <Button onClick={onClose}>{t(($) => $.replies.cancel)}</Button>
        <Button type="submit" variant="primary" isBusy={isSubmitting}>
          {t(($) => $.replies.save)}
        </Button>
      </DialogFooter>
    </form>
  )
}
