// SQL for the work with tables of all spaces, as a tray shows it.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { TableStatus, TableWork } from '#shared/knowledge/tables.ts'
import { countUnlisted, ENDED_LISTED, UNFINISHED_LISTED } from '../documents/work.rules.ts'

/** Tables that are being analyzed or imported, newest first, and those that came to an end last. */
export async function listTableWork(ctx: OrgStoreContext): Promise<TableWork> {
  const going = work(ctx, ['uploaded', 'analyzing', 'importing'])
  const unfinished = await going.orderBy('knowledge_tables.created_at', 'desc').limit(UNFINISHED_LISTED).execute()
  const ended = await work(ctx, ['ready', 'error'])
    .orderBy('knowledge_tables.updated_at', 'desc')
    .limit(ENDED_LISTED)
    .execute()
  const unlisted = await countUnlisted(unfinished.length, () => countRows(going))
  return { unfinished: unfinished.map(toItem), unlisted, ended: ended.map(toItem) }
}

function work(ctx: OrgStoreContext, statuses: TableStatus[]) {
  return ctx.db
    .selectFrom('knowledge_tables')
    .innerJoin('knowledge_spaces', (join) =>
      join
        .onRef('knowledge_spaces.id', '=', 'knowledge_tables.knowledge_space_id')
        .on('knowledge_spaces.organization_id', '=', ctx.organizationId),
    )
    .where('knowledge_tables.organization_id', '=', ctx.organizationId)
    .where('knowledge_tables.status', 'in', statuses)
    .where('knowledge_spaces.deleted_at', 'is', null)
    .select([
      'knowledge_tables.id',
      'knowledge_tables.name',
      'knowledge_tables.status',
      'knowledge_tables.error_reason',
      'knowledge_spaces.slug',
    ])
    .select([
      'knowledge_tables.chunk_count',
      'knowledge_tables.ready_chunk_count',
      'knowledge_tables.failed_chunk_count',
    ])
}

async function countRows(query: ReturnType<typeof work>): Promise<number> {
  const { count } = await query
    .clearSelect()
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

type WorkRow = Awaited<ReturnType<ReturnType<typeof work>['executeTakeFirstOrThrow']>>

function toItem(row: WorkRow): TableWork['ended'][number] {
  return {
    _id: row.id,
    name: row.name,
    status: row.status,
    errorReason: row.error_reason,
    chunks: { total: row.chunk_count, ready: row.ready_chunk_count, failed: row.failed_chunk_count },
    spaceSlug: row.slug,
  }
}
