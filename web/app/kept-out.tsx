// For who is kept out of their organization: while it is suspended, and until they have set up the second step that it demands.
import { Outlet, useLocation } from 'react-router'
import type { CurrentUser } from '#shared/organizations/organizations.ts'
import { paths } from '#web/lib/paths.ts'
import { RequiredTwoStepPage } from './required-two-step-page.tsx'
import { SuspendedPage } from './suspended-page.tsx'

type KeptOutProps = { user: CurrentUser; onHold: (isHeld: boolean) => void }

/** Administrators of the installation reach its administration whatever has become of their own organization. */
export function KeptOut({ user: { role, suspended }, onHold }: KeptOutProps) {
  const { pathname } = useLocation()
  if (!suspended) return <RequiredTwoStepPage onHold={onHold} />
  return role === 'admin' && pathname.startsWith(paths.admin) ? <Outlet /> : <SuspendedPage suspended={suspended} />
}
