// What the patterns of a chart stand for, each with its sum and the way to the conversations behind that.
import { useId } from 'react'
import { Link } from 'react-router'
import { type Fill, paintOf, SeriesPatterns } from './series.tsx'

type LegendItem = { key: string; fill: Fill; label: string; value: string; to: string | null }

/** Items without an address are words only. */
export function Legend({ items }: { items: LegendItem[] }) {
  const id = useId()
  return (
    <ul className="mb-4 flex flex-wrap gap-x-5 gap-y-1">
      {items.map(({ key, fill, label, value, to }) => (
        <li key={key} className="flex min-h-6 items-center gap-2">
          <svg aria-hidden="true" width={14} height={14} className="shrink-0">
            <SeriesPatterns id={`${id}${key}`} />
            <rect width={14} height={14} rx={3} fill={paintOf(fill, `${id}${key}`)} stroke="var(--muted-foreground)" />
          </svg>
          {to === null ? (
            <span>{label}</span>
          ) : (
            <Link to={to} className="inline-flex min-h-6 items-center gap-1.5 underline-offset-4 hover:underline">
              <span className="text-muted-foreground">{label}</span>
              <span className="font-medium tabular-nums">{value}</span>
            </Link>
          )}
          {to === null && <span className="font-medium tabular-nums">{value}</span>}
        </li>
      ))}
    </ul>
  )
}
