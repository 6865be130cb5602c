// Conditions on what is measured of conversations, in words.
import { formatDateTime, weekdayName } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useOrganization } from '#web/lib/sign-in/current-user.tsx'
import type { FactsKey, FactsQuery } from './facts-query.ts'

/** Conditions that are only set or not. */
const FLAGS = ['isReopened', 'didNotKnow', 'isAnswered', 'isSettled', 'isUnpriced'] as const

/** Moments, weekdays and hours are those of the organization's clock, by which analytics count. */
export function useFactsWords(): (key: FactsKey, query: FactsQuery) => string | null {
  const { t } = useTranslation('conversations')
  const { timeZone } = useOrganization()
  const momentOf = (at: number | null) => at !== null && formatDateTime(at, 'medium', timeZone)
  return (key, query) => {
    const flag = FLAGS.find((each) => each === key)
    if (flag) return query[flag] ? t(($) => $.measured[flag]) : null
    const { outcome, handoffReason, rating, weekday, hour, gist } = query
    switch (key) {
      case 'outcome':
        return outcome && t(($) => $.measured.outcome[outcome])
      case 'handoffReason':
        return handoffReason && t(($) => $.measured.reason[handoffReason])
      case 'rating':
        return (
          rating && (rating === 'any' ? t(($) => $.measured.rated) : t(($) => $.measured.rating, { value: rating }))
        )
      case 'weekday':
        return weekday === null ? null : weekdayName(weekday, 'long')
      case 'hour':
        return hour === null ? null : t(($) => $.measured.hour, { from: hour, to: (hour + 1) % 24 })
      case 'gist':
        return gist && t(($) => $.measured.gist, { gist })
      case 'begunSince':
      case 'begunUntil':
      case 'writtenSince':
      case 'writtenUntil':
        return momentWords(key, momentOf(query[key]))
      default:
        return null
    }
  }

  function momentWords(key: 'begunSince' | 'begunUntil' | 'writtenSince' | 'writtenUntil', moment: string | false) {
    return moment ? t(($) => $.measured[key], { moment }) : null
  }
}
