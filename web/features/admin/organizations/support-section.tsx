// Accesses by which administrators of the installation acted on behalf of the organization, and the way to begin one.
import { LifeBuoy } from 'lucide-react'
import { useState } from 'react'
import type { AdminOrganizationDetails } from '#shared/organizations/admin.ts'
import type { SupportAccess } from '#shared/organizations/support.ts'
import { api } from '#web/api.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { DateTime } from '#web/components/ui/date-time.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { SupportDialog } from './support-dialog.tsx'

type SupportSectionProps = { organization: Pick<AdminOrganizationDetails, '_id' | 'name'> }

/** Live, the newest first. */
export function SupportSection({ organization }: SupportSectionProps) {
  const { t } = useTranslation('admin')
  const [isAsking, setAsking] = useState(false)
  const accesses: SupportAccess[] | undefined = useQuery(api.admin.support.list, { organizationId: organization._id })
  return (
    <CardSection
      title={t(($) => $.support.title)}
      description={t(($) => $.support.description)}
      actions={
        <Button onClick={() => setAsking(true)}>
          <LifeBuoy aria-hidden="true" />
          {t(($) => $.support.begin)}
        </Button>
      }
    >
      {accesses?.length === 0 && <p className="text-muted-foreground">{t(($) => $.support.none)}</p>}
      <ul className="divide-y divide-border">
        {accesses?.map((access) => (
          <Access key={access._id} access={access} />
        ))}
      </ul>
      {isAsking && <SupportDialog organization={organization} onClose={() => setAsking(false)} />}
    </CardSection>
  )
}

function Access({ access }: { access: SupportAccess }) {
  const { t } = useTranslation('admin')
  const end = useMutation(api.admin.support.end)
  const { _id: accessId, name, reason, mayWrite, beganAt, endsAt, endedAt } = access
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium [overflow-wrap:anywhere]">{name}</span>
          <Badge tone={mayWrite ? 'warning' : 'neutral'}>
            {mayWrite ? t(($) => $.support.writes) : t(($) => $.support.reads)}
          </Badge>
          {endedAt === null && (
            <Badge tone="success" hasDot>
              {t(($) => $.support.open)}
            </Badge>
          )}
        </p>
        <p className="text-[0.8125rem] text-muted-foreground tabular-nums">
          <DateTime at={beganAt} /> – <DateTime at={endedAt ?? endsAt} />
        </p>
        <p className="whitespace-pre-wrap text-[0.8125rem] [overflow-wrap:anywhere]">
          {t(($) => $.reason.given, { reason })}
        </p>
      </div>
      {endedAt === null && (
        <Button size="sm" onClick={() => void end({ accessId }).catch(() => undefined)}>
          {t(($) => $.support.end)}
        </Button>
      )}
    </li>
  )
}
