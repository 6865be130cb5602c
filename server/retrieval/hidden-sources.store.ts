// SQL for the documents, notes and tables that a search may not find: out of their time, or without a tag that the agent is kept to.
import { type SqlBool, sql } from 'kysely'
import type { OrgStoreContext } from '#server/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** `tags`: one of these is wanted of every source; none: any source will do. */
export type TaggedSpace = { id: Id<'knowledgeSpaces'>; tags: readonly string[] }

const TABLES = ['documents', 'fragments', 'tables'] as const

/** Ids of sources, by space. */
export async function listHiddenSources(
  ctx: OrgStoreContext,
  spaces: TaggedSpace[],
  now: Date,
): Promise<Map<TaggedSpace['id'], string[]>> {
  if (spaces.length === 0) return new Map()
  const found: { id: string; knowledge_space_id: TaggedSpace['id'] }[][] = []
  for (const table of TABLES) found.push(await hiddenIn(ctx, table, spaces, now))
  const bySpace = Map.groupBy(found.flat(), (row) => row.knowledge_space_id)
  return new Map(Array.from(bySpace, ([space, rows]) => [space, rows.map((row) => row.id)]))
}

function hiddenIn(ctx: OrgStoreContext, table: (typeof TABLES)[number], spaces: TaggedSpace[], now: Date) {
  return ctx.db
    .selectFrom(table)
    .where('organization_id', '=', ctx.organizationId)
    .where(
      'knowledge_space_id',
      'in',
      spaces.map(({ id }) => id),
    )
    .where((eb) =>
      eb.or([
        eb('valid_from', '>', now),
        eb('valid_until', '<=', now),
        ...spaces
          .filter(({ tags }) => tags.length > 0)
          .map(({ id, tags }) => eb.and([eb('knowledge_space_id', '=', id), eb.not(sharesTag(tags))])),
      ]),
    )
    .select(['id', 'knowledge_space_id'])
    .orderBy('id')
    .execute()
}

function sharesTag(tags: readonly string[]) {
  return sql<SqlBool>`exists (select from jsonb_array_elements_text(tags) as tag(name)
    where name in (${sql.join(tags)}))`
}
