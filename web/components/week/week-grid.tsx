// The hours of a week as a grid: hours across where there is room, days across on a phone.
import { useRef } from 'react'
import { cn } from '#web/lib/cn.ts'
import { weekdayName } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { type Cell, DAYS, HOURS, isOpen, type WeekHours } from './hours.rules.ts'
import { useIsWiderThan } from './use-is-wider-than.ts'
import { useWeekGrid } from './use-week-grid.ts'

/** From this width on an hour across is wide enough to be hit, pixels. */
const ACROSS_MIN = 620

type WeekGridProps = {
  label: string
  describedBy: string
  value: WeekHours
  onChange: (hours: WeekHours) => void
}

const range = (length: number) => Array.from({ length }, (_, at) => at)

/** One tab stop: arrows move, Space turns an hour, day or column of hours, Shift with arrows paints. Mouse and finger do the same. */
export function WeekGrid({ label, describedBy, value, onChange }: WeekGridProps) {
  const frame = useRef<HTMLDivElement>(null)
  const isAcross = useIsWiderThan(frame, ACROSS_MIN)
  const { place, handlers } = useWeekGrid({ value, onChange, isAcross })
  const dayNames = range(DAYS).map((day) => weekdayName(day, 'long'))
  const cell = (day: number, hour: number) => ({
    day,
    hour,
    dayName: dayNames[day] ?? '',
    isFocusable: place.day === day && place.hour === hour,
  })
  const columns = range(isAcross ? HOURS : DAYS)
  const rows = range(isAcross ? DAYS : HOURS)
  const at = (row: number, column: number) => (isAcross ? cell(row, column) : cell(column, row))
  return (
    <div ref={frame} className="w-full">
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table that is operated is a grid
        role="grid"
        aria-label={label}
        aria-describedby={describedBy}
        aria-multiselectable="true"
        className="w-full table-fixed select-none border-separate border-spacing-0.5 text-xs"
        {...handlers}
      >
        <thead>
          <tr>
            <td className={isAcross ? 'w-9' : 'w-12'} />
            {columns.map((column) => (
              <Heading key={column} {...at(-1, column)} isShort={isAcross} scope="col" />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row}>
              <Heading {...at(row, -1)} isShort={isAcross} scope="row" />
              {columns.map((column) => (
                <HourCell key={column} {...at(row, column)} isOn={isOpen(value, at(row, column))} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type PlaceProps = Cell & { dayName: string; isFocusable: boolean }

/** Turns its whole day or hour. */
function Heading({
  day,
  hour,
  dayName,
  isFocusable,
  isShort,
  scope,
}: PlaceProps & { isShort: boolean; scope: 'col' | 'row' }) {
  const { t } = useTranslation('agents')
  const clock = `${hour}:00`
  const name =
    day < 0 ? t(($) => $.availability.wholeHour, { hour: clock }) : t(($) => $.availability.wholeDay, { day: dayName })
  return (
    <th
      scope={scope}
      data-day={day}
      data-hour={hour}
      tabIndex={isFocusable ? 0 : -1}
      aria-label={name}
      className={cn(
        'h-7 cursor-pointer rounded-md font-medium text-muted-foreground tabular-nums hover:bg-accent hover:text-foreground focus-visible:-outline-offset-2',
        scope === 'row' && 'text-start',
      )}
    >
      {day >= 0 ? weekdayName(day, 'short') : isShort ? hour : clock}
    </th>
  )
}

function HourCell({ day, hour, dayName, isFocusable, isOn }: PlaceProps & { isOn: boolean }) {
  const { t } = useTranslation('agents')
  return (
    <td
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a cell that is operated is a gridcell
      role="gridcell"
      data-day={day}
      data-hour={hour}
      tabIndex={isFocusable ? 0 : -1}
      aria-selected={isOn}
      aria-label={t(($) => $.availability.cell, {
        day: dayName,
        from: `${hour}:00`,
        to: `${hour + 1}:00`,
      })}
      className={cn(
        'h-7 cursor-pointer touch-manipulation rounded-[4px] focus-visible:z-10 focus-visible:outline-offset-1',
        isOn ? 'bg-primary hover:bg-primary-hover' : 'bg-accent hover:bg-input/50',
      )}
    />
  )
}
