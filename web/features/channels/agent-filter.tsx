// Says that only the connections of one agent are shown, and lets all be shown.
import { X } from 'lucide-react'
import type { AgentSummary } from '#shared/agents/agents.ts'
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

/** Nothing without an agent. */
export function AgentFilter({ agent, onClear }: { agent: AgentSummary | null; onClear: () => void }) {
  const { t } = useTranslation('channels')
  if (!agent) return null
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <p className="min-w-0 break-words text-muted-foreground">{t(($) => $.list.ofAgent, { name: agent.name })}</p>
      <Button size="sm" variant="ghost" onClick={onClear}>
        <X aria-hidden="true" />
        {t(($) => $.list.allAgents)}
      </Button>
    </div>
  )
}
