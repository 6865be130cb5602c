// A thin bar at the top while the code of the next page is on its way.
import { useNavigation } from 'react-router'
import { LAZY_SKELETON_DELAY_MS } from '#shared/limits.ts'
import { Delayed } from '#web/components/ui/delayed.tsx'

/** Appears after 150 ms. */
export function NavigationProgress() {
  const { state } = useNavigation()
  if (state === 'idle') return null
  return (
    <Delayed delayMs={LAZY_SKELETON_DELAY_MS}>
      <div className="fixed inset-x-0 top-0 z-50 h-0.5 overflow-hidden">
        <div className="h-full w-full origin-left animate-pulse bg-primary" />
      </div>
    </Delayed>
  )
}
