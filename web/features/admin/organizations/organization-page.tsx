// /admin/organizations/:organizationId: how one organization stands, what it uses, whether its channels work, and what failed lately.
import { CirclePause, CirclePlay, ScrollText } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, useParams } from 'react-router'
import type { Id } from '#shared/ids.ts'
import type { AdminOrganizationDetails, PlanChoice } from '#shared/organizations/admin.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button, buttonClasses } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { DateTime, RelativeTime } from '#web/components/ui/date-time.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { AdminLayout } from '../admin-layout.tsx'
import { auditPath, membersPath } from '../admin-paths.ts'
import { ConnectionsSection, FailuresSection } from './health-sections.tsx'
import { MonthsSection } from './months-section.tsx'
import { type StandingAct, StandingDialog } from './standing-dialog.tsx'
import { LimitField, PlanField } from './standing-fields.tsx'
import { SupportSection } from './support-section.tsx'

/** Live. */
export function AdminOrganizationPage() {
  const { organizationId } = useParams()
  const organization: AdminOrganizationDetails | undefined = useQuery(api.admin.organizations.get, {
    organizationId: organizationId as Id<'organizations'>,
  })
  const plans: PlanChoice[] = useQuery(api.admin.organizations.plans, {}) ?? []
  const [asked, setAsked] = useState<StandingAct | null>(null)
  return (
    <AdminLayout tab="organizations" subject={organization?.name}>
      {organization === undefined ? (
        <Delayed>
          <Skeleton className="h-64" />
        </Delayed>
      ) : (
        <>
          <FactsSection organization={organization} plans={plans} onAsk={setAsked} />
          <SupportSection organization={organization} />
          <MonthsSection months={organization.months} />
          <ConnectionsSection connections={organization.connections} />
          <FailuresSection failures={organization.failures} />
          {asked && <StandingDialog act={asked} onClose={() => setAsked(null)} />}
        </>
      )}
    </AdminLayout>
  )
}

type FactsProps = {
  organization: AdminOrganizationDetails
  plans: PlanChoice[]
  onAsk: (act: StandingAct) => void
}

function FactsSection({ organization, plans, onAsk }: FactsProps) {
  const { t } = useTranslation('admin')
  const { owner, members, agents, messages, allowance, lastActiveAt, createdAt, timeZone, supportEmail } = organization
  return (
    <CardSection
      title={<span className="break-words">{organization.name}</span>}
      actions={<Acts organization={organization} onAsk={onAsk} />}
    >
      <div className="flex flex-col gap-5">
        <SuspensionNote organization={organization} />
        <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
          <Fact label={t(($) => $.organizations.columns.plan)}>
            <PlanField organization={organization} plans={plans} />
          </Fact>
          <Fact label={t(($) => $.organizations.columns.limit)}>
            <LimitField organization={organization} />
          </Fact>
          <Fact label={t(($) => $.organizations.columns.messages)}>
            {formatNumber(messages)}{' '}
            {allowance === null
              ? `(${t(($) => $.organizations.unlimited)})`
              : t(($) => $.organizations.of, { value: formatNumber(allowance) })}
          </Fact>
          <Fact label={t(($) => $.organizations.owner)}>
            {owner.name}
            <span className="block text-[0.8125rem] text-muted-foreground [overflow-wrap:anywhere]">{owner.email}</span>
          </Fact>
          <Fact label={t(($) => $.organizations.columns.members)}>
            <Link to={membersPath(organization.name)} className="text-primary underline-offset-4 hover:underline">
              {t(($) => $.organizations.membersCount, { count: members })}
            </Link>
          </Fact>
          <Fact label={t(($) => $.organizations.agents)}>{formatNumber(agents)}</Fact>
          <Fact label={t(($) => $.organizations.columns.active)}>
            {lastActiveAt === null ? t(($) => $.organizations.never) : <RelativeTime at={lastActiveAt} />}
          </Fact>
          <Fact label={t(($) => $.organizations.created)}>
            <DateTime at={createdAt} />
          </Fact>
          <Fact label={t(($) => $.organizations.timeZone)}>{timeZone}</Fact>
          {supportEmail && (
            <Fact label={t(($) => $.organizations.supportEmail)}>
              <span className="[overflow-wrap:anywhere]">{supportEmail}</span>
            </Fact>
          )}
        </dl>
      </div>
    </CardSection>
  )
}

function Acts({ organization, onAsk }: Pick<FactsProps, 'organization' | 'onAsk'>) {
  const { t } = useTranslation('admin')
  const { _id, suspendedAt } = organization
  return (
    <>
      <Link to={auditPath(_id)} className={buttonClasses()}>
        <ScrollText aria-hidden="true" />
        {t(($) => $.organizations.audit)}
      </Link>
      {suspendedAt === null ? (
        <Button onClick={() => onAsk({ what: 'suspend', organization })}>
          <CirclePause aria-hidden="true" />
          {t(($) => $.organizations.suspend)}
        </Button>
      ) : (
        <Button variant="primary" onClick={() => onAsk({ what: 'resume', organization })}>
          <CirclePlay aria-hidden="true" />
          {t(($) => $.organizations.resume)}
        </Button>
      )}
    </>
  )
}

function SuspensionNote({ organization: { suspendedAt, suspendedReason } }: Pick<FactsProps, 'organization'>) {
  const { t } = useTranslation('admin')
  if (suspendedAt === null) return null
  return (
    <Alert
      tone="warning"
      title={
        <>
          {t(($) => $.organizations.suspendedSince)} <DateTime at={suspendedAt} />
        </>
      }
    >
      {suspendedReason && (
        <p className="whitespace-pre-wrap break-words">{t(($) => $.reason.given, { reason: suspendedReason })}</p>
      )}
    </Alert>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="mb-1 text-[0.8125rem] text-muted-foreground">{label}</dt>
      <dd className="break-words tabular-nums">{children}</dd>
    </div>
  )
}
