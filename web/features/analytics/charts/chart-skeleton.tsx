// What stands where a chart is about to be.
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'

/** As high as most charts. */
export function ChartSkeleton() {
  return (
    <Delayed>
      <Skeleton className="h-72 rounded-xl" />
    </Delayed>
  )
}
