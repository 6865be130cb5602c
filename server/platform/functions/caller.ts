// Who calls a public function.
import type { Id } from '#shared/ids.ts'
import type { UserRole } from '#shared/organizations/organizations.ts'

/** Who calls. Read from the database on every call, never from the token's claims. */
export type Caller = {
  userId: Id<'users'>
  sessionId: Id<'sessions'>
  email: string
  name: string
  role: UserRole
  organizationId: Id<'organizations'> | null
}
