// SQL of what a space keeps of work on its passages: what it learns by itself, up to where it was compared, whether anything in it is marked.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'

type SpaceId = Id<'knowledgeSpaces'>

/** What is made from a space by itself from now on. @throws AppError not_found */
export async function changeLearning(
  ctx: OrgStoreContext,
  id: SpaceId,
  patch: { learns_from_replies: boolean } | { generates_questions: boolean },
): Promise<void> {
  const changed = await ctx.db
    .updateTable('knowledge_spaces')
    .set(patch)
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!changed) throw new AppError('not_found')
}

/** The passages of a space were compared with each other as they were in this version of its index. */
export async function noteCompared(ctx: OrgStoreContext, id: SpaceId, version: number): Promise<void> {
  await sql`update knowledge_spaces set compared_version = ${version}::bigint, compared_at = now()
    where organization_id = ${ctx.organizationId} and id = ${id}`.execute(ctx.db)
}

/** Something in the space is marked: searches look at marks, and none goes on with what it knew. */
export async function noteMarks(ctx: OrgStoreContext, id: SpaceId): Promise<void> {
  await ctx.db
    .updateTable('knowledge_spaces')
    .set((eb) => ({ has_marks: true, index_version: eb('index_version', '+', 1) }))
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .execute()
}
