// One number with its change, what it means, and the way to the conversations behind it.
import { ArrowDown, ArrowRight, ArrowUp, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { REOPENED_WITHIN_DAYS } from '#shared/analytics/facts.ts'
import { Card } from '#web/components/ui/card.tsx'
import { Tooltip } from '#web/components/ui/tooltip.tsx'
import { formatNumber, formatPercent } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import type { Change } from './changes.rules.ts'
import type { FigureName } from './definitions.tsx'

type FigureCardProps = {
  what: FigureName
  value: string
  to: string
  change: Change | null
  /** The same number of the period before. */
  before: string
  children?: ReactNode
}

/** Whether a change is good is for the reader to say: the arrow has no colour. */
export function FigureCard({ what, value, to, change, before, children }: FigureCardProps) {
  const { t } = useTranslation('analytics')
  const name = t(($) => $.figures.name[what])
  return (
    <Card className="flex min-w-0 break-inside-avoid flex-col gap-1 p-3 sm:p-4">
      <div className="flex items-start justify-between gap-2">
        <h2 className="min-w-0 font-medium pt-0.5 text-[0.8125rem] text-muted-foreground leading-5">{name}</h2>
        <Tooltip content={t(($) => $.definitions[what], { days: REOPENED_WITHIN_DAYS })}>
          <button
            type="button"
            aria-label={t(($) => $.figures.meaning, { name })}
            className="flex size-6 shrink-0 items-center justify-center rounded-md text-muted-foreground hover:text-foreground pointer-coarse:size-11 print:hidden"
          >
            <Info aria-hidden="true" className="size-4" />
          </button>
        </Tooltip>
      </div>
      <Link
        to={to}
        className="self-start break-words font-semibold text-xl tabular-nums leading-8 sm:text-2xl underline-offset-4 hover:underline"
        aria-label={t(($) => $.figures.open, { name, value })}
      >
        {value}
      </Link>
      {change && <ChangeNote change={change} before={before} />}
      <div className="text-[0.8125rem] text-muted-foreground tabular-nums">{children}</div>
    </Card>
  )
}

/** From here on a change is shown in times, not in percent. */
const MANIFOLD = 9.5
const ARROWS = { up: ArrowUp, down: ArrowDown, same: ArrowRight }

function ChangeNote({ change: { direction, share }, before }: { change: Change; before: string }) {
  const { t } = useTranslation('analytics')
  const Arrow = ARROWS[direction]
  return (
    <p className="flex items-center gap-1 text-[0.8125rem] tabular-nums">
      <Arrow aria-hidden="true" className="size-3.5 shrink-0" />
      <span className="min-w-0">{text()}</span>
    </p>
  )

  function text(): string {
    if (direction === 'same') return t(($) => $.change.same)
    if (share === null) return t(($) => $.change.fromNothing, { before })
    if (share >= MANIFOLD) return t(($) => $.change.upTimes, { value: formatNumber(share + 1), before })
    return t(($) => $.change[direction], { by: formatPercent(share), before })
  }
}
