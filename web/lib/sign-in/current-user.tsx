// The signed-in user and their organization.
import { createContext, type ReactNode, use, useEffect, useRef } from 'react'
import type { CurrentUser, Organization } from '#shared/organizations/organizations.ts'
import { api } from '#web/api.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'

const CurrentUserContext = createContext<CurrentUser | null>(null)

/** The user record, live; undefined while loading. A missing record is created. For the session guard only. */
export function useLoadedUser(): CurrentUser | undefined {
  const user: CurrentUser | null | undefined = useQuery(api.users.current, {})
  const ensure = useMutation(api.users.ensure)
  const hasAsked = useRef(false)
  useEffect(() => {
    if (user !== null || hasAsked.current) return
    hasAsked.current = true
    ensure({}).catch(() => {
      hasAsked.current = false // reported in a toast; the next change of the query retries
    })
  }, [user, ensure])
  return user ?? undefined
}

/** Provides the user to everything below. */
export function CurrentUserProvider({ user, children }: { user: CurrentUser; children: ReactNode }) {
  return <CurrentUserContext value={user}>{children}</CurrentUserContext>
}

/** The signed-in user. Only on protected pages. */
export function useCurrentUser(): CurrentUser {
  const user = use(CurrentUserContext)
  if (!user) throw new Error('useCurrentUser is for pages behind the session guard')
  return user
}

/** The organization of the signed-in user. Only on protected pages, which are shown once it exists. */
export function useOrganization(): Organization {
  const { organization } = useCurrentUser()
  if (!organization) throw new Error('useOrganization is for pages behind the session guard')
  return organization
}
