// The entries of the navigation that are of use to the signed-in member.
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'
import { mayAs } from '#web/lib/sign-in/permissions.tsx'
import type { NavItem } from './navigation.ts'

/** Returns a test for an entry: its page needs no right, or one that the member has. */
export function useIsUseful(): (item: NavItem) => boolean {
  const { organizationRole, role } = useCurrentUser()
  return ({ need, isForAdmins }) =>
    (need === undefined || mayAs(organizationRole, need)) && (!isForAdmins || role === 'admin')
}
