// The control panel of the test chat: five groups of what can be changed or looked at for the next messages.
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import type { Agent } from '#shared/agents.ts'
import type { Id } from '#shared/ids.ts'
import type { TestVariant } from '#shared/test-chat.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Tabs, TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { countSet } from '../controls.rules.ts'
import type { TestControls } from '../use-controls.ts'
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

/** With two chats beside each other, the controls of one of them at a time. */
export function ControlPanel({ agent, controls, turns }: ControlPanelProps) {
  const { t } = useTranslation('test-chat')
  const [chosen, setChosen] = useState<TestVariant>('a')
  const variant = controls.isComparing ? chosen : 'a'
  const state = controls.of(variant)
  const changed = countSet(state.controls)
  const set = state.controls
  return (
    <div className="flex flex-col">
      {controls.isComparing && (
        <Tabs value={variant} onValueChange={(next) => setChosen(next === 'b' ? 'b' : 'a')}>
          <TabsList aria-label={t(($) => $.panel.sides)} className="px-2">
            <TabsTrigger value="a">{t(($) => $.compare.side, { side: 'A' })}</TabsTrigger>
            <TabsTrigger value="b">{t(($) => $.compare.side, { side: 'B' })}</TabsTrigger>
          </TabsList>
        </Tabs>
      )}
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
      <ControlGroup
        title={t(($) => $.model.title)}
        help="modelOverrides"
        changed={countSet(set, 'model')}
        isOpenAtStart
      >
        <ModelGroup agent={agent} state={state} />
      </ControlGroup>
      <ControlGroup title={t(($) => $.knowledge.title)} help="retrievalContext" changed={countSet(set, 'knowledge')}>
        <KnowledgeGroup agent={agent} state={state} />
      </ControlGroup>
      <ControlGroup title={t(($) => $.diagnostics.title)} help="diagnostics" isOpenAtStart>
        <DiagnosticsGroup turnId={turns[variant]} />
      </ControlGroup>
      <ControlGroup title={t(($) => $.runtime.title)} help="runtimeControls" changed={countSet(set, 'runtime')}>
        <RuntimeGroup agent={agent} state={state} />
      </ControlGroup>
      <ControlGroup title={t(($) => $.automations.title)} help="automations" changed={countSet(set, 'automations')}>
        <AutomationsGroup agent={agent} state={state} />
      </ControlGroup>
    </div>
  )
}
