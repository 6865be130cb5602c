// Over every page: a change of many conversations that is under way, or has failed in part. Loaded when there is one.
import { lazy, Suspense, useEffect } from 'react'
import { forgetBulk, useBulkWork } from '#web/features/conversations/bulk/bulk-work.ts'
import { loadTexts } from '#web/lib/i18n.ts'

const BulkProgress = lazy(async () => {
  const [{ BulkProgress }] = await Promise.all([
    import('#web/features/conversations/bulk/bulk-progress.tsx'),
    loadTexts('conversations'),
  ])
  return { default: BulkProgress }
})

export function BulkWatcher() {
  const { progress, outcome } = useBulkWork()
  useEffect(() => forgetBulk, []) // the frame goes with whoever worked in it
  if (!progress && !outcome) return null
  return (
    <Suspense>
      <BulkProgress />
    </Suspense>
  )
}
