// The servers of the installation: which run, with what, and which are gone.
import { CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react'
import type { Health, ServerHealth } from '#shared/organizations/health.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { HealthSection } from './health-section.tsx'

const LOOKS = {
  running: { tone: 'success', icon: CircleCheck },
  gone: { tone: 'warning', icon: TriangleAlert },
  replaced: { tone: 'neutral', icon: CircleDashed },
} as const

/** A line each. */
export function ServersSection({ health: { servers, problems } }: { health: Health }) {
  return (
    <HealthSection name="servers" problems={problems}>
      <ul className="divide-y divide-border">
        {servers.map((server) => (
          <Server key={server._id} server={server} />
        ))}
      </ul>
    </HealthSection>
  )
}

function Server({ server: { host, version, startedAt, seenAt, isGone, isReplaced } }: { server: ServerHealth }) {
  const { t } = useTranslation('admin')
  const running = isGone ? 'gone' : 'running'
  const state = isReplaced ? 'replaced' : running
  const { tone, icon: Icon } = LOOKS[state]
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0">
        <p className="break-all font-medium">{host}</p>
        <p className="flex flex-wrap gap-x-3 text-[0.8125rem] text-muted-foreground">
          <span>{t(($) => $.health.servers.version, { version })}</span>
          <span>
            {t(($) => $.health.servers.started)} <RelativeTime at={startedAt} />
          </span>
          <span>
            {t(($) => $.health.servers.seen)} <RelativeTime at={seenAt} />
          </span>
        </p>
      </div>
      <Badge tone={tone}>
        <Icon aria-hidden="true" />
        {t(($) => $.health.servers.states[state])}
      </Badge>
    </li>
  )
}
