// The record of the last answer, in place.
import type { Id } from '#shared/ids.ts'
import { api } from '#web/api.ts'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { WhyRecord } from '#web/components/why/why-record.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { useModelLabel } from '#web/lib/use-model-label.ts'

/** `turnId`: the last turn of the chat; undefined before the first. */
export function DiagnosticsGroup({ turnId }: { turnId: Id<'turns'> | undefined }) {
  const { t } = useTranslation('test-chat')
  const modelLabel = useModelLabel()
  const trace = useQuery(api.testChat.why, turnId ? { turnId } : 'skip')
  if (!turnId) return <p className="text-muted-foreground text-sm">{t(($) => $.diagnostics.none)}</p>
  if (trace === undefined) {
    return (
      <Delayed>
        <Skeleton className="h-40" />
      </Delayed>
    )
  }
  if (trace === null) return <p className="text-muted-foreground text-sm">{t(($) => $.diagnostics.notYet)}</p>
  return <WhyRecord trace={trace} modelLabel={modelLabel} />
}
