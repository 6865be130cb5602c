// Counts of removed and retained data, in words.
import type { LeftAlone, Removal } from '#shared/messaging/retention.ts'
import type { useTranslation } from '#web/lib/i18n.ts'

const KINDS = ['conversations', 'messages', 'attachments', 'files', 'notes', 'traces'] as const

const REASONS = ['held', 'paused', 'waiting', 'sending'] as const
type Translate = ReturnType<typeof useTranslation<'settings'>>['t']

/** The counts above zero with their nouns; empty when there are none. */
export function countedOf(counts: Removal['counts'], t: Translate): string {
  return KINDS.filter((kind) => counts[kind])
    .map((kind) => t(($) => $.removals.counts[kind], { count: counts[kind] ?? 0 }))
    .join(', ')
}

/** Conversations that were kept although part of their data has expired, with the reasons; empty when there are none. */
export function leftAloneOf(left: LeftAlone | undefined, t: Translate): string {
  return REASONS.filter((reason) => left?.[reason])
    .map((reason) => t(($) => $.retention.left[reason], { count: left?.[reason] ?? 0 }))
    .join(', ')
}
