// Over every page: how far a change of many conversations is, the way to stop it, and what has failed of it.
import { Button } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Progress } from '#web/components/ui/progress.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { BulkFailures } from './bulk-failures.tsx'
import { cancelBulk, setBulkOutcome, useBulkWork } from './bulk-work.ts'

/** Work that takes longer shows how far it is, milliseconds. */
const SHOWN_AFTER_MS = 2000

/** Renders nothing unless a change is running or has failed. */
export function BulkProgress() {
  const { t } = useTranslation('conversations')
  const { progress, outcome, isCancelled } = useBulkWork()
  return (
    <>
      {progress && (
        <Delayed delayMs={SHOWN_AFTER_MS}>
          <section
            aria-label={t(($) => $.bulk.running)}
            className="flex items-center gap-3 border-border border-b bg-surface px-4 py-2 text-sm sm:px-6"
          >
            <span className="shrink-0 tabular-nums">
              {t(($) => $.bulk.progress, {
                done: formatNumber(progress.done),
                total: formatNumber(progress.total),
              })}
            </span>
            <Progress
              value={progress.done / progress.total}
              label={t(($) => $.bulk.running)}
              className="min-w-0 flex-1"
            />
            <Button size="sm" isBusy={isCancelled} onClick={() => cancelBulk()}>
              {t(($) => $.bulk.cancel)}
            </Button>
          </section>
        </Delayed>
      )}
      {outcome && <BulkFailures {...outcome} onClose={() => setBulkOutcome(null)} />}
    </>
  )
}
