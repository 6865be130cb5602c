// Who uses the installation most, and which models cost most.
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { InstallationOverview } from '#shared/organizations/overview.ts'
import { CardSection } from '#web/components/ui/card.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { organizationPath } from '../admin-paths.ts'
import { useSpendWords } from './use-spend-words.ts'

type ListProps = { overview: InstallationOverview }

/** The most active organizations, each leading to its page. */
export function TopOrganizations({ overview: { topOrganizations } }: ListProps) {
  const { t } = useTranslation('admin')
  const { costOf } = useSpendWords()
  return (
    <CardSection
      title={t(($) => $.overview.topOrganizations.title)}
      description={t(($) => $.overview.topOrganizations.description)}
    >
      {topOrganizations.length === 0 && <Nothing />}
      <ol className="divide-y divide-border">
        {topOrganizations.map((each) => (
          <Row
            key={each._id}
            name={
              <Link to={organizationPath(each._id)} className="break-words font-medium hover:underline">
                {each.name}
              </Link>
            }
            hint={each.plan ?? t(($) => $.overview.noPlan)}
            numbers={[
              t(($) => $.overview.messages, { count: each.messages, value: formatNumber(each.messages) }),
              costOf(each),
            ]}
          />
        ))}
      </ol>
    </CardSection>
  )
}

/** The dearest models. */
export function TopModels({ overview: { topModels, modelCount } }: ListProps) {
  const { t } = useTranslation('admin')
  const { costOf } = useSpendWords()
  const others = modelCount - topModels.length
  return (
    <CardSection
      id="models"
      title={t(($) => $.overview.topModels.title)}
      description={t(($) => $.overview.topModels.description)}
    >
      {topModels.length === 0 && <Nothing />}
      <ol className="divide-y divide-border">
        {topModels.map((each) => (
          <Row
            key={each.name}
            name={<span className="break-all font-medium">{each.name}</span>}
            hint={t(($) => $.overview.calls, { count: each.calls, value: formatNumber(each.calls) })}
            numbers={[
              t(($) => $.overview.tokenCount, { count: each.tokens, value: formatNumber(each.tokens) }),
              costOf(each),
            ]}
          />
        ))}
      </ol>
      {others > 0 && (
        <p className="mt-3 text-[0.8125rem] text-muted-foreground">
          {t(($) => $.overview.topModels.others, { count: others, value: formatNumber(others) })}
        </p>
      )}
    </CardSection>
  )
}

function Row({ name, hint, numbers }: { name: ReactNode; hint: string; numbers: string[] }) {
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-2.5">
      <span className="flex min-w-0 flex-1 basis-48 flex-wrap items-baseline gap-x-3">
        {name}
        <span className="text-[0.8125rem] text-muted-foreground">{hint}</span>
      </span>
      <span className="flex flex-wrap gap-x-6 text-sm tabular-nums">
        {numbers.map((each) => (
          <span key={each}>{each}</span>
        ))}
      </span>
    </li>
  )
}

function Nothing() {
  const { t } = useTranslation('admin')
  return <p className="text-muted-foreground">{t(($) => $.overview.days.empty)}</p>
}
