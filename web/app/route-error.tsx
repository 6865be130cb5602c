// Catches what a page throws while loading or rendering.
import { useEffect, useState } from 'react'
import { useRevalidator, useRouteError } from 'react-router'
import { refreshAuth } from '#web/lib/convex.ts'
import { boundaryKind, isUnauthenticated } from '#web/lib/errors.ts'
import { BoundaryScreen } from './boundary-screen.tsx'

/** The boundary screen that fits; a page refused as unauthenticated is tried once more with a new token. */
export function RouteError({ isInline = false }: { isInline?: boolean }) {
  const error = useRouteError()
  const hasRetried = useRetryAfterRefresh(error)
  if (isUnauthenticated(error) && !hasRetried) return null
  return <BoundaryScreen kind={boundaryKind(error)} error={error} isInline={isInline} />
}

function useRetryAfterRefresh(error: unknown): boolean {
  const { revalidate } = useRevalidator()
  const [hasRetried, setRetried] = useState(false)
  const isRefused = isUnauthenticated(error)
  useEffect(() => {
    if (!isRefused || hasRetried) return
    // Revalidation renders the page again in place of this screen.
    void refreshAuth()
      .then(() => revalidate())
      .then(() => setRetried(true))
  }, [isRefused, hasRetried, revalidate])
  return hasRetried
}
