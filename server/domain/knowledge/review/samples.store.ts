// SQL for questions to begin with: what a space itself is about, by the names that people have given.
import { type SqlBool, sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** Chunks of one document among which headings are looked for. */
const CHUNKS_LOOKED_AT = 100

/** Each newest first, at most `limit`. */
export type Names = {
  notes: string[]
  /** Innermost headings of documents. */
  headings: string[]
  documents: string[]
}

/** Names of what a space holds and agents can find. */
export async function listNames(ctx: OrgStoreContext, spaceId: Id<'knowledgeSpaces'>, limit: number): Promise<Names> {
  const notes = await ctx.db
    .selectFrom('fragments')
    .where('organization_id', '=', ctx.organizationId)
    .where('knowledge_space_id', '=', spaceId)
    .select('name')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  const documents = await ctx.db
    .selectFrom('documents')
    .where('organization_id', '=', ctx.organizationId)
    .where('knowledge_space_id', '=', spaceId)
    .where('chunk_count', '>', 0)
    .select(['id', 'name'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return {
    notes: notes.map((row) => row.name),
    headings: await listHeadings(
      ctx,
      spaceId,
      documents.map(({ id }) => id),
      limit,
    ),
    documents: documents.map((row) => row.name),
  }
}

/** From the beginnings of the documents. */
async function listHeadings(
  ctx: OrgStoreContext,
  spaceId: Id<'knowledgeSpaces'>,
  documentIds: Id<'documents'>[],
  limit: number,
): Promise<string[]> {
  if (documentIds.length === 0) return []
  const rows = await ctx.db
    .selectFrom('chunks')
    .where('organization_id', '=', ctx.organizationId)
    .where('knowledge_space_id', '=', spaceId)
    .where('source_id', 'in', documentIds)
    .where('ordinal', '<', CHUNKS_LOOKED_AT)
    .where('is_enabled', '=', true)
    .where(sql<SqlBool>`jsonb_array_length(heading_path) > 0`)
    .select(sql<string>`heading_path ->> -1`.as('heading'))
    .orderBy('source_id', 'desc')
    .orderBy('ordinal')
    .limit(limit)
    .execute()
  return rows.map((row) => row.heading)
}
