// What an organization has used, month by month.
import type { AdminMonth } from '#shared/organizations/admin.ts'
import { CardSection } from '#web/components/ui/card.tsx'
import { formatCost, formatMonth, formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'

const NUMBER = 'px-2 py-2 text-end tabular-nums whitespace-nowrap last:pe-0'

/** The newest first. It scrolls sideways by itself where it is too wide. */
export function MonthsSection({ months }: { months: AdminMonth[] }) {
  const { t } = useTranslation('admin')
  const title = t(($) => $.organizations.usage)
  return (
    <CardSection title={title} description={t(($) => $.organizations.usageHint)}>
      {months.length === 0 ? (
        <p className="text-muted-foreground">{t(($) => $.organizations.noUsage)}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
        <section aria-label={title} tabIndex={0} className="overflow-x-auto">
          <table className="w-full">
            <thead className="text-[0.8125rem] text-muted-foreground">
              <tr>
                <th scope="col" className="py-2 pe-2 text-start font-medium">
                  {t(($) => $.organizations.month)}
                </th>
                {(['messages', 'tokens', 'cost'] as const).map((head) => (
                  <th key={head} scope="col" className={`${NUMBER} font-medium`}>
                    {t(($) => $.organizations.used[head])}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y divide-border">
              {months.map((month) => (
                <MonthRow key={month.month} month={month} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </CardSection>
  )
}

/** Calls without a price make the cost a lower bound. */
function MonthRow({ month: { month, messages, tokens, costUsd, unpricedCalls } }: { month: AdminMonth }) {
  const { t } = useTranslation('admin')
  const cost = formatCost(costUsd)
  return (
    <tr>
      <th scope="row" className="py-2 pe-2 text-start font-normal first-letter:uppercase">
        {formatMonth(month)}
      </th>
      <td className={NUMBER}>{formatNumber(messages)}</td>
      <td className={NUMBER}>{formatNumber(tokens)}</td>
      <td className={NUMBER}>{unpricedCalls > 0 ? t(($) => $.organizations.atLeast, { cost }) : cost}</td>
    </tr>
  )
}
