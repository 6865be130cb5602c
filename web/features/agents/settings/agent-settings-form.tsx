// The form of an agent: one save for everything that is typed or picked; knowledge, channels and keys act at once.

import { useState } from 'react'
import { FormProvider } from 'react-hook-form'
import type { AgentKey } from '#shared/agents/agent-keys.ts'
import type { Agent } from '#shared/agents/agents.ts'
import type { ModelInfo } from '#shared/agents/models.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { UnsavedGuard } from '#web/components/unsaved-guard.tsx'
import { May, useMay, WritableBy } from '#web/lib/sign-in/permissions.tsx'
import { AvailabilitySection } from './availability/availability-section.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { DraftBanner } from './draft-banner.tsx'
import { FallbackSection } from './model/fallback-section.tsx'
import { KeysSection } from './model/keys-section.tsx'
import { ModelSection } from './model/model-section.tsx'
import { MultimodalSection } from './model/multimodal-section.tsx'
import { SpendingSection } from './model/spending-section.tsx'
import { SaveBar } from './save-bar.tsx'
import { SectionGroup } from './section.tsx'
import { SectionNav } from './section-nav.tsx'
import { BasicSection } from './sections/basic-section.tsx'
import { BufferSection } from './sections/buffer-section.tsx'
import { ChannelsSection } from './sections/channels-section.tsx'
import { ContextSection } from './sections/context-section.tsx'
import { DangerSection } from './sections/danger-section.tsx'
import { EvidenceSection } from './sections/evidence-section.tsx'
import { FollowUpsSection } from './sections/follow-ups-section.tsx'
import { GuardsSection } from './sections/guards-section.tsx'
import { HandoffSection } from './sections/handoff-section.tsx'
import { KnowledgeSection } from './sections/knowledge-section.tsx'
import { KnowledgeToolSection } from './sections/knowledge-tool-section.tsx'
import { PromptSection } from './sections/prompt-section.tsx'
import { RepliesSection } from './sections/replies-section.tsx'
import { SpamSection } from './sections/spam-section.tsx'
import { sectionsOf } from './sections.ts'
import { useAgentForm } from './use-agent-form.ts'
import { OpenSectionsContext, useOpenSections } from './use-open-sections.ts'

type AgentSettingsFormProps = {
  agent: Agent
  /** As this agent may use them: with its own keys. */
  models: ModelInfo[]
  connections: ChannelConnection[]
  keys: AgentKey[]
}

/** Sections in the order of `sections.ts`, the list of them, and what stands in the way of losing changes. */
export function AgentSettingsForm({ agent, models, connections, keys }: AgentSettingsFormProps) {
  const sections = useOpenSections()
  const mayWrite = useMay('agents.write')
  const [isRemoving, setRemoving] = useState(false)
  const editing = useAgentForm(agent, (keys) => sections.showErrors(sectionsOf(keys)))
  const { form, conflict } = editing
  const live = connections.filter((connection) => connection.status !== 'disconnected')
  return (
    <FormProvider {...form}>
      <OpenSectionsContext value={sections}>
        <div className="flex flex-col gap-6 xl:grid xl:grid-cols-[13rem_minmax(0,1fr)] xl:gap-10">
          <SectionNav />
          <div className="flex min-w-0 flex-col gap-6 [&_:is(input,textarea,button,[tabindex])]:scroll-my-32">
            <May need="agents.write">
              <DraftBanner agent={agent} onPublish={editing.publish} />
            </May>
            <form
              noValidate
              onSubmit={(event) => {
                event.preventDefault()
                if (mayWrite) editing.save('save')
              }}
              className="flex flex-col gap-6"
            >
              <WritableBy permission="agents.write">
                <MainSections agent={agent} models={models} connections={live} />
                <FoldedSections agent={agent} models={models} keys={keys} />
                <May need="agents.write">
                  <SaveBar
                    onSave={() => editing.save('save')}
                    onSaveDraft={() => editing.save('draft')}
                    onDiscard={editing.discard}
                  />
                </May>
              </WritableBy>
            </form>
            <May need="agents.write">
              <DangerSection agent={agent} connections={live} onRemoving={() => setRemoving(true)} />
            </May>
          </div>
        </div>
      </OpenSectionsContext>
      {conflict && <ConflictDialog version={agent.version} conflict={conflict} />}
      <UnsavedGuard isDirty={form.formState.isDirty && !isRemoving} />
    </FormProvider>
  )
}

function MainSections({ agent, models, connections }: Omit<AgentSettingsFormProps, 'keys'>) {
  return (
    <>
      <BasicSection agent={agent} />
      <PromptSection agent={agent} />
      <ModelSection models={models} />
      <KnowledgeSection agent={agent} />
      <ChannelsSection agent={agent} connections={connections} />
    </>
  )
}

function FoldedSections({ agent, models, keys }: Omit<AgentSettingsFormProps, 'connections'>) {
  return (
    <>
      <SectionGroup name="answers">
        <RepliesSection />
        <BufferSection />
        <MultimodalSection keys={keys} />
        <ContextSection />
        <EvidenceSection />
        <GuardsSection />
        <KnowledgeToolSection />
      </SectionGroup>
      <SectionGroup name="people">
        <HandoffSection />
        <AvailabilitySection />
        <FollowUpsSection />
      </SectionGroup>
      <SectionGroup name="limits">
        <SpamSection />
        <SpendingSection agent={agent} models={models} />
        <FallbackSection models={models} />
        <May need="keys.write">
          <KeysSection agent={agent} keys={keys} />
        </May>
      </SectionGroup>
    </>
  )
}
