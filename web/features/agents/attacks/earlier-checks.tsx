// All checks of an agent that are kept, each as a link.
import { Link } from 'react-router'
import type { AttackCheck } from '#shared/messaging/attack-checks.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { formatMoment, formatNumber, formatPercent } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { readOf } from './score.ts'

type EarlierChecksProps = { checks: AttackCheck[]; shown: AttackCheck | undefined }

/** The newest first, so that a change of the score is seen. */
export function EarlierChecks({ checks, shown }: EarlierChecksProps) {
  const { t } = useTranslation('attacks')
  return (
    <CardSection title={t(($) => $.earlier)}>
      <ul className="divide-y divide-border">
        {checks.map((check) => (
          <li key={check._id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3 first:pt-0 last:pb-0">
            <Link
              to={`?check=${check._id}`}
              aria-current={check._id === shown?._id ? 'true' : undefined}
              className="font-medium text-primary hover:underline aria-[current]:text-foreground"
            >
              {formatMoment(check.startedAt, Date.now())}
            </Link>
            <span className="text-[0.8125rem] text-muted-foreground">
              {t(($) => $.start[check.size])},{' '}
              {t(($) => $.result.facts, { version: formatNumber(check.agentVersion), model: check.model })}
            </span>
            <span className="ms-auto flex items-center gap-2 tabular-nums">
              {check.counts.breached > 0 && (
                <Badge tone="destructive">{t(($) => $.result.breached, { count: check.counts.breached })}</Badge>
              )}
              {check.status === 'done' ? scoreOf(check) : t(($) => $.status[check.status])}
            </span>
          </li>
        ))}
      </ul>
    </CardSection>
  )
}

function scoreOf(check: AttackCheck): string {
  const read = readOf(check)
  return read === 0 ? '–' : formatPercent(check.counts.resisted / read)
}
