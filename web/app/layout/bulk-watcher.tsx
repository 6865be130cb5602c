// Above every page: a bulk change of conversations that is running, or has partly failed. Loaded when there is one.
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
  useEffect(() => forgetBulk, []) // the frame unmounts on sign-out
  if (!progress && !outcome) return null
  return (
    <Suspense>
      <BulkProgress />
    </Suspense>
  )
}
