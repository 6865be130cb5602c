// SQL for the answers of the API to requests that named themselves.
import type { JSONValue } from 'convex/values'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'

export type ApiStatus = 200 | 201 | 202
/** What the API has answered. */
export type ApiAnswer = { status: ApiStatus; body: JSONValue }
export type StoredRequest = { fingerprint: string; answer: ApiAnswer }

/** The answer to an earlier request of this name, if there was one. */
export async function findRequest(ctx: OrgStoreContext, key: string): Promise<StoredRequest | undefined> {
  const row = await ctx.db
    .selectFrom('api_requests')
    .where('organization_id', '=', ctx.organizationId)
    .where('key', '=', key)
    .select(['fingerprint', 'status', 'answer'])
    .executeTakeFirst()
  if (!row) return undefined
  const answer = { status: row.status as ApiStatus, body: row.answer.body as JSONValue }
  return { fingerprint: row.fingerprint, answer }
}

/** Keeps the answer, in the transaction that has carried the request out. */
export async function insertRequest(ctx: OrgStoreContext, key: string, request: StoredRequest): Promise<void> {
  const { fingerprint, answer } = request
  await ctx.db
    .insertInto('api_requests')
    .values({
      organization_id: ctx.organizationId,
      key,
      fingerprint,
      status: answer.status,
      answer: JSON.stringify({ body: answer.body }),
    })
    .execute()
}

/** Forgets answers that are older, in all organizations. */
export async function deleteRequests(ctx: StoreContext, before: Date): Promise<void> {
  await ctx.db.deleteFrom('api_requests').where('created_at', '<', before).execute()
}
