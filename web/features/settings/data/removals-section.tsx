// What was removed and what was kept: by the nightly retention run, and by erasing customers.
import type { Removal } from '#shared/messaging/retention.ts'
import { api } from '#web/api.ts'
import { CardSection } from '#web/components/ui/card.tsx'
import { DateTime } from '#web/components/ui/date-time.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { LeftAloneNote } from './left-alone-note.tsx'
import { countedOf } from './removal-counts.ts'

/** Newest first. */
export function RemovalsSection() {
  const { t } = useTranslation('settings')
  const removals: Removal[] | undefined = useQuery(api.conversations.retention.removals, {})
  return (
    <CardSection title={t(($) => $.removals.title)} description={t(($) => $.removals.description)}>
      {!removals && (
        <Delayed>
          <Skeleton className="h-12" />
        </Delayed>
      )}
      {removals?.length === 0 && <p className="text-muted-foreground">{t(($) => $.removals.none)}</p>}
      <ul className="divide-y divide-border">
        {removals?.map(({ _id, kind, author, counts, at }) => (
          <li key={_id} className="py-3 first:pt-0 last:pb-0">
            <p className="font-medium">
              {kind === 'retention'
                ? t(($) => $.removals.kinds.retention)
                : author
                  ? t(($) => $.removals.kinds.erasedBy, { name: author.name })
                  : t(($) => $.removals.kinds.erased)}
            </p>
            <p className="text-[0.8125rem] text-muted-foreground">
              <DateTime at={at} /> ·{' '}
              {countedOf(counts, t) ||
                (kind === 'retention' ? t(($) => $.removals.nothingRemoved) : t(($) => $.removals.nothingSaid))}
            </p>
            <LeftAloneNote left={counts.left} />
          </li>
        ))}
      </ul>
    </CardSection>
  )
}
