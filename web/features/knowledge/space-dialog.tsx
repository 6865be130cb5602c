// The dialog that makes a knowledge space or changes its name and description.
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import * as z from 'zod/mini'
import { createSpaceInput, type KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { SPACE_DESCRIPTION_MAX, SPACE_NAME_MAX } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Dialog, DialogContent, DialogFooter } from '#web/components/ui/dialog.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'

type SpaceDialogProps = {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  /** The space to change; a new one is made without it. */
  space?: KnowledgeSpace
}

/** After a space is made it is opened. */
export function SpaceDialog({ isOpen, onOpenChange, space }: SpaceDialogProps) {
  const { t } = useTranslation('knowledge')
  return (
    <Dialog open={isOpen} onOpenChange={onOpenChange}>
      <DialogContent
        title={space ? t(($) => $.space.editTitle) : t(($) => $.space.createTitle)}
        description={space ? undefined : t(($) => $.space.createDescription)}
      >
        <SpaceForm space={space} onClose={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  )
}

/** In the form the description is always there. */
const spaceForm = z.required(createSpaceInput)

function SpaceForm({ space, onClose }: { space: KnowledgeSpace | undefined; onClose: () => void }) {
  const { t } = useTranslation('knowledge')
  const create = useMutation(api.knowledge.spaces.create)
  const update = useMutation(api.knowledge.spaces.update)
  const navigate = useNavigate()
  const form = useForm({
    resolver: zodResolver(spaceForm),
    defaultValues: { name: space?.name ?? '', description: space?.description ?? '' },
  })
  const { errors, isSubmitting } = form.formState

  async function save(entry: { name: string; description: string }) {
    if (space) {
      await update({ knowledgeSpaceId: space._id, patch: entry })
      toast.success(t(($) => $.space.saved))
      return onClose()
    }
    const created: KnowledgeSpace = await create(entry)
    toast.success(t(($) => $.space.created, { name: created.name }))
    await navigate(paths.space(created.slug))
  }

  return (
    <form
      noValidate
      onSubmit={form.handleSubmit((entry) => save(entry).catch(() => undefined))}
      className="flex flex-col gap-5"
    >
      <Field
        label={t(($) => $.space.name)}
        error={
          errors.name &&
          (errors.name.type === 'too_big'
            ? t(($) => $.space.tooLong, { count: SPACE_NAME_MAX })
            : t(($) => $.space.nameRequired))
        }
        isRequired
      >
        <Input autoComplete="off" placeholder={t(($) => $.space.namePlaceholder)} {...form.register('name')} />
      </Field>
      <Field
        label={t(($) => $.space.description)}
        error={errors.description && t(($) => $.space.tooLong, { count: SPACE_DESCRIPTION_MAX })}
        counter={{ used: form.watch('description').length, max: SPACE_DESCRIPTION_MAX }}
        isOptional
      >
        <Textarea
          rows={3}
          className="max-h-48"
          placeholder={t(($) => $.space.descriptionPlaceholder)}
          {...form.register('description')}
        />
      </Field>
      <DialogFooter>
        <Button onClick={onClose}>{t(($) => $.space.cancel)}</Button>
        <Button type="submit" variant="primary" isBusy={isSubmitting}>
          {space ? t(($) => $.space.save) : t(($) => $.space.create)}
        </Button>
      </DialogFooter>
    </form>
  )
}
