// The calls whose price is unknown, counted, with the way to the conversations that hold them.
import { Link } from 'react-router'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** Stands under every cost that does not hold them. */
export function UnpricedLink({ calls, to }: { calls: number; to: string }) {
  const { t } = useTranslation('analytics')
  return (
    <Link to={to} className="inline-flex min-h-6 items-center underline underline-offset-4">
      {t(($) => $.figures.unpriced, { count: calls, value: formatNumber(calls) })}
    </Link>
  )
}
