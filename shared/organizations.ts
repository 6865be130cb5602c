// Organizations and the people in them: what may be entered, and what a client gets.
import * as z from 'zod/mini'
import type { Id } from './ids.ts'
import {
  ORGANIZATION_DISPLAY_NAME_MAX,
  ORGANIZATION_NAME_MAX,
  ORGANIZATION_NAME_MIN,
  PERSON_NAME_MAX,
} from './limits.ts'

export const createOrganizationInput = z.strictObject({
  /** Name of the person, as typed in the first step of sign-up. */
  name: z.optional(z.string().check(z.trim(), z.maxLength(PERSON_NAME_MAX))),
  organizationName: z.string().check(z.trim(), z.minLength(ORGANIZATION_NAME_MIN), z.maxLength(ORGANIZATION_NAME_MAX)),
  organizationDisplayName: z.optional(z.string().check(z.trim(), z.maxLength(ORGANIZATION_DISPLAY_NAME_MAX))),
  organizationSupportEmail: z.optional(z.union([z.email(), z.literal('')])),
})

/** What happens to messages beyond the plan's allowance: a text to the customer, an answer that costs extra, or a person. */
export type AtLimit = 'stop' | 'overage' | 'handoff'

export type UserRole = 'admin' | 'user'

/** The caller, as `users:current` answers. */
export type CurrentUser = {
  _id: Id<'users'>
  email: string
  name: string
  avatar: string | null
  role: UserRole
  organizationId: Id<'organizations'> | null
  /** Plan of the organization; `starter` when it has none recorded for the user. */
  plan: string
  organization: Organization | null
}

export type Organization = {
  _id: Id<'organizations'>
  name: string
  displayName: string | null
  logoUrl: string | null
  supportEmail: string | null
  /** Slug of the plan; null shows as "parking". */
  plan: string | null
  /** Messages a month; null means unlimited. */
  monthlyLimit: number | null
  ownerId: Id<'users'>
  timeZone: string
  createdAt: number
}
