// Who calls a public function.
import type { Id } from '#shared/ids.ts'
import type { Suspension, UserRole } from '#shared/organizations/organizations.ts'
import type { OrganizationRole } from '#shared/organizations/policy.ts'

/** Who calls. Read from the database on every call, never from the token's claims. */
export type Caller = {
  userId: Id<'users'>
  sessionId: Id<'sessions'>
  email: string
  name: string
  role: UserRole
  /** Null also while `lacksTwoStep` or `suspended`. */
  organizationId: Id<'organizations'> | null
  /** What the person may do in that organization; null without one. */
  organizationRole: OrganizationRole | null
  /** The organization demands two-step sign-in, which the person has not set up. */
  lacksTwoStep: boolean
  /** The organization is suspended; null: it is not. */
  suspended: Suspension | null
  /** Set while an administrator of the installation acts on behalf of that organization: they are no member. */
  support: SupportGrant | null
}

/** By what an administrator acts on behalf of an organization. */
export type SupportGrant = { accessId: Id<'supportAccesses'>; mayWrite: boolean; reason: string }
