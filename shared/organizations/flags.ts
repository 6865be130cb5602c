// Flags: what administrators of the installation switch off and on while it runs.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { id } from '#shared/schema.ts'

export const FLAG_KEY_MAX = 60
export const FLAG_DESCRIPTION_MAX = 500

/** `isOnByDefault`: where it was never set. `isForAll`: it has no exceptions for organizations. `readIn`: the file that obeys it. */
type Declaration = { isOnByDefault: boolean; isForAll: boolean; readIn: string }

/** Every flag that the program obeys. */
export const FLAGS = {
  mcp_tools: { isOnByDefault: true, isForAll: false, readIn: 'server/domain/mcp/mcp.http.ts' },
  new_channels: { isOnByDefault: true, isForAll: false, readIn: 'server/domain/channels/send-limits/slots.store.ts' },
  open_sign_up: { isOnByDefault: true, isForAll: true, readIn: 'server/app.ts' },
  voice: { isOnByDefault: true, isForAll: false, readIn: 'server/domain/messaging/replies/context/attachments.ts' },
  web_search: {
    isOnByDefault: true,
    isForAll: false,
    readIn: 'server/domain/knowledge/web-search/web-search.run.ts',
  },
} as const satisfies Record<string, Declaration>

export type FlagKey = keyof typeof FLAGS
/** Flags that hold for one organization: the installation's, or its exception. */
export type OrganizationFlag = Exclude<FlagKey, 'open_sign_up'>

const key = z.string().check(z.trim(), z.maxLength(FLAG_KEY_MAX))
const description = z.optional(z.string().check(z.trim(), z.maxLength(FLAG_DESCRIPTION_MAX)))

export const setFlagInput = z.strictObject({ key, enabled: z.boolean(), description })
export const setFlagOverrideInput = z.strictObject({
  key,
  organizationId: id('organizations'),
  enabled: z.nullable(z.boolean()),
})

/** A flag as administrators see it. */
export type Flag = {
  key: string
  description: string
  isEnabled: boolean
  /** Null: it was never set. */
  updatedAt: number | null
  /** Whether the program obeys it. */
  isUsed: boolean
  /** Whether it has no exceptions. */
  isForAll: boolean
  overrides: { organizationId: Id<'organizations'>; name: string; isEnabled: boolean }[]
}

/** Whether the program declares a flag. */
export function isDeclaredFlag(key: string): key is FlagKey {
  return Object.hasOwn(FLAGS, key)
}

/** What is wrong with the key of a flag; undefined: nothing. */
export function flagKeyFault(key: string): 'missing_flag_key' | 'invalid_flag_key' | undefined {
  if (key.trim() === '') return 'missing_flag_key'
  return /^[a-z0-9_]+$/.test(key.trim()) ? undefined : 'invalid_flag_key'
}
