// Pages for people who are not signed in.
import { useState } from 'react'
import { Navigate, Outlet, useSearchParams } from 'react-router'
import { safeReturnPath } from '#web/lib/paths.ts'
import { useSession } from '#web/lib/sign-in/session.tsx'

/**
 * People who arrive with a session go on to where they came from, or home. A session that begins here does not redirect:
 * sign-up still has to create the organization, so the pages navigate by themselves.
 */
export function GuestGuard() {
  const { status } = useSession()
  const [search] = useSearchParams()
  const [statusOnArrival, setStatusOnArrival] = useState(status)
  if (statusOnArrival === 'loading' && status !== 'loading') setStatusOnArrival(status)
  if (statusOnArrival === 'signedIn') return <Navigate to={safeReturnPath(search.get('from'))} replace />
  return <Outlet />
}
