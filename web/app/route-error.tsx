// Catches what a page throws while loading or rendering.
import { useEffect, useState } from 'react'
import { useRevalidator, useRouteError } from 'react-router'
import { boundaryKind, isOutage, isUnauthenticated } from '#web/lib/errors.ts'
import { refreshAuth } from '#web/lib/server/convex.ts'
import { untilDatabaseAnswers } from '#web/lib/server/database-health.ts'
import { BoundaryScreen } from './boundary-screen.tsx'

/**
 * The boundary screen that fits; a page refused as unauthenticated is tried once more with a new token, and one that an outage of the database
 * has stopped as soon as that is over.
 */
export function RouteError({ isInline = false }: { isInline?: boolean }) {
  const error = useRouteError()
  const hasRetried = useRetryAfterRefresh(error)
  useRetryAfterOutage(error)
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

function useRetryAfterOutage(error: unknown): void {
  const { revalidate } = useRevalidator()
  const isStopped = isOutage(error)
  useEffect(() => {
    if (!isStopped) return
    let isLeft = false
    void untilDatabaseAnswers().then(() => (isLeft ? undefined : revalidate()))
    return () => {
      isLeft = true
    }
  }, [isStopped, revalidate])
}
