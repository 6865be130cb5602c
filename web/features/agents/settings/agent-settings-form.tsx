// The form of an agent: one save for everything that is typed or picked; knowledge and channels act at once.
import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { type Agent, agentPatch } from '#shared/agents.ts'
import type { ChannelConnection } from '#shared/channels.ts'
import type { ModelInfo } from '#shared/models.ts'
import { api } from '#web/api.ts'
import { UnsavedGuard } from '#web/components/unsaved-guard.tsx'
import { useMutation } from '#web/lib/convex.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.ts'
import { type AgentForm, changesOf, formOf } from '../agent-form.rules.ts'
import { BasicSection } from './basic-section.tsx'
import { ChannelsSection } from './channels-section.tsx'
import { DangerSection } from './danger-section.tsx'
import { KnowledgeSection } from './knowledge-section.tsx'
import { ModelSection } from './model-section.tsx'
import { PromptSection } from './prompt-section.tsx'
import { SaveBar } from './save-bar.tsx'

/** What the form holds, every field of it there. */
const agentForm = z.required(
  z.pick(agentPatch, { name: true, avatar: true, model: true, temperature: true, systemPrompt: true }),
)

type AgentSettingsFormProps = { agent: Agent; models: ModelInfo[]; connections: ChannelConnection[] }

/** What a colleague saves meanwhile shows in the fields that are not being changed here. */
export function AgentSettingsForm({ agent, models, connections }: AgentSettingsFormProps) {
  const { t } = useTranslation('agents')
  const update = useMutation(api.agents.update)
  const [isRemoving, setRemoving] = useState(false)
  const form = useForm<AgentForm>({
    resolver: zodResolver(agentForm),
    values: formOf(agent),
    resetOptions: { keepDirtyValues: true },
  })
  const { isDirty, isSubmitting } = form.formState
  const save = form.handleSubmit(async (entry) => {
    const saved = await update({ id: agent._id, patch: changesOf(formOf(agent), entry) }).catch(() => null)
    if (!saved) return // the toast has told
    form.reset(formOf(saved))
    toast.success(t(($) => $.save.saved))
  })
  const live = connections.filter((connection) => connection.status !== 'disconnected')
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={save} className="flex flex-col gap-6">
        <BasicSection agent={agent} />
        <ModelSection models={models} />
        <PromptSection />
        <KnowledgeSection agent={agent} />
        <ChannelsSection agent={agent} connections={live} />
        <SaveBar
          isDirty={isDirty}
          isSaving={isSubmitting}
          onSave={() => void save()}
          onDiscard={() => form.reset(formOf(agent))}
        />
      </form>
      <DangerSection agent={agent} connections={live} onRemoving={() => setRemoving(true)} />
      <UnsavedGuard isDirty={isDirty && !isRemoving} />
    </FormProvider>
  )
}
