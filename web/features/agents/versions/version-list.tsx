// The versions of an agent, newest first: author, time, and which one answers customers.
import type { Agent, AgentVersion } from '#shared/agents/agents.ts'
import { api } from '#web/api.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { DateTime } from '#web/components/ui/date-time.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { usePaginatedQuery } from '#web/lib/server/convex.ts'
import { useMay } from '#web/lib/sign-in/permissions.tsx'
import { useRestore } from './use-restore.ts'

const PAGE_SIZE = 30

type VersionListProps = { agent: Agent; onCompare: (number: number) => void }

/** Loads more on demand. */
export function VersionList({ agent, onCompare }: VersionListProps) {
  const { t } = useTranslation('versions')
  const { results, status, loadMore } = usePaginatedQuery(
    api.agents.versions.list,
    { agentId: agent._id },
    { initialNumItems: PAGE_SIZE },
  )
  const { restore, restoring } = useRestore(agent)
  const mayRestore = useMay('agents.write')
  const versions: AgentVersion[] = results
  if (status === 'LoadingFirstPage') {
    return (
      <Delayed>
        <Skeleton className="h-40" />
      </Delayed>
    )
  }
  return (
    <>
      <p className="text-muted-foreground">{t(($) => $.hint)}</p>
      <ol className="flex flex-col divide-y divide-border">
        {versions.map((version) => (
          <li key={version._id} className="flex flex-wrap items-center justify-between gap-3 py-3">
            <div className="flex min-w-0 flex-col gap-1">
              <p className="flex flex-wrap items-center gap-2 font-medium">
                {t(($) => $.number, { number: version.number })}
                {version.isLive && <Badge tone="success">{t(($) => $.live)}</Badge>}
                {version.number > agent.liveVersion && <Badge tone="warning">{t(($) => $.draft)}</Badge>}
              </p>
              <p className="text-muted-foreground text-xs">
                {version.authorName ?? t(($) => $.nobody)}, <DateTime at={version.createdAt} />
                {version.restoredFrom !== null && ` · ${t(($) => $.restoredFrom, { number: version.restoredFrom })}`}
              </p>
            </div>
            <div className="flex flex-wrap gap-2">
              <Button size="sm" onClick={() => onCompare(version.number)}>
                {version.number === agent.version ? t(($) => $.look) : t(($) => $.compare)}
              </Button>
              {mayRestore && !version.isLive && version.number < agent.version && (
                <Button
                  size="sm"
                  isBusy={restoring === version.number}
                  disabled={restoring !== null}
                  title={t(($) => $.restoreHint)}
                  aria-label={t(($) => $.restore, { number: version.number })}
                  onClick={() => void restore(version.number)}
                >
                  {t(($) => $.bringBack)}
                </Button>
              )}
            </div>
          </li>
        ))}
      </ol>
      {status === 'CanLoadMore' && <Button onClick={() => loadMore(PAGE_SIZE)}>{t(($) => $.more)}</Button>}
    </>
  )
}
