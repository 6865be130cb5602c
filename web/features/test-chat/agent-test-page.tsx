// /agents/:slug/test: a conversation with one agent over the same path as customers', without a channel.
import { Settings, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import type { AgentSummary } from '#shared/agents.ts'
import { api } from '#web/api.ts'
import { AlertDialog } from '#web/components/ui/alert-dialog.tsx'
import { Button, buttonClasses } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { Tooltip } from '#web/components/ui/tooltip.tsx'
import { useMutation, useQuery } from '#web/lib/convex.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { toast } from '#web/lib/toast.ts'
import { useAgent } from '#web/lib/use-entity.ts'
import { ConnectionState } from './connection-state.tsx'
import { TestChat } from './test-chat.tsx'

/** Fills the window: bar, log, box to write in. */
export function AgentTestPage() {
  const { t } = useTranslation('test-chat')
  const { slug } = useParams()
  const { entity: agent, name } = useAgent(slug)
  return (
    <Page
      title={name ? t(($) => $.page.label, { name }) : t(($) => $.picker.title)}
      documentTitle={name ? t(($) => $.page.documentTitle, { name }) : t(($) => $.picker.title)}
      width="full"
      isTitleHidden
    >
      {agent ? (
        <>
          <TestBar agent={agent} />
          <TestChat key={agent._id} agent={agent} />
        </>
      ) : (
        <Delayed>
          <div className="mx-auto flex max-w-4xl flex-col gap-4 p-6">
            <Skeleton className="h-10 w-64" />
            <Skeleton className="h-24 w-2/3" />
          </div>
        </Delayed>
      )}
    </Page>
  )
}

function TestBar({ agent }: { agent: AgentSummary }) {
  const { t } = useTranslation('test-chat')
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const navigate = useNavigate()
  return (
    <div className="flex items-center gap-3 border-border border-b bg-surface px-4 py-2.5 sm:px-6">
      <Select
        aria-label={t(($) => $.page.agent)}
        className="max-w-60 sm:w-auto sm:min-w-40"
        value={agent.slug}
        onValueChange={(slug) => void navigate(paths.agentTest(slug))}
        options={(agents ?? [agent]).map((each) => ({ value: each.slug, label: each.name }))}
      />
      <ConnectionState />
      <span className="hidden text-muted-foreground text-xs lg:block">{t(($) => $.page.notice)}</span>
      <div className="ms-auto flex items-center gap-1">
        <Tooltip content={t(($) => $.page.settings)}>
          <Link
            to={paths.agentSettings(agent.slug)}
            aria-label={t(($) => $.page.settings)}
            className={buttonClasses({ variant: 'ghost', size: 'icon' })}
          >
            <Settings aria-hidden="true" />
          </Link>
        </Tooltip>
        <ClearButton agent={agent} />
      </div>
    </div>
  )
}

function ClearButton({ agent }: { agent: AgentSummary }) {
  const { t } = useTranslation('test-chat')
  const clear = useMutation(api.testChat.clear)
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  async function confirm() {
    setBusy(true)
    try {
      await clear({ agentId: agent._id })
      toast.success(t(($) => $.clear.done))
      setAsking(false)
    } catch {
      // The toast has told; the dialog stays.
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
