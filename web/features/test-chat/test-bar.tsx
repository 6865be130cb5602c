// The bar over a test chat: the agent, the state of the connection, and actions on the chat as a whole.
import { Columns2, Settings, SlidersHorizontal, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Agent, AgentSummary } from '#shared/agents/agents.ts'
import { api } from '#web/api.ts'
import { AlertDialog } from '#web/components/ui/alert-dialog.tsx'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button, buttonClasses } from '#web/components/ui/button.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { Tooltip } from '#web/components/ui/tooltip.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { ConnectionState } from './connection-state.tsx'
import { countSet } from './controls.rules.ts'
import { ExportMenu } from './export-menu.tsx'
import { ShareButton } from './share-button.tsx'
import type { TestControls } from './use-controls.ts'
import type { Chat } from './use-test-chat.ts'

type TestBarProps = {
  agent: Agent
  chats: readonly Chat[]
  controls: TestControls
  isPanelOpen: boolean
  onPanelToggle: () => void
}

/** Icons with tooltips; the panel's button shows the number of changes. */
export function TestBar({ agent, chats, controls, isPanelOpen, onPanelToggle }: TestBarProps) {
  const { t } = useTranslation('test-chat')
  const changed = controls.variants.reduce((sum, variant) => sum + countSet(controls.of(variant).controls), 0)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-border border-b bg-surface px-4 py-2.5 sm:px-6">
      <AgentSelect agent={agent} />
      <ConnectionState />
      <div className="ms-auto flex items-center gap-1">
        <Tooltip content={t(($) => $.compare.label)}>
          <Button
            variant="ghost"
            size="icon"
            aria-label={t(($) => $.compare.label)}
            aria-pressed={controls.isComparing}
            className="aria-pressed:bg-accent"
            onClick={() => controls.setComparing(!controls.isComparing)}
          >
            <Columns2 />
          </Button>
        </Tooltip>
        <ShareButton agent={agent} chats={chats} />
        <ExportMenu agent={agent} chats={chats} />
        <ClearButton chats={chats} />
        <Tooltip content={t(($) => $.page.settings)}>
          <Link
            to={paths.agentSettings(agent.slug)}
            aria-label={t(($) => $.page.settings)}
            className={buttonClasses({ variant: 'ghost', size: 'icon' })}
          >
            <Settings aria-hidden="true" />
          </Link>
        </Tooltip>
        <Button aria-expanded={isPanelOpen} onClick={onPanelToggle}>
          <SlidersHorizontal aria-hidden="true" />
          <span className="max-sm:sr-only">{t(($) => $.panel.open)}</span>
          {changed > 0 && (
            <Badge tone="primary">
              {changed}
              <span className="sr-only">{t(($) => $.panel.changed)}</span>
            </Badge>
          )}
        </Button>
      </div>
    </div>
  )
}

function AgentSelect({ agent }: { agent: Agent }) {
  const { t } = useTranslation('test-chat')
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const navigate = useNavigate()
  return (
    <Select
      aria-label={t(($) => $.page.agent)}
      className="max-w-60 max-sm:max-w-full sm:w-auto sm:min-w-40"
      value={agent.slug}
      onValueChange={(slug) => void navigate(paths.agentTest(slug))}
      options={(agents ?? [agent]).map((each) => ({ value: each.slug, label: each.name }))}
    />
  )
}

function ClearButton({ chats }: { chats: readonly Chat[] }) {
  const { t } = useTranslation('test-chat')
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  async function confirm() {
    setBusy(true)
    try {
      await Promise.all(chats.map((chat) => chat.clear()))
      toast.success(t(($) => $.clear.done))
      setAsking(false)
    } catch {
      // Reported in a toast; the dialog stays open.
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Tooltip content={t(($) => $.page.clear)}>
        <Button variant="ghost" size="icon" aria-label={t(($) => $.page.clear)} onClick={() => setAsking(true)}>
          <Trash2 />
        </Button>
      </Tooltip>
      <AlertDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title={t(($) => $.clear.title)}
        description={t(($) => $.clear.description)}
        cancelLabel={t(($) => $.clear.cancel)}
        confirmLabel={t(($) => $.clear.confirm)}
        onConfirm={confirm}
        isDestructive
        isBusy={isBusy}
      />
    </>
  )
}
