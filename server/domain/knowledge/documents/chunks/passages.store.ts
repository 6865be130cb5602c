// SQL that compares the passage size of documents with the setting of their space.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

type SpaceId = Id<'knowledgeSpaces'>

/** How many documents of a space have chunks from before its setting changed, including those being recut. */
export async function countOtherwiseCut(ctx: OrgStoreContext, spaceId: SpaceId): Promise<number> {
  const { count } = await otherwiseCut(ctx, spaceId)
    .where('documents.status', 'in', ['ready', 'processing'])
    .where('documents.chunk_count', '>', 0)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Queues some of them for processing; until then their current chunks are found. @returns which */
export async function takeOtherwiseCut(
  ctx: OrgStoreContext,
  spaceId: SpaceId,
  { limit, now }: { limit: number; now: Date },
): Promise<Id<'documents'>[]> {
  const some = await otherwiseCut(ctx, spaceId)
    .where('documents.status', '=', 'ready')
    .select('documents.id')
    .orderBy('documents.id')
    .limit(limit)
    .forUpdate('documents')
    .execute()
  const ids = some.map(({ id }) => id)
  if (ids.length === 0) return []
  await ctx.db
    .updateTable('documents')
    .set({ status: 'processing', progress: 0, heartbeat_at: null, updated_at: now })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', 'in', ids)
    .execute()
  return ids
}

/** Whether one of these documents is still being processed. */
export async function isAnyProcessed(ctx: OrgStoreContext, ids: Id<'documents'>[]): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('documents')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', 'in', ids)
    .where('status', '=', 'processing')
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

function otherwiseCut(ctx: OrgStoreContext, spaceId: SpaceId) {
  return ctx.db
    .selectFrom('documents')
    .innerJoin('knowledge_spaces as space', (join) =>
      join.onRef('space.id', '=', 'documents.knowledge_space_id').on('space.organization_id', '=', ctx.organizationId),
    )
    .where('documents.organization_id', '=', ctx.organizationId)
    .where('documents.knowledge_space_id', '=', spaceId)
    .where('space.deleted_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('documents.passage_length', '<>', eb.ref('space.passage_length')),
        eb('documents.passage_overlap', '<>', eb.ref('space.passage_overlap')),
      ]),
    )
}
