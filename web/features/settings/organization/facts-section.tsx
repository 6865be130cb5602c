// What is so and cannot be changed here: plan, allowance, owner, age.
import type { ReactNode } from 'react'
import type { Member } from '#shared/organizations/organizations.ts'
import { api } from '#web/api.ts'
import { PersonAvatar } from '#web/components/person-avatar.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { formatDateTime, formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { useOrganization } from '#web/lib/sign-in/current-user.tsx'
import { useUsageOverview } from '#web/lib/use-usage-overview.ts'

/** Live. */
export function FactsSection() {
  const { t } = useTranslation('settings')
  const { ownerId, createdAt } = useOrganization()
  const overview = useUsageOverview()
  const members: Member[] | undefined = useQuery(api.organizations.members, {})
  const owner = members?.find(({ _id }) => _id === ownerId)
  const allowance = overview?.plan.allowance
  return (
    <CardSection title={t(($) => $.facts.title)}>
      <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-3">
        <Fact label={t(($) => $.facts.plan)}>{overview?.plan.name}</Fact>
        <Fact label={t(($) => $.facts.allowance)}>
          {allowance === null ? t(($) => $.facts.unlimited) : allowance !== undefined && formatNumber(allowance)}
        </Fact>
        <Fact label={t(($) => $.facts.used)}>{overview && formatNumber(overview.period.messages)}</Fact>
        <Fact label={t(($) => $.facts.owner)}>
          {owner && (
            <span className="flex items-center gap-2">
              <PersonAvatar person={owner} isInside className="size-6 text-[0.625rem]" />
              <span className="min-w-0 truncate">{owner.name}</span>
            </span>
          )}
        </Fact>
        <Fact label={t(($) => $.facts.created)}>{formatDateTime(createdAt, 'date')}</Fact>
      </dl>
    </CardSection>
  )
}

/** A dash while it is not known. */
function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-[0.8125rem] text-muted-foreground">{label}</dt>
      <dd className="mt-0.5 font-medium tabular-nums">{children || '—'}</dd>
    </div>
  )
}
