// The dialog that creates an agent and opens its settings.
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { createAgentInput } from '#shared/agents/agents.ts'
import type { ModelInfo } from '#shared/agents/models.ts'
import { SYSTEM_PROMPT_MAX } from '#shared/limits.ts'
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
import { proposedModel } from './models.rules.ts'
import { ModelSelect } from './settings/model/model-select.tsx'
import { useIssueText } from './use-issue-text.ts'

type CreateAgentDialogProps = {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  /** Undefined while loading: the server then picks a model. */
  models: ModelInfo[] | undefined
}

/** Only the name is required; the server proposes the model unless one is chosen here. */
export function CreateAgentDialog({ isOpen, onOpenChange, models }: CreateAgentDialogProps) {
  const { t } = useTranslation('agents')
  return (
    <Dialog open={isOpen} onOpenChange={onOpenChange}>
      <DialogContent title={t(($) => $.create.title)} description={t(($) => $.create.description)}>
        <CreateAgentForm models={models} onCancel={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  )
}

function CreateAgentForm({ models, onCancel }: { models: ModelInfo[] | undefined; onCancel: () => void }) {
  const { t } = useTranslation('agents')
  const create = useMutation(api.agents.create)
  const navigate = useNavigate()
  const error = useIssueText()
  const form = useForm({
    resolver: zodResolver(createAgentInput, { error }),
    defaultValues: { name: '', systemPrompt: '' },
  })
  const { errors, isSubmitting } = form.formState
  const model = form.watch('model') ?? proposedModel(models ?? [])
  const submit = form.handleSubmit(async (entry) => {
    const agent = await create({ ...entry, ...(model && { model }) }).catch(() => null) // reported in a toast
    if (!agent) return
    toast.success(t(($) => $.toast.created, { name: agent.name }))
    await navigate(paths.agentSettings(agent.slug))
  })
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <Field label={t(($) => $.create.name)} hint={t(($) => $.create.nameHint)} error={errors.name?.message} isRequired>
        <Input autoComplete="off" placeholder={t(($) => $.create.namePlaceholder)} {...form.register('name')} />
      </Field>
      {models && (
        <ModelSelect
          label={t(($) => $.create.model)}
          models={models}
          value={model ?? ''}
          onChange={(chosen) => form.setValue('model', chosen)}
        />
      )}
      <Field
        label={t(($) => $.create.systemPrompt)}
        hint={t(($) => $.create.systemPromptHint)}
        error={errors.systemPrompt?.message}
        counter={{ used: form.watch('systemPrompt')?.length ?? 0, max: SYSTEM_PROMPT_MAX }}
        isOptional
      >
        <Textarea
          rows={4}
          className="max-h-60"
          placeholder={t(($) => $.create.systemPromptPlaceholder)}
          {...form.register('systemPrompt')}
        />
      </Field>
      <DialogFooter>
        <Button onClick={onCancel}>{t(($) => $.create.cancel)}</Button>
        <Button type="submit" variant="primary" isBusy={isSubmitting}>
          {t(($) => $.create.submit)}
        </Button>
      </DialogFooter>
    </form>
  )
}
