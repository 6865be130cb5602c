// One version compared with the newest one, and a button to restore it.
import { ArrowLeft } from 'lucide-react'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'
import type { Agent } from '#shared/agents/agents.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { TextDiff } from '#web/components/ui/text-diff.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { May } from '#web/lib/sign-in/permissions.tsx'
import { compareSettings } from './compare.rules.ts'
import { SettingChanges } from './setting-changes.tsx'
import { useRestore } from './use-restore.ts'

type VersionCompareProps = { agent: Agent; number: number; onBack: () => void }

/** The newest version is compared with the one before it. */
export function VersionCompare({ agent, number, onBack }: VersionCompareProps) {
  const { t } = useTranslation('versions')
  const isNewest = number === agent.version
  const [older, newer] = isNewest ? [Math.max(1, number - 1), number] : [number, agent.version]
  const before = useQuery(api.agents.versions.get, { agentId: agent._id, number: older })
  const after = useQuery(api.agents.versions.get, { agentId: agent._id, number: newer })
  return (
    <div className="flex flex-col gap-4">
      <Button variant="ghost" size="sm" className="self-start" onClick={onBack}>
        <ArrowLeft aria-hidden="true" />
        {t(($) => $.back)}
      </Button>
      <h3 className="font-medium">{t(($) => $.between, { before: older, after: newer })}</h3>
      {before && after ? (
        <Comparison before={before} after={after} />
      ) : (
        <Delayed>
          <Skeleton className="h-40" />
        </Delayed>
      )}
      {!isNewest && (
        <May need="agents.write">
          <Restore agent={agent} number={number} onDone={onBack} />
        </May>
      )}
    </div>
  )
}

function Comparison({ before, after }: { before: AgentSettings; after: AgentSettings }) {
  const { t } = useTranslation('versions')
  const changes = compareSettings(before, after)
  const hasNewPrompt = before.systemPrompt !== after.systemPrompt
  if (!hasNewPrompt && changes.length === 0) return <p className="text-muted-foreground">{t(($) => $.same)}</p>
  return (
    <>
      {changes.length > 0 && <SettingChanges changes={changes} />}
      {hasNewPrompt && (
        <TextDiff label={t(($) => $.instructions)} before={before.systemPrompt} after={after.systemPrompt} />
      )}
    </>
  )
}

function Restore({ agent, number, onDone }: { agent: Agent; number: number; onDone: () => void }) {
  const { t } = useTranslation('versions')
  const { restore, restoring } = useRestore(agent)
  const run = async () => {
    if (await restore(number)) onDone()
  }
  return (
    <div className="flex flex-col gap-2">
      <Button variant="primary" className="self-start" isBusy={restoring !== null} onClick={() => void run()}>
        {t(($) => $.restore, { number })}
      </Button>
      <p className="text-muted-foreground text-xs">{t(($) => $.restoreHint)}</p>
    </div>
  )
}
