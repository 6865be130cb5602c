// Tokens by which programs use the organization's HTTP API. A token is shown once, when it is made.
import { orgAction, orgMutation, orgQuery } from '#server/functions/define.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { AppError } from '#shared/errors.ts'
import { API_TOKENS_MAX } from '#shared/limits.ts'
import { apiTokenInput, createApiTokenInput } from '#shared/organizations/api-tokens.ts'
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
  handler: async (ctx, { name }): Promise<{ token: string }> => {
    const { token, ...kept } = newToken()
    await ctx.write(async (write) => {
      if ((await store.countTokens(write)) >= API_TOKENS_MAX)
        throw new AppError('too_many_tokens', { max: API_TOKENS_MAX })
      const entry = { ...kept, id: newId('apiTokens'), name, createdBy: write.caller.userId }
      await store.insertToken(write, entry, write.now)
    })
    return { token }
  },
})

/** Ends a token: it is refused from now on. @throws not_found */
export const revoke = orgMutation({
  args: apiTokenInput,
  handler: async (ctx, { apiTokenId }) => {
    await store.deleteToken(ctx, apiTokenId)
    return null
  },
})
