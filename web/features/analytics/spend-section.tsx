// What was spent in the chosen days as the plan counts it: for customers, and apart from that in test chats.
import { Link } from 'react-router'
import type { AnalyticsOverview, Spent } from '#shared/analytics/analytics.ts'
import { CardSection } from '#web/components/ui/card.tsx'
import { formatNumber, formatUsd } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { NumbersTable } from './charts/numbers-table.tsx'

/** Test chats are in no other number of the page. */
export function SpendSection({ spend }: Pick<AnalyticsOverview, 'spend'>) {
  const { t } = useTranslation('analytics')
  const rows = [
    { key: 'customers', name: t(($) => $.spend.customers), spent: spend.customers },
    { key: 'test', name: t(($) => $.spend.test), spent: spend.test },
  ]
  const column = (key: string, label: string, value: (spent: Spent) => string) => ({
    key,
    label,
    value: (row: (typeof rows)[number]) => value(row.spent),
  })
  return (
    <CardSection
      id="spend"
      className="min-w-0 break-inside-avoid"
      title={t(($) => $.spend.title)}
      description={
        <>
          {t(($) => $.spend.hint)}{' '}
          <Link to={paths.plan} className="text-primary underline underline-offset-4 print:hidden">
            {t(($) => $.spend.plan)}
          </Link>
        </>
      }
    >
      <NumbersTable
        caption={t(($) => $.spend.title)}
        head={t(($) => $.spend.on)}
        rows={rows}
        rowKey={({ key }) => key}
        rowName={({ name }) => name}
        columns={[
          column(
            'messages',
            t(($) => $.spend.messages),
            ({ messages }) => formatNumber(messages),
          ),
          column(
            'cost',
            t(($) => $.spend.cost),
            ({ costMicroUsd }) => formatUsd(costMicroUsd / 1e6),
          ),
          column(
            'unpriced',
            t(($) => $.columns.unpriced),
            ({ unpricedCalls }) => formatNumber(unpricedCalls),
          ),
        ]}
      />
    </CardSection>
  )
}
