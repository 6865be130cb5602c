// Lets only signed-in people of an organization through.
import { lazy, Suspense, useEffect } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { AppError } from '#shared/errors.ts'
import { SESSION_EXPIRED_TOAST_MS } from '#shared/limits.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths, signInPath } from '#web/lib/paths.ts'
import { useIsDatabaseDown } from '#web/lib/server/database-health.ts'
import { CurrentUserProvider, useLoadedUser } from '#web/lib/sign-in/current-user.tsx'
import { useSession } from '#web/lib/sign-in/session.tsx'
import { toast } from '#web/lib/toast.ts'
import { BoundaryScreen } from './boundary-screen.tsx'
import { ShellSkeleton } from './layout/shell-skeleton.tsx'

const CreateOrganizationPage = lazy(() =>
  import('./create-organization-page.tsx').then((module) => ({ default: module.CreateOrganizationPage })),
)

/** Signed out: to the sign-in page, which remembers where one was. */
export function SessionGuard() {
  const session = useSession()
  const location = useLocation()
  useExpiryToast(session.status === 'signedOut' && session.cause === 'expired')
  switch (session.status) {
    case 'loading':
      return <ShellSkeleton />
    case 'signedOut':
      return (
        <Navigate
          to={session.cause === 'asked' ? paths.signIn : signInPath(location.pathname + location.search)}
          replace
        />
      )
    case 'unreachable':
      return <Unreachable />
    case 'signedIn':
      return <SignedIn />
    default:
      return session satisfies never
  }
}

/** Goes on by itself when the server is there again. */
function Unreachable() {
  const isDown = useIsDatabaseDown()
  const error = isDown ? new AppError('database_unavailable') : new TypeError('Failed to fetch')
  return <BoundaryScreen kind={isDown ? 'database' : 'network'} error={error} hasBack={false} />
}

function SignedIn() {
  const user = useLoadedUser()
  if (!user) return <ShellSkeleton />
  return (
    <CurrentUserProvider user={user}>
      <Suspense fallback={<ShellSkeleton />}>{user.organization ? <Outlet /> : <CreateOrganizationPage />}</Suspense>
    </CurrentUserProvider>
  )
}

function useExpiryToast(isExpired: boolean): void {
  const { t } = useTranslation()
  useEffect(() => {
    if (!isExpired) return
    toast.error(
      t(($) => $.session.expired),
      { id: 'session-expired', durationMs: SESSION_EXPIRED_TOAST_MS },
    )
  }, [isExpired, t])
}
