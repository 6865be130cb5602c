// /admin/health: whether the installation works, and what to do where it does not.
import { RefreshCw } from 'lucide-react'
import { useCallback } from 'react'
import type { Health, StorageHealth } from '#shared/organizations/health.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { DateTime } from '#web/components/ui/date-time.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { AdminLayout } from '../admin-layout.tsx'
import { DeliveriesSection } from './deliveries-section.tsx'
import { MailSection } from './mail-section.tsx'
import { QuarantineSection } from './quarantine-section.tsx'
import { QueuesSection } from './queues-section.tsx'
import { ServersSection } from './servers-section.tsx'
import { StorageSection } from './storage-section.tsx'
import { Summary } from './summary.tsx'
import { usePolled } from './use-polled.ts'

const EVERY_MS = 10_000
/** Sizes change slowly and take a moment to measure. */
const STORAGE_EVERY_MS = 5 * 60_000

/** Renewed while it is looked at. What takes a moment comes on its own, so that the rest is there at once. */
export function HealthPage() {
  const { t } = useTranslation('admin')
  const get = useAction(api.admin.health.get, { hasToast: false })
  const measure = useAction(api.admin.health.storage, { hasToast: false })
  const health = usePolled<Health>(
    useCallback(() => get({}), [get]),
    EVERY_MS,
  )
  const storage = usePolled<StorageHealth>(
    useCallback(() => measure({}), [measure]),
    STORAGE_EVERY_MS,
  )
  const renewAll = () => {
    health.renew()
    storage.renew()
  }
  return (
    <AdminLayout
      tab="health"
      actions={
        <Button isForReading onClick={renewAll}>
          <RefreshCw aria-hidden="true" />
          {t(($) => $.health.refresh)}
        </Button>
      }
    >
      {health.failure !== null && (
        <Alert tone="destructive" title={t(($) => $.health.unread)}>
          {health.failure}
        </Alert>
      )}
      {health.result && (
        <Parts health={health.result} renew={health.renew} storageProblems={storage.result?.problems} />
      )}
      {!health.result && health.failure === null && (
        <Delayed>
          <Skeleton className="h-96" />
        </Delayed>
      )}
      <StorageSection storage={storage} />
    </AdminLayout>
  )
}

type PartsProps = { health: Health; renew: () => void; storageProblems: StorageHealth['problems'] | undefined }

function Parts({ health, renew, storageProblems }: PartsProps) {
  const { t } = useTranslation('admin')
  return (
    <>
      <div className="flex flex-col gap-2">
        <Summary problems={[...health.problems, ...(storageProblems ?? [])]} isWhole={storageProblems !== undefined} />
        <p className="text-[0.8125rem] text-muted-foreground">
          {t(($) => $.health.asOf)} <DateTime at={health.at} />
        </p>
      </div>
      <ServersSection health={health} />
      <QueuesSection health={health} onChange={renew} />
      <DeliveriesSection health={health} />
      <QuarantineSection health={health} onChange={renew} />
      <MailSection health={health} />
    </>
  )
}
