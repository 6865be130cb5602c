// The dialog that creates or edits a note.
import { zodResolver } from '@hookform/resolvers/zod'
import { type FieldError, useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { createFragmentInput, type Fragment, type KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { FRAGMENT_CONTENT_MAX, FRAGMENT_NAME_MAX } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Dialog, DialogContent, DialogFooter } from '#web/components/ui/dialog.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import { useShortcut } from '#web/lib/browser/shortcuts.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { WordingsField } from './wordings-field.tsx'

/** In the form the list of further wordings is always present. */
const noteForm = z.required(z.pick(createFragmentInput, { name: true, content: true, alsoAskedAs: true }))
type NoteForm = z.infer<typeof noteForm>

type NoteDialogProps = {
  space: KnowledgeSpace
  /** The note to edit; undefined creates one. */
  note: Fragment | undefined
  /** Initial values of a new note. */
  draft?: Pick<NoteForm, 'name' | 'alsoAskedAs'>
  onClose: () => void
  /** Called after saving. */
  onSaved?: () => void
}

/** Open while mounted. Mod+Enter and Mod+S save. */
export function NoteDialog({ space, note, draft, onClose, onSaved }: NoteDialogProps) {
  const { t } = useTranslation('knowledge')
  const create = useMutation(api.knowledge.fragments.create)
  const update = useMutation(api.knowledge.fragments.update)
  const form = useForm<NoteForm>({
    resolver: zodResolver(noteForm),
    defaultValues: {
      name: note?.name ?? draft?.name ?? '',
      content: note?.content ?? '',
      alsoAskedAs: note?.alsoAskedAs ?? draft?.alsoAskedAs ?? [],
    },
  })
  const save = form.handleSubmit(async (entry) => {
    try {
      await (note ? update({ fragmentId: note._id, patch: entry }) : create({ knowledgeSpaceId: space._id, ...entry }))
      toast.success(t(($) => $.notes.saved))
      onSaved?.()
      onClose()
    } catch {
      // Reported in a toast; the text is kept.
    }
  })
  useShortcut('send', () => void save())
  useShortcut('save', () => void save())
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent title={note ? t(($) => $.notes.editTitle) : t(($) => $.notes.createTitle)}>
        <form noValidate onSubmit={save} className="flex flex-col gap-5">
          <NoteFields form={form} />
          <DialogFooter>
            <Button isForReading onClick={onClose}>
              {t(($) => $.notes.cancel)}
            </Button>
            <Button type="submit" variant="primary" isBusy={form.formState.isSubmitting}>
              {t(($) => $.notes.save)}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  )
}

function NoteFields({ form }: { form: ReturnType<typeof useForm<NoteForm>> }) {
  const { t } = useTranslation('knowledge')
  const { errors } = form.formState
  const tooLong = (error: FieldError | undefined, max: number, missing: string) =>
    error && (error.type === 'too_big' ? t(($) => $.notes.tooLong, { count: max }) : missing)
  return (
    <>
      <Field
        label={t(($) => $.notes.name)}
        error={tooLong(
          errors.name,
          FRAGMENT_NAME_MAX,
          t(($) => $.notes.nameRequired),
        )}
        isRequired
      >
        <Input autoComplete="off" placeholder={t(($) => $.notes.namePlaceholder)} {...form.register('name')} />
      </Field>
      <Field
        label={t(($) => $.notes.content)}
        error={tooLong(
          errors.content,
          FRAGMENT_CONTENT_MAX,
          t(($) => $.notes.contentRequired),
        )}
        counter={{ used: form.watch('content').length, max: FRAGMENT_CONTENT_MAX }}
        isRequired
      >
        <Textarea
          rows={5}
          className="max-h-72 min-h-28"
          placeholder={t(($) => $.notes.contentPlaceholder)}
          {...form.register('content')}
        />
      </Field>
      <WordingsField
        initial={form.formState.defaultValues?.alsoAskedAs?.filter((wording) => wording !== undefined) ?? []}
        onChange={(wordings) => form.setValue('alsoAskedAs', wordings, { shouldDirty: true })}
      />
    </>
  )
}
