// What was, or would be, removed, in words.
import type { Removal } from '#shared/retention.ts'
import type { useTranslation } from '#web/lib/i18n.ts'

const KINDS = ['conversations', 'messages', 'attachments', 'files', 'notes', 'traces'] as const

/** Counts with their words, those of which there are any; empty: none. */
export function countedOf(counts: Removal['counts'], t: ReturnType<typeof useTranslation<'settings'>>['t']): string {
  return KINDS.filter((kind) => counts[kind])
    .map((kind) => t(($) => $.removals.counts[kind], { count: counts[kind] ?? 0 }))
    .join(', ')
}
