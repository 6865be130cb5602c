// What was, or would be, removed and left alone, in words.
import type { LeftAlone, Removal } from '#shared/messaging/retention.ts'
import type { useTranslation } from '#web/lib/i18n.ts'

const KINDS = ['conversations', 'messages', 'attachments', 'files', 'notes', 'traces'] as const

const REASONS = ['held', 'paused', 'waiting', 'sending'] as const
type Translate = ReturnType<typeof useTranslation<'settings'>>['t']

/** Counts with their words, those of which there are any; empty: none. */
export function countedOf(counts: Removal['counts'], t: Translate): string {
  return KINDS.filter((kind) => counts[kind])
    .map((kind) => t(($) => $.removals.counts[kind], { count: counts[kind] ?? 0 }))
    .join(', ')
}

/** Conversations that were left alone although something of them is old enough, and why; empty: none. */
export function leftAloneOf(left: LeftAlone | undefined, t: Translate): string {
  return REASONS.filter((reason) => left?.[reason])
    .map((reason) => t(($) => $.retention.left[reason], { count: left?.[reason] ?? 0 }))
    .join(', ')
}
