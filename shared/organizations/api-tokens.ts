// Tokens by which programs of an organization use its HTTP API.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { API_TOKEN_NAME_MAX } from '#shared/limits.ts'
import { id } from '#shared/schema.ts'
import { API_SCOPES, type ApiScope } from './policy.ts'

export const createApiTokenInput = z.strictObject({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(API_TOKEN_NAME_MAX)),
  /** Left out: all. */
  scopes: z.optional(z.array(z.enum(API_SCOPES)).check(z.minLength(1), z.maxLength(API_SCOPES.length))),
})
export const apiTokenInput = z.strictObject({ apiTokenId: id('apiTokens') })

/** A token in a list: never the token itself. */
export type ApiToken = {
  _id: Id<'apiTokens'>
  name: string
  /** Its last characters. */
  tail: string
  scopes: ApiScope[]
  /** Name of the creator; null when the account is gone. */
  createdBy: string | null
  createdAt: number
  lastUsedAt: number | null
}
