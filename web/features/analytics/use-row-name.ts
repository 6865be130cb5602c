// What a row of a breakdown is called.
import type { BreakdownBy, BreakdownRow } from '#shared/analytics/analytics.ts'
import { channelName } from '#shared/channels/manifests.ts'
import { PAUSE_REASONS } from '#shared/messaging/conversations.ts'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'

/** Agents and people who are gone keep their names, and are marked as gone. */
export function useRowName(by: BreakdownBy): (row: Pick<BreakdownRow, 'key' | 'name' | 'isDeleted'>) => string {
  const { t } = useTranslation('analytics')
  return ({ key, name, isDeleted }) => {
    if (key === null) return t(($) => $.rows.unassigned)
    if (by === 'channel') return channelName(key, currentLanguage())
    if (by === 'rating') return t(($) => $.rows.rating, { value: key })
    const reason = by === 'reason' ? PAUSE_REASONS.find((each) => each === key) : undefined
    if (reason) return t(($) => $.reasons[reason])
    return isDeleted ? t(($) => $.rows.gone, { name: name ?? key }) : (name ?? key)
  }
}
