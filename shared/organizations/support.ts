// An administrator of the installation who acts on behalf of an organization: for a reason, for a time, and seen by its members.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { id } from '#shared/schema.ts'

/** Characters of a reason that an administrator of the installation gives. */
export const ADMIN_REASON_MAX = 500
/** How long an access can last, minutes. */
export const SUPPORT_MINUTES = [15, 30, 60, 240] as const
export const DEFAULT_SUPPORT_MINUTES = 30

const organizationId = id('organizations')
/** Why an administrator of the installation does something that concerns others, who read it. */
export const reason = z.string().check(z.trim(), z.minLength(1), z.maxLength(ADMIN_REASON_MAX))

export const beginSupportInput = z.strictObject({
  organizationId,
  reason,
  minutes: z.optional(z.literal(SUPPORT_MINUTES)),
  /** Left out: what the members see, and nothing is changed. */
  mayWrite: z.optional(z.boolean()),
})
export const endSupportInput = z.strictObject({ accessId: id('supportAccesses') })
export const listSupportInput = z.strictObject({ organizationId })

/** An administrator in an organization. */
export type SupportAccess = {
  _id: Id<'supportAccesses'>
  /** Whose it is, as the members read it. */
  name: string
  reason: string
  /** Whether things can be changed. */
  mayWrite: boolean
  beganAt: number
  /** When it ends by itself. */
  endsAt: number
  /** When it was ended; null: it was not, or runs still. */
  endedAt: number | null
  /** Whether the caller acts by it. */
  isOwn: boolean
}
