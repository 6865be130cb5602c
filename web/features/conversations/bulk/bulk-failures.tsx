// Which of many conversations could not be changed, and why.

import type { ErrorCode } from '#shared/errors.ts'
import { SEARCH_HITS_MAX } from '#shared/limits.ts'
import type { Conversation } from '#shared/messaging/conversations.ts'
import { api } from '#web/api.ts'
import { Dialog, DialogContent } from '#web/components/ui/dialog.tsx'
import { describeCode } from '#web/lib/errors.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import type { BulkFailure, BulkOutcome } from './bulk-work.ts'

type BulkFailuresProps = BulkOutcome & { onClose: () => void }

/** Open while mounted. Lists failures by name, including the first hundred that are not loaded; the rest are counted by reason. */
export function BulkFailures({ updated, failures, folder, conversations, onClose }: BulkFailuresProps) {
  const { t } = useTranslation('conversations')
  const known = new Map(conversations.map((each) => [each._id, each]))
  const asked = failures.flatMap(({ conversationId: id }) => (known.has(id) ? [] : [id])).slice(0, SEARCH_HITS_MAX)
  const others: Conversation[] | undefined = useQuery(
    api.conversations.found,
    asked.length > 0 ? { folder, conversationIds: asked } : 'skip',
  )
  for (const each of others ?? []) known.set(each._id, each)
  const isNamed = ({ conversationId: id }: BulkFailure) => known.has(id) || asked.includes(id)
  const named = failures.filter(isNamed)
  const rest = Map.groupBy(
    failures.filter((failure) => !isNamed(failure)),
    ({ error }) => error,
  )
  const title = t(($) => $.bulk.outcome, {
    updated: formatNumber(updated),
    failed: formatNumber(failures.length),
  })
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent title={title}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1) */}
        <ul tabIndex={0} className="flex max-h-80 flex-col gap-2 overflow-y-auto text-sm">
          {named.map(({ conversationId: id, error }) => (
            <Line key={id} error={error} who={known.get(id)?.customer?.name || t(($) => $.list.unnamed)} />
          ))}
          {[...rest].map(([error, { length }]) => (
            <Line key={error} error={error} who={t(($) => $.bulk.failedToo, { number: formatNumber(length) })} />
          ))}
        </ul>
      </DialogContent>
    </Dialog>
  )
}

function Line({ who, error }: { who: string; error: ErrorCode }) {
  return (
    <li>
      <span className="font-medium">{who}</span>
      <span className="text-muted-foreground"> · {describeCode(error)}</span>
    </li>
  )
}
