// SQL for looking through the documents of a space, however many they are.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { type Page, type PageOrder, paginate } from '#server/platform/functions/paginate.ts'
import type { Id } from '#shared/ids.ts'
import {
  type DocumentFilter,
  type DocumentSort,
  type KnowledgeDocument,
  searchKey,
} from '#shared/knowledge/knowledge.ts'
import type { PaginationOpts } from '#shared/schema.ts'
import { isSitePage, toDocument } from './documents.store.ts'

const ORDERS: Record<DocumentSort, PageOrder<'created_at' | 'name_key' | 'size_bytes' | 'id'>> = {
  newest: {
    by: [
      ['created_at', 'instant'],
      ['id', 'text'],
    ],
    direction: 'desc',
  },
  name: {
    by: [
      ['name_key', 'text'],
      ['id', 'text'],
    ],
    direction: 'asc',
  },
  largest: {
    by: [
      ['size_bytes', 'integer'],
      ['id', 'text'],
    ],
    direction: 'desc',
  },
}

/** One page of the documents that pass the filter. */
export function browseDocuments(
  ctx: OrgStoreContext,
  filter: DocumentFilter,
  sort: DocumentSort,
  opts: PaginationOpts,
): Promise<Page<KnowledgeDocument>> {
  const rows = matching(ctx, filter)
    .selectAll()
    .select((eb) => isSitePage(ctx, eb))
  return paginate(ctx, rows, opts, ORDERS[sort], toDocument)
}

/** How many documents pass the filter. */
export async function countDocuments(ctx: OrgStoreContext, filter: DocumentFilter): Promise<number> {
  const { count } = await matching(ctx, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** For each name the newest document that has it and was uploaded manually; null where there is none. */
export async function findNamed(
  ctx: OrgStoreContext,
  knowledgeSpaceId: Id<'knowledgeSpaces'>,
  names: string[],
): Promise<(Pick<KnowledgeDocument, '_id' | 'name'> | null)[]> {
  const keys = names.map(searchKey)
  if (keys.length === 0) return []
  const rows = await matching(ctx, { knowledgeSpaceId })
    .where('name_key', 'in', keys)
    .where('status', '<>', 'uploading')
    .select(['id', 'name', 'name_key'])
    .select((eb) => isSitePage(ctx, eb))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const newest = new Map(rows.filter((row) => !row.is_site_page).map((row) => [row.name_key, row]))
  return keys.map((key) => {
    const row = newest.get(key)
    return row ? { _id: row.id, name: row.name } : null
  })
}

function matching(ctx: OrgStoreContext, { knowledgeSpaceId, search, status }: DocumentFilter) {
  const all = ctx.db
    .selectFrom('documents')
    .where('organization_id', '=', ctx.organizationId)
    .where('knowledge_space_id', '=', knowledgeSpaceId)
  const ofStatus = status ? all.where('status', '=', status) : all
  const key = searchKey(search ?? '')
  return key ? ofStatus.where((eb) => eb(eb.fn<number>('strpos', ['name_key', eb.val(key)]), '>', 0)) : ofStatus
}
