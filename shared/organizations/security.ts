// How people prove who they are: why a session ended, and what an organization demands of its members.
import * as z from 'zod/mini'

/** Why a session ended before it ran out; `expired`: it ran out; `admin`: an administrator of the installation has ended it. */
export type EndReason = 'inactive' | 'revoked' | 'password' | 'expired' | 'admin' | 'locked'

/** Minutes for which a session may stay unused, as screens offer them. */
export const SIGN_OUT_CHOICES = [15, 30, 60, 240, 480, 1440, 10_080, 43_200] as const
const SIGN_OUT_MIN = 15
const SIGN_OUT_MAX = 43_200

/** What an organization demands of its members. */
export const organizationSecurityInput = z.strictObject({
  patch: z.partial(
    z.strictObject({
      requiresTwoStep: z.boolean(),
      /** Null: as long as a session lasts. */
      signOutAfterMinutes: z.nullable(z.number().check(z.int(), z.minimum(SIGN_OUT_MIN), z.maximum(SIGN_OUT_MAX))),
    }),
  ),
})

/** Deleting an organization takes its name, and the password of accounts that have one. */
export const removeOrganizationInput = z.strictObject({
  name: z.string().check(z.maxLength(200)),
  password: z.optional(z.string().check(z.maxLength(500))),
})

/** What goes with an organization. */
export type RemovalCounts = {
  agents: number
  conversations: number
  customers: number
  documents: number
  connections: number
  members: number
}
