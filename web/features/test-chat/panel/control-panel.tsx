// The control panel of the test chat: five groups of settings and details for the next messages.
import { RotateCcw } from 'lucide-react'
import type { Agent } from '#shared/agents/agents.ts'
import type { Id } from '#shared/ids.ts'
import { TEST_VARIANTS, type TestVariant } from '#shared/messaging/test-chat.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Tabs, TabsContent } from '#web/components/ui/tabs.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { type ControlGroup as ControlGroupName, countSet } from '../controls.rules.ts'
import { SideTabs } from '../side-tabs.tsx'
import type { TestControls, VariantControls } from '../use-controls.ts'
import { AutomationsGroup } from './automations-group.tsx'
import { ControlGroup } from './control-group.tsx'
import { DiagnosticsGroup } from './diagnostics-group.tsx'
import { KnowledgeGroup } from './knowledge-group.tsx'
import { ModelGroup } from './model-group.tsx'
import { RuntimeGroup } from './runtime-group.tsx'

type ControlPanelProps = {
  agent: Agent
  controls: TestControls
  /** The last turn of each chat. */
  turns: Record<TestVariant, Id<'turns'> | undefined>
}

/** With two chats, shows the controls of one of them at a time. */
export function ControlPanel({ agent, controls, turns }: ControlPanelProps) {
  if (!controls.isComparing) return <Groups agent={agent} state={controls.of('a')} turnId={turns.a} />
  return (
    <Tabs value={controls.side} onValueChange={(next) => controls.setSide(next === 'b' ? 'b' : 'a')}>
      <SideTabs controls={controls} />
      {TEST_VARIANTS.map((variant) => (
        <TabsContent key={variant} value={variant} className="pt-0">
          <Groups agent={agent} state={controls.of(variant)} turnId={turns[variant]} />
        </TabsContent>
      ))}
    </Tabs>
  )
}

type GroupsProps = { agent: Agent; state: VariantControls; turnId: Id<'turns'> | undefined }

function Groups({ agent, state, turnId }: GroupsProps) {
  const { t } = useTranslation('test-chat')
  const changed = (group: ControlGroupName) => countSet(state.controls, group)
  return (
    <div>
      <Summary state={state} />
      <ControlGroup title={t(($) => $.model.title)} help="modelOverrides" changed={changed('model')} isOpenAtStart>
        <ModelGroup agent={agent} state={state} />
      </ControlGroup>
      <ControlGroup title={t(($) => $.knowledge.title)} help="retrievalContext" changed={changed('knowledge')}>
        <KnowledgeGroup agent={agent} state={state} />
      </ControlGroup>
      <ControlGroup title={t(($) => $.diagnostics.title)} help="diagnostics" isOpenAtStart>
        <DiagnosticsGroup turnId={turnId} />
      </ControlGroup>
      <ControlGroup title={t(($) => $.runtime.title)} help="runtimeControls" changed={changed('runtime')}>
        <RuntimeGroup agent={agent} state={state} />
      </ControlGroup>
      <ControlGroup title={t(($) => $.automations.title)} help="automations" changed={changed('automations')}>
        <AutomationsGroup agent={agent} state={state} />
      </ControlGroup>
    </div>
  )
}

function Summary({ state }: { state: VariantControls }) {
  const { t } = useTranslation('test-chat')
  const changed = countSet(state.controls)
  return (
    <div className="flex min-h-11 items-center justify-between gap-3 border-border border-b px-4 py-2">
      <p className="text-muted-foreground text-xs" role="status">
        {changed > 0 ? t(($) => $.panel.changedTotal, { count: changed }) : t(($) => $.panel.unchanged)}
      </p>
      {changed > 0 && (
        <Button size="sm" variant="ghost" onClick={state.resetAll}>
          <RotateCcw aria-hidden="true" />
          {t(($) => $.panel.resetAll)}
        </Button>
      )}
    </div>
  )
}
