// A signed-in member of a chosen role, around what a test shows.
import type { ReactNode } from 'react'
import type { CurrentUser } from '#shared/organizations/organizations.ts'
import type { OrganizationRole } from '#shared/organizations/policy.ts'
import { CurrentUserProvider } from '#web/lib/sign-in/current-user.tsx'

/** Wraps `children` so that they see a member of this role. */
export function asRole(role: OrganizationRole | null, children: ReactNode) {
  const user = { _id: 'me', email: 'me@example.com', name: 'Me', organizationRole: role } as unknown as CurrentUser
  return <CurrentUserProvider user={user}>{children}</CurrentUserProvider>
}
