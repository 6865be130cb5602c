// SQL for tokens of the API.
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { ApiToken } from '#shared/organizations/api-tokens.ts'
import type { ApiScope } from '#shared/organizations/policy.ts'

export type NewApiToken = {
  id: Id<'apiTokens'>
  name: string
  hash: string
  tail: string
  scopes: ApiScope[]
  createdBy: Id<'users'>
}

/** All tokens of the organization, newest first. */
export async function listTokens(ctx: OrgStoreContext): Promise<ApiToken[]> {
  const rows = await ctx.db
    .selectFrom('api_tokens')
    .leftJoin('users', 'users.id', 'api_tokens.created_by')
    .where('api_tokens.organization_id', '=', ctx.organizationId)
    .select([
      'api_tokens.id',
      'api_tokens.name',
      'api_tokens.token_tail',
      'api_tokens.scopes',
      'api_tokens.created_at',
      'api_tokens.last_used_at',
      'users.name as author',
    ])
    .orderBy('api_tokens.created_at', 'desc')
    .orderBy('api_tokens.id', 'desc')
    .execute()
  return rows.map((row) => ({
    _id: row.id,
    name: row.name,
    tail: row.token_tail,
    scopes: row.scopes,
    createdBy: row.author,
    createdAt: row.created_at.getTime(),
    lastUsedAt: row.last_used_at?.getTime() ?? null,
  }))
}

export async function countTokens(ctx: OrgStoreContext): Promise<number> {
  const row = await ctx.db
    .selectFrom('api_tokens')
    .where('organization_id', '=', ctx.organizationId)
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export async function insertToken(ctx: OrgStoreContext, token: NewApiToken, now: Date): Promise<void> {
  await ctx.db
    .insertInto('api_tokens')
    .values({
      id: token.id,
      organization_id: ctx.organizationId,
      name: token.name,
      token_hash: token.hash,
      token_tail: token.tail,
      scopes: token.scopes,
      created_by: token.createdBy,
      created_at: now,
      last_used_at: null,
      window_started_at: null,
    })
    .execute()
}

/** The token is refused from the commit on. @throws AppError not_found */
export async function deleteToken(
  ctx: OrgStoreContext,
  id: Id<'apiTokens'>,
): Promise<{ name: string; scopes: ApiScope[] }> {
  const deleted = await ctx.db
    .deleteFrom('api_tokens')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .returning(['name', 'scopes'])
    .executeTakeFirst()
  if (!deleted) throw new AppError('not_found')
  return deleted
}

export type TokenUse = {
  id: Id<'apiTokens'>
  /** Null: their account is gone. */
  createdBy: Id<'users'> | null
  organizationId: Id<'organizations'>
  scopes: ApiScope[]
  requests: number
  windowStartedAt: Date
}

/** Counts a request in the token's present window, or begins a new one. Undefined for a token that does not exist. */
export async function useToken(
  ctx: StoreContext,
  hash: string,
  { now, windowMs }: { now: Date; windowMs: number },
): Promise<TokenUse | undefined> {
  const windowBegan = new Date(now.getTime() - windowMs)
  const row = await ctx.db
    .updateTable('api_tokens')
    .set((eb) => {
      const isOpen = eb('window_started_at', '>', windowBegan)
      return {
        last_used_at: now,
        window_started_at: eb.case().when(isOpen).then(eb.ref('window_started_at')).else(now).end(),
        window_requests: eb
          .case()
          .when(isOpen)
          .then(eb('window_requests', '+', 1))
          .else(1)
          .end(),
      }
    })
    .where('token_hash', '=', hash)
    .returning(['id', 'created_by', 'organization_id', 'scopes', 'window_requests', 'window_started_at'])
    .executeTakeFirst()
  if (!row) return undefined
  const { organization_id: organizationId, window_requests: requests, window_started_at: windowStartedAt } = row
  const { id, created_by: createdBy, scopes } = row
  return { id, createdBy, organizationId, scopes, requests, windowStartedAt: windowStartedAt ?? now }
}
