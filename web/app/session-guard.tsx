// Lets only signed-in people of an organization through.
import { lazy, Suspense, useState } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import type { CurrentUser } from '#shared/organizations/organizations.ts'
import { paths, signInPath } from '#web/lib/paths.ts'
import { Refusal } from '#web/lib/refusal.ts'
import { useIsDatabaseDown } from '#web/lib/server/database-health.ts'
import { CurrentUserProvider, useLoadedUser } from '#web/lib/sign-in/current-user.tsx'
import { useOwnSettings } from '#web/lib/sign-in/own-settings.ts'
import { useSession } from '#web/lib/sign-in/session.tsx'
import { useActivity } from '#web/lib/sign-in/use-activity.ts'
import { BoundaryScreen } from './boundary-screen.tsx'
import { ShellSkeleton } from './layout/shell-skeleton.tsx'
import { WorkplaceGuard } from './workplace-guard.tsx'

const KeptOut = lazy(() => import('./kept-out.tsx').then((module) => ({ default: module.KeptOut })))

/** Signed out: to the sign-in page, which remembers where one was. */
export function SessionGuard() {
  const session = useSession()
  const location = useLocation()
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
  const error = isDown ? new Refusal('database_unavailable') : new TypeError('Failed to fetch')
  return <BoundaryScreen kind={isDown ? 'database' : 'network'} error={error} hasBack={false} />
}

function SignedIn() {
  const user = useLoadedUser()
  useActivity()
  // Once it is on, the recovery codes are still to be saved.
  const [isHeld, setHeld] = useState(false)
  if (!user) return <ShellSkeleton />
  return <Known user={user} isSettingUp={user.twoStepRequired || isHeld} onHold={setHeld} />
}

type KnownProps = { user: CurrentUser; isSettingUp: boolean; onHold: (isHeld: boolean) => void }

/** Drawn again from the beginning when the person's time zone changes: moments are everywhere. */
function Known({ user, isSettingUp, onHold }: KnownProps) {
  useOwnSettings(user)
  return (
    <CurrentUserProvider key={user.timeZone} user={user}>
      <Suspense fallback={<ShellSkeleton />}>
        {isSettingUp || user.suspended ? (
          <KeptOut user={user} onHold={onHold} />
        ) : (
          <WorkplaceGuard>
            <Outlet />
          </WorkplaceGuard>
        )}
      </Suspense>
    </CurrentUserProvider>
  )
}
