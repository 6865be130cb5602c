// SQL for what a search shows of its hits. A chunk that is not in here is not shown, whatever the index says.
import type { Selectable } from 'kysely'
import type { OrgStoreContext } from '#server/db/database.ts'
import type { ChunksTable } from '#server/db/tables/knowledge.ts'
import type { Id } from '#shared/ids.ts'
import type { SourceKind } from '#shared/knowledge.ts'

export type Hit = {
  id: Id<'chunks'>
  sourceId: string
  sourceKind: SourceKind
  title: string
  headingPath: string[]
  body: string
  ordinal: number
  page: number | null
  tokens: number
  contentHash: string
}

/** Those of the chunks that exist in the spaces and are enabled, by id. */
export async function listHits(
  ctx: OrgStoreContext,
  spaceIds: Id<'knowledgeSpaces'>[],
  chunkIds: Id<'chunks'>[],
): Promise<Map<Id<'chunks'>, Hit>> {
  if (chunkIds.length === 0) return new Map()
  const rows = await ctx.db
    .selectFrom('chunks')
    .where('organization_id', '=', ctx.organizationId)
    .where('knowledge_space_id', 'in', spaceIds)
    .where('id', 'in', chunkIds)
    .where('is_enabled', '=', true)
    .selectAll()
    .orderBy('id')
    .execute()
  return new Map(rows.map((row) => [row.id, toHit(row)]))
}

/** Those chunks that stand at the places, exist in the spaces and are enabled. */
export async function listHitsAt(
  ctx: OrgStoreContext,
  spaceIds: Id<'knowledgeSpaces'>[],
  places: { sourceId: string; ordinal: number }[],
): Promise<Hit[]> {
  if (places.length === 0) return []
  const ordinals = Map.groupBy(places, (place) => place.sourceId)
  const rows = await ctx.db
    .selectFrom('chunks')
    .where('organization_id', '=', ctx.organizationId)
    .where('knowledge_space_id', 'in', spaceIds)
    .where('source_id', 'in', [...ordinals.keys()])
    .where('is_enabled', '=', true)
    .where((eb) =>
      eb.or(
        Array.from(ordinals, ([sourceId, at]) =>
          eb.and([
            eb('source_id', '=', sourceId),
            eb(
              'ordinal',
              'in',
              at.map((place) => place.ordinal),
            ),
          ]),
        ),
      ),
    )
    .selectAll()
    .orderBy('id')
    .execute()
  return rows.map(toHit)
}

/** How many chunks each of the sources has. */
export async function countChunks(
  ctx: OrgStoreContext,
  spaceIds: Id<'knowledgeSpaces'>[],
  sourceIds: string[],
): Promise<Map<string, number>> {
  if (sourceIds.length === 0) return new Map()
  const rows = await ctx.db
    .selectFrom('chunks')
    .where('organization_id', '=', ctx.organizationId)
    .where('knowledge_space_id', 'in', spaceIds)
    .where('source_id', 'in', sourceIds)
    .select((eb) => ['source_id', eb.fn.countAll<string>().as('count')])
    .groupBy('source_id')
    .orderBy('source_id')
    .execute()
  return new Map(rows.map((row) => [row.source_id, Number(row.count)]))
}

function toHit(row: Selectable<ChunksTable>): Hit {
  return {
    id: row.id,
    sourceId: row.source_id,
    sourceKind: row.source_kind,
    title: row.title,
    headingPath: row.heading_path,
    body: row.body,
    ordinal: row.ordinal,
    page: row.page,
    tokens: row.token_count,
    contentHash: row.content_hash,
  }
}
