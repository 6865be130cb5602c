// Tokens by which programs use the organization's HTTP API. A token is shown once, when it is made.
import { orgAction, orgMutation, orgQuery } from '#server/functions/define.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { AppError } from '#shared/errors.ts'
import { API_TOKENS_MAX } from '#shared/limits.ts'
import { apiTokenInput, createApiTokenInput } from '#shared/organizations/api-tokens.ts'
import { API_SCOPES, DEFAULT_SCOPES } from '#shared/organizations/policy.ts'
import { noArgs } from '#shared/schema.ts'
import { newToken } from './tokens.rules.ts'
import * as store from './tokens.store.ts'

/** All tokens, newest first, without the tokens themselves. */
export const list = orgQuery({
  args: noArgs,
  handler: (ctx) => store.listTokens(ctx),
})

/**
 * Makes a token. An action, since outcomes of mutations are kept for clients that ask again: the token itself is kept nowhere.
 *
 * @throws too_many_tokens
 */
export const create = orgAction({
  args: createApiTokenInput,
  isAudited: true,
  handler: async (ctx, { name, scopes = DEFAULT_SCOPES }): Promise<{ token: string }> => {
    const { token, ...kept } = newToken()
    await ctx.write(async (write) => {
      if ((await store.countTokens(write)) >= API_TOKENS_MAX)
        throw new AppError('too_many_tokens', { max: API_TOKENS_MAX })
      const entry = {
        ...kept,
        id: newId('apiTokens'),
        name,
        scopes: API_SCOPES.filter((scope) => scopes.includes(scope)),
        createdBy: write.caller.userId,
      }
      await store.insertToken(write, entry, write.now)
      await write.audit({ resource: { kind: 'apiToken', id: entry.id, name }, after: { scopes: entry.scopes } })
    })
    return { token }
  },
})

/** Ends a token: it is refused from now on. @throws not_found */
export const revoke = orgMutation({
  args: apiTokenInput,
  isAudited: true,
  handler: async (ctx, { apiTokenId }) => {
    const { name, scopes } = await store.deleteToken(ctx, apiTokenId)
    await ctx.audit({ resource: { kind: 'apiToken', id: apiTokenId, name }, before: { scopes } })
    return null
  },
})
