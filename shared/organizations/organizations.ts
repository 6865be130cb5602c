// Organizations and their members: validation of input, and the shapes that clients receive.
import * as z from 'zod/mini'
import { modelName } from '#shared/agents/agent-settings.ts'
import type { Id } from '#shared/ids.ts'
import {
  NOTICE_MAX,
  ORGANIZATION_DISPLAY_NAME_MAX,
  ORGANIZATION_NAME_MAX,
  ORGANIZATION_NAME_MIN,
  PERSON_NAME_MAX,
  SPEND_LIMIT_MAX_USD,
  UNATTENDED_SECONDS_MAX,
  UNATTENDED_SECONDS_MIN,
} from '#shared/limits.ts'
import type { OrganizationRole } from './policy.ts'
import type { SupportAccess } from './support.ts'

const JOB_TITLE_MAX = 100
/** Characters of a person's bio. */
export const BIO_MAX = 1000
/** Characters of the address of a picture. */
const PICTURE_URL_MAX = 2000

const organizationName = z
  .string()
  .check(z.trim(), z.minLength(ORGANIZATION_NAME_MIN), z.maxLength(ORGANIZATION_NAME_MAX))
const displayName = z.string().check(z.trim(), z.maxLength(ORGANIZATION_DISPLAY_NAME_MAX))
const supportEmail = z.union([z.email(), z.literal('')])
/** A picture on the web, which is fetched and kept here, or one that is kept already; empty: none. */
const pictureUrl = z.union([
  z.url({ protocol: /^https?$/ }).check(z.maxLength(PICTURE_URL_MAX)),
  z.string().check(z.regex(/^\/files\/avatars\/[0-9a-v]{32}\.webp$/)),
  z.literal(''),
])

export const createOrganizationInput = z.strictObject({
  /** Name of the person, as typed in the first step of sign-up. */
  name: z.optional(z.string().check(z.trim(), z.maxLength(PERSON_NAME_MAX))),
  organizationName,
  organizationDisplayName: z.optional(displayName),
  organizationSupportEmail: z.optional(supportEmail),
  /** Where the person who makes it is; UTC when left out. */
  timeZone: z.optional(z.string().check(z.refine(isTimeZone))),
})

/** How colleagues see a person. `avatar`: served by this installation; null: none. `jobTitle`: empty when not given. */
export type Member = { _id: Id<'users'>; name: string; avatar: string | null; jobTitle: string }

/** What happens to messages beyond the plan's allowance: a text to the customer, an answer that costs extra, or a person. */
export const AT_LIMIT = ['stop', 'overage', 'handoff'] as const
export type AtLimit = (typeof AT_LIMIT)[number]

/** Settings of an organization. Empty texts: none. */
export const organizationSettings = z.strictObject({
  name: organizationName,
  displayName,
  logoUrl: pictureUrl,
  supportEmail,
  timeZone: z.string().check(z.refine(isTimeZone)),
  atLimit: z.enum(AT_LIMIT),
  /** Sent to customers at the limit; empty: the built-in text. */
  limitText: z.string().check(z.trim(), z.maxLength(NOTICE_MAX)),
  /** US dollars a calendar month; null: no limit. */
  monthlySpendLimitUsd: z.nullable(z.number().check(z.positive(), z.maximum(SPEND_LIMIT_MAX_USD))),
  /** How long a customer who was promised a person waits before they are notified that no operator is free; null: no notice. */
  unattendedAfterSeconds: z.nullable(
    z.number().check(z.int(), z.minimum(UNATTENDED_SECONDS_MIN), z.maximum(UNATTENDED_SECONDS_MAX)),
  ),
  /** The text of that notice; empty: the built-in text, with the hours if they are known. */
  unattendedText: z.string().check(z.trim(), z.maxLength(NOTICE_MAX)),
  /** Which model assists operators; empty: the agent's. */
  helperModel: z.union([modelName, z.literal('')]),
})
export type OrganizationSettings = z.infer<typeof organizationSettings>

export const updateOrganizationInput = z.strictObject({ patch: z.partial(organizationSettings) })

/** Whether a name is one of the IANA time zones. Offsets are not: they ignore daylight saving. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/** A member's profile, visible to colleagues. Empty texts: not given; time zone and language: the browser's. */
export const profileSettings = z.strictObject({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(PERSON_NAME_MAX)),
  jobTitle: z.string().check(z.trim(), z.maxLength(JOB_TITLE_MAX)),
  bio: z.string().check(z.trim(), z.maxLength(BIO_MAX)),
  language: z.enum(['', 'ru', 'en']),
  timeZone: z.union([z.string().check(z.refine(isTimeZone)), z.literal('')]),
  avatarUrl: pictureUrl,
})
export type ProfileSettings = z.infer<typeof profileSettings>

export const updateProfileInput = z.strictObject({ patch: z.partial(profileSettings) })

export const USER_ROLES = ['admin', 'user'] as const
/** Platform role. */
export type UserRole = (typeof USER_ROLES)[number]

/** Why members of an organization cannot work in it, in the words of an administrator of the installation. */
export type Suspension = { organizationId: Id<'organizations'>; organization: string; reason: string }

/** The caller, as `users:current` answers. */
export type CurrentUser = {
  _id: Id<'users'>
  email: string
  /** Whether the person has shown that they read what is sent to the address. */
  isEmailVerified: boolean
  name: string
  avatar: string | null
  jobTitle: string
  bio: string
  /** Empty: the browser's. */
  language: '' | 'ru' | 'en'
  timeZone: string
  role: UserRole
  organizationId: Id<'organizations'> | null
  /** What the caller may do in that organization; null without one. */
  organizationRole: OrganizationRole | null
  /** Plan of the organization; `starter` when it has none recorded for the user. */
  plan: string
  organization: Organization | null
  /** The organization waits for the caller to set up two-step sign-in; until then `organization` is null. */
  twoStepRequired: boolean
  /** The organization is suspended; until it is resumed `organization` is null. Null: it is not. */
  suspended: Suspension | null
  /** Administrators of the installation who act on behalf of the organization now, the caller too if they are one. */
  supportAccesses: SupportAccess[]
  /** Name of the organization that was deleted while the caller was a member; null: none, or they are in another. */
  removedOrganization: string | null
}

export type Organization = {
  _id: Id<'organizations'>
  name: string
  displayName: string | null
  /** Served by this installation; an external address until the picture there was fetched. */
  logoUrl: string | null
  supportEmail: string | null
  /** Slug of the plan; null shows as "parking". */
  plan: string | null
  /** Messages a month; null means unlimited. */
  monthlyLimit: number | null
  ownerId: Id<'users'>
  timeZone: string
  atLimit: AtLimit
  /** Empty: the built-in text. */
  limitText: string
  monthlySpendLimitUsd: number | null
  unattendedAfterSeconds: number | null
  /** Empty: the built-in text. */
  unattendedText: string
  /** Empty: the agent's. */
  helperModel: string
  /** Whether every member must use two-step sign-in. */
  requiresTwoStep: boolean
  /** How long a session may stay unused; null: as long as it lasts. */
  signOutAfterMinutes: number | null
  createdAt: number
}
