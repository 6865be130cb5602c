// The hours of a week in a line.
import { weekdayName } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { DAYS, daySpans, HOURS, isNever, type WeekHours } from './hours.rules.ts'

/** "Mon–Fri 9:00–18:00, Sat 10:00–14:00". */
export function useHoursText(): (hours: WeekHours) => string {
  const { t } = useTranslation('agents')
  return (hours) => {
    if (isNever(hours)) return t(($) => $.availability.neverShort)
    if (hours.length === DAYS && hours.every((open) => open.length === HOURS)) return t(($) => $.availability.always)
    return daySpans(hours)
      .map(({ from, to, ranges }) => {
        const days = from === to ? weekdayName(from) : `${weekdayName(from)}–${weekdayName(to)}`
        const isWhole = ranges.length === 1 && ranges[0]?.[0] === 0 && ranges[0][1] === HOURS
        const times = isWhole
          ? t(($) => $.availability.allDay)
          : ranges.map(([start, end]) => `${start}:00–${end}:00`).join(', ')
        return `${days} ${times}`
      })
      .join('; ')
  }
}
