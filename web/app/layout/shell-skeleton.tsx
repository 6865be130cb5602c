// The shape of the application frame while it is not known who is there.
import { OutageBanner } from '#web/components/outage-banner.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'

const ROWS = ['a', 'b', 'c', 'd', 'e', 'f']

/** Appears after 100 ms. */
export function ShellSkeleton() {
  return (
    <Delayed>
      <div className="flex min-h-dvh">
        <div className="hidden w-60 shrink-0 flex-col gap-3 border-border border-e p-4 lg:flex">
          <Skeleton className="mb-4 h-7 w-28" />
          {ROWS.map((row) => (
            <Skeleton key={row} className="h-7 w-full" />
          ))}
        </div>
        <div className="flex-1">
          <div className="flex h-14 items-center border-border border-b px-6">
            <Skeleton className="h-5 w-40" />
          </div>
          <OutageBanner />
          <PageSkeleton />
        </div>
      </div>
    </Delayed>
  )
}

/** The shape of a page that is being loaded. */
function PageSkeleton() {
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-col gap-6 px-4 py-6 sm:px-6 lg:px-8 lg:py-8">
      <Skeleton className="h-7 w-48" />
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {ROWS.map((row) => (
          <Skeleton key={row} className="h-32 rounded-xl" />
        ))}
      </div>
    </div>
  )
}
