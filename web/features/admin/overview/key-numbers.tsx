// Four numbers of the installation, each with its change and the way to what stands behind it.
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { InstallationOverview } from '#shared/organizations/overview.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useSpendWords } from './use-spend-words.ts'

/** Spend, tokens, organizations and members. */
export function KeyNumbers({ overview }: { overview: InstallationOverview }) {
  const { t } = useTranslation('admin')
  const { costOf, change } = useSpendWords()
  const { totals, before, organizations, members } = overview
  const grown = ({ fresh, freshBefore }: InstallationOverview['members']) =>
    t(($) => $.overview.fresh, { value: formatNumber(fresh), change: change(fresh, freshBefore) })
  return (
    <dl className="grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-4">
      <Tile label={t(($) => $.overview.spend)} value={costOf(totals)} to="#models">
        {change(totals.costMicroUsd, before.costMicroUsd)}
        {totals.unpricedCalls > 0 && (
          <>
            <br />
            {t(($) => $.overview.unpriced, {
              count: totals.unpricedCalls,
              value: formatNumber(totals.unpricedCalls),
            })}
          </>
        )}
      </Tile>
      <Tile label={t(($) => $.overview.tokens)} value={formatNumber(totals.tokens)} to="#models">
        {change(totals.tokens, before.tokens)}
      </Tile>
      <Tile
        label={t(($) => $.overview.organizations)}
        value={formatNumber(organizations.count)}
        to={paths.adminPage('organizations')}
      >
        {grown(organizations)}
        <br />
        {t(($) => $.overview.active, { value: formatNumber(organizations.active) })}
      </Tile>
      <Tile label={t(($) => $.overview.members)} value={formatNumber(members.count)} to={paths.adminPage('members')}>
        {grown(members)}
      </Tile>
    </dl>
  )
}

type TileProps = { label: string; value: string; to: string; children: ReactNode }

function Tile({ label, value, to, children }: TileProps) {
  const { t } = useTranslation('admin')
  return (
    <div className="flex min-w-0 flex-col gap-1 rounded-lg bg-muted px-4 py-3">
      <dt className="text-[0.8125rem] text-muted-foreground leading-5">{label}</dt>
      <dd className="flex flex-col gap-1">
        <Link
          to={to}
          aria-label={t(($) => $.overview.open, { label, value })}
          className="self-start break-words font-semibold text-xl tabular-nums leading-7 underline-offset-4 hover:underline"
        >
          {value}
        </Link>
        <span className="text-[0.8125rem] text-muted-foreground tabular-nums">{children}</span>
      </dd>
    </div>
  )
}
