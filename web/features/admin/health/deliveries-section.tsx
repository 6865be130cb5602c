// Messages on their way to customers of all organizations, and the organizations whose messages have not arrived.
import { Link } from 'react-router'
import type { Health } from '#shared/organizations/health.ts'
import { formatLength, formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { Facts, HealthSection, SubItem, SubList } from './health-section.tsx'

/** Counts, and the ten organizations that are concerned most. */
export function DeliveriesSection({ health: { deliveries, problems, at } }: { health: Health }) {
  const { t } = useTranslation('admin')
  const { waiting, failed, unknown, oldestAt, organizations } = deliveries
  const facts = [
    { label: t(($) => $.health.deliveries.waiting), value: formatNumber(waiting) },
    {
      label: t(($) => $.health.deliveries.oldest),
      value: oldestAt === null ? '–' : formatLength(Math.max(0, at - oldestAt)),
    },
    { label: t(($) => $.health.deliveries.failed), value: formatNumber(failed) },
    { label: t(($) => $.health.deliveries.unknown), value: formatNumber(unknown) },
  ]
  return (
    <HealthSection name="deliveries" problems={problems}>
      <Facts facts={facts} />
      {organizations.length > 0 && (
        <SubList title={t(($) => $.health.deliveries.organizations)}>
          {organizations.map((organization) => (
            <SubItem
              key={organization._id}
              title={<OrganizationLink organization={organization} />}
              facts={(['failed', 'unknown', 'waiting'] as const).map(
                (state) =>
                  organization[state] > 0 &&
                  t(($) => $.health.deliveries.counts[state], { value: formatNumber(organization[state]) }),
              )}
            />
          ))}
        </SubList>
      )}
    </HealthSection>
  )
}

/** Leads to the organization's page in the administration. */
export function OrganizationLink({ organization }: { organization: { _id: string; name: string } }) {
  return (
    <Link
      to={`${paths.adminPage('organizations')}/${organization._id}`}
      className="break-words font-medium text-primary underline-offset-4 hover:underline"
    >
      {organization.name}
    </Link>
  )
}
