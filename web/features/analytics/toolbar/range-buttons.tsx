// The days that are looked back on: 7, 30 or 90, or from one day to another.
import { CalendarDays } from 'lucide-react'
import { useState } from 'react'
import { ANALYTICS_DAYS } from '#shared/analytics/analytics.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '#web/components/ui/popover.tsx'
import { formatCalendarDay } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { rangeOf, useAnalyticsView } from '../use-analytics-view.ts'
import { CustomRange } from './custom-range.tsx'

/** A change of days also gives the interval back to what suits them. */
export function RangeButtons() {
  const { t } = useTranslation('analytics')
  const [view, setView] = useAnalyticsView()
  const [isOpen, setOpen] = useState(false)
  const range = rangeOf(view)
  const isCustom = !('days' in range)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a frame; these buttons are no form
    <div role="group" aria-label={t(($) => $.toolbar.range)} className="flex flex-wrap gap-1">
      {ANALYTICS_DAYS.map((days) => (
        <Button
          key={days}
          isForReading
          variant={!isCustom && range.days === days ? 'secondary' : 'ghost'}
          aria-pressed={!isCustom && range.days === days}
          onClick={() => void setView({ range: days, from: null, to: null, interval: null })}
        >
          {t(($) => $.toolbar.days, { count: days })}
        </Button>
      ))}
      <Popover open={isOpen} onOpenChange={setOpen}>
        <PopoverTrigger asChild>
          <Button isForReading variant={isCustom ? 'secondary' : 'ghost'} aria-pressed={isCustom}>
            <CalendarDays aria-hidden="true" />
            {isCustom
              ? t(($) => $.toolbar.fromTo, {
                  from: formatCalendarDay(range.from, 'year'),
                  to: formatCalendarDay(range.to, 'year'),
                })
              : t(($) => $.toolbar.custom)}
          </Button>
        </PopoverTrigger>
        <PopoverContent align="start">
          <CustomRange
            range={isCustom ? range : null}
            onChoose={(chosen) => {
              setOpen(false)
              void setView({ ...chosen, interval: null })
            }}
          />
        </PopoverContent>
      </Popover>
    </div>
  )
}
