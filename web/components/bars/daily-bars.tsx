// A number of each day as bars. One stop of the keyboard: arrows move between the days, and the day under focus or pointer says its number.
import { type KeyboardEvent, useRef, useState } from 'react'
import { cn } from '#web/lib/cn.ts'
import { formatCalendarDay } from '#web/lib/format.ts'
import { barHeight } from './bars.rules.ts'

/** `key`: `YYYY-MM-DD` */
export type BarDay = { key: string; value: number }

type DailyBarsProps = {
  days: readonly BarDay[]
  /** What the chart shows, and how it is read by keyboard. */
  label: string
  textOf: (day: BarDay) => string
  /** Says the number of the tallest bar. */
  mostText: (most: number) => string
}

/** Where a key leads from a day among so many; undefined: it leads nowhere. */
const MOVES: Record<string, (at: number, count: number) => number> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** The newest day is the one that the Tab key reaches first. Escape hides the number of a day. */
export function DailyBars({ days, label, textOf, mostText }: DailyBarsProps) {
  const [focused, setFocused] = useState(days.length - 1)
  const [shown, setShown] = useState<number | null>(null)
  const bars = useRef<HTMLDivElement>(null)
  const stop = Math.min(focused, days.length - 1)
  const most = Math.max(...days.map(({ value }) => value))
  const day = shown === null ? undefined : days[shown]

  function move(event: KeyboardEvent) {
    if (event.key === 'Escape') return setShown(null)
    const to = MOVES[event.key]?.(stop, days.length)
    if (to === undefined) return
    event.preventDefault()
    const next = Math.max(0, Math.min(days.length - 1, to))
    bars.current?.querySelectorAll<HTMLElement>('[role=img]')[next]?.focus()
  }
  return (
    <div>
      <div className="relative flex h-8 items-start text-[0.8125rem] tabular-nums">
        {day && shown !== null && (
          <p
            aria-hidden="true"
            className="absolute max-w-full whitespace-nowrap rounded-md bg-foreground px-2 py-1 text-background text-xs"
            style={placeOf(shown, days.length)}
          >
            {textOf(day)}
          </p>
        )}
        {!day && (
          <p aria-hidden="true" className="text-muted-foreground">
            {mostText(most)}
          </p>
        )}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: these are no fields of a form */}
      <div
        ref={bars}
        role="group"
        aria-label={label}
        onKeyDown={move}
        onPointerLeave={() => setShown(null)}
        className="flex h-40 items-end gap-px border-border border-b sm:gap-0.5"
      >
        {days.map((each, at) => (
          <div
            key={each.key}
            role="img"
            aria-label={textOf(each)}
            tabIndex={at === stop ? 0 : -1}
            onFocus={() => {
              setFocused(at)
              setShown(at)
            }}
            onBlur={() => setShown(null)}
            onPointerEnter={() => setShown(at)}
            className="group flex h-full min-w-0 flex-1 items-end rounded-t-sm focus-visible:outline-offset-0"
          >
            <div
              className={cn(
                'w-full rounded-t-sm',
                each.value === 0 ? 'bg-accent' : 'bg-primary',
                at === shown && each.value > 0 && 'bg-primary-hover',
              )}
              style={{ height: `${barHeight(each.value, most)}%` }}
            />
          </div>
        ))}
      </div>
      <p aria-hidden="true" className="mt-1 flex justify-between text-muted-foreground text-xs">
        <span>{formatCalendarDay(days[0]?.key ?? '')}</span>
        <span>{formatCalendarDay(days.at(-1)?.key ?? '')}</span>
      </p>
    </div>
  )
}

/** The number stands over its day, and within the chart. */
function placeOf(at: number, count: number) {
  const share = ((at + 0.5) / count) * 100
  return { left: `${share}%`, transform: `translateX(-${share}%)` }
}
