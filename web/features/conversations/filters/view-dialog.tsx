// The dialog that names a view of the inbox and sets whose it is.
import { zodResolver } from '@hookform/resolvers/zod'
import { Controller, useForm } from 'react-hook-form'
import { INBOX_VIEW_NAME_MAX } from '#shared/limits.ts'
import { type InboxView, viewContent } from '#shared/messaging/views.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Dialog, DialogContent, DialogFooter } from '#web/components/ui/dialog.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { RadioGroup } from '#web/components/ui/radio-group.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'

/** An existing view, or the filters of a new one. */
type Subject = { view: InboxView; query?: never } | { query: string; view?: never }

/** Open while mounted. */
export function ViewDialog({ onClose, ...subject }: Subject & { onClose: () => void }) {
  const { t } = useTranslation('conversations')
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent
        title={subject.view ? t(($) => $.views.renameTitle) : t(($) => $.views.saveTitle)}
        description={t(($) => $.views.description)}
        className="max-w-md"
      >
        <ViewForm {...subject} onClose={onClose} />
      </DialogContent>
    </Dialog>
  )
}

function ViewForm({ view, query, onClose }: Subject & { onClose: () => void }) {
  const { t } = useTranslation('conversations')
  const create = useMutation(api.conversations.views.create)
  const update = useMutation(api.conversations.views.update)
  const form = useForm({
    resolver: zodResolver(viewContent),
    defaultValues: { name: view?.name ?? '', isShared: view?.isShared ?? false },
  })
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async (content) => {
    const saving: Promise<unknown> = view
      ? update({ viewId: view._id, ...content })
      : create({ query: query ?? '', ...content })
    const isSaved = await saving.then(
      () => true,
      () => false, // reported in a toast
    )
    if (!isSaved) return
    toast.success(t(($) => $.views.saved))
    onClose()
  })
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <Field
        label={t(($) => $.views.name)}
        error={errors.name && t(($) => $.views.nameError, { max: INBOX_VIEW_NAME_MAX })}
        isRequired
      >
        <Input autoComplete="off" {...form.register('name')} />
      </Field>
      <Controller
        control={form.control}
        name="isShared"
        render={({ field }) => (
          <div>
            <p className="mb-1.5 font-medium">{t(($) => $.views.whose)}</p>
            <RadioGroup
              label={t(($) => $.views.whose)}
              value={field.value ? 'organization' : 'me'}
              onValueChange={(value) => field.onChange(value === 'organization')}
              options={[
                { value: 'me', label: t(($) => $.views.forMe) },
                { value: 'organization', label: t(($) => $.views.forAll), hint: t(($) => $.views.forAllHint) },
              ]}
            />
          </div>
        )}
      />
      <DialogFooter>
        <Button onClick={onClose}>{t(($) => $.views.cancel)}</Button>
        <Button type="submit" variant="primary" isBusy={isSubmitting}>
          {t(($) => $.views.confirm)}
        </Button>
      </DialogFooter>
    </form>
  )
}
