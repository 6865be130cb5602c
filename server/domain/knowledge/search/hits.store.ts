// SQL for the contents of hits. A chunk that is missing here is not shown, whatever the index says.
import type { Selectable } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { ChunksTable } from '#server/platform/db/tables/knowledge.ts'
import type { Id } from '#shared/ids.ts'
import type { ChunkPlace, SourceKind } from '#shared/knowledge/chunks.ts'
import { listHiddenAmong, type SearchedSpace } from './hidden-sources.store.ts'

export type Hit = ChunkPlace & {
  id: Id<'chunks'>
  spaceId: Id<'knowledgeSpaces'>
  sourceId: string
  sourceKind: SourceKind
  title: string
  headingPath: string[]
  body: string
  ordinal: number
  tokens: number
  contentHash: string
}

/**
 * Those of the chunks that exist in the spaces and are enabled there, by id. The SQL filters by id only: a database with few statistics,
 * like the embedded one, would read the whole space to find ten chunks of it.
 */
export async function listHits(
  ctx: OrgStoreContext,
  spaces: SearchedSpace[],
  chunkIds: Id<'chunks'>[],
): Promise<Map<Id<'chunks'>, Hit>> {
  if (chunkIds.length === 0 || spaces.length === 0) return new Map()
  const rows = await ctx.db
    .selectFrom('chunks')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', 'in', chunkIds)
    .where('is_enabled', '=', true)
    .selectAll()
    .orderBy('id')
    .execute()
  return new Map((await findable(ctx, rows, spaces)).map((row) => [row.id, toHit(row)]))
}

/** Those chunks that stand at the places, exist in the spaces and are enabled there. */
export async function listHitsAt(
  ctx: OrgStoreContext,
  spaces: SearchedSpace[],
  places: { sourceId: string; ordinal: number }[],
): Promise<Hit[]> {
  if (places.length === 0 || spaces.length === 0) return []
  const ordinals = Map.groupBy(places, (place) => place.sourceId)
  const rows = await ctx.db
    .selectFrom('chunks')
    .where('organization_id', '=', ctx.organizationId)
    .where(
      'knowledge_space_id',
      'in',
      spaces.map(({ id }) => id),
    )
    .where('is_enabled', '=', true)
    .where('source_id', 'in', [...ordinals.keys()])
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
  return (await findable(ctx, rows, spaces)).map(toHit)
}

/** How many chunks the sources of these have, by source. By the last place in each: counting a long document costs more than finding it. */
export async function countChunks(
  ctx: OrgStoreContext,
  hits: Pick<Hit, 'id' | 'sourceId'>[],
): Promise<Map<string, number>> {
  if (hits.length === 0) return new Map()
  const oneOfEach = new Map(hits.map((hit) => [hit.sourceId, hit.id]))
  const rows = await ctx.db
    .selectFrom('chunks as c')
    .where('c.organization_id', '=', ctx.organizationId)
    .where('c.id', 'in', [...oneOfEach.values()])
    .select((eb) => [
      'c.source_id',
      eb
        .selectFrom('chunks as last')
        .whereRef('last.source_id', '=', 'c.source_id')
        .where('last.organization_id', '=', ctx.organizationId)
        .whereRef('last.knowledge_space_id', '=', 'c.knowledge_space_id')
        .select((last) => last.fn.max('last.ordinal').as('ordinal'))
        .as('last'),
    ])
    .orderBy('c.id')
    .execute()
  return new Map(rows.map((row) => [row.source_id, Number(row.last ?? 0) + 1]))
}

type Row = Selectable<ChunksTable>

/** Applies the other limits to these alone: few hits are checked, and a space may have very many sources. */
async function findable(ctx: OrgStoreContext, rows: Row[], spaces: SearchedSpace[]): Promise<Row[]> {
  const found: Row[] = []
  for (const space of spaces) {
    const ofSpace = rows.filter(
      (row) => row.knowledge_space_id === space.id && !space.withoutKinds.includes(row.source_kind),
    )
    const sources = Map.groupBy(ofSpace, (row) => row.source_kind)
    const ids = Array.from(sources, ([kind, of]) => [kind, [...new Set(of.map((row) => row.source_id))]] as const)
    const hidden = await listHiddenAmong(ctx, space, ids)
    found.push(...ofSpace.filter((row) => !hidden.has(row.source_id)))
  }
  return found
}

function toHit(row: Selectable<ChunksTable>): Hit {
  return {
    id: row.id,
    spaceId: row.knowledge_space_id,
    sourceId: row.source_id,
    sourceKind: row.source_kind,
    title: row.title,
    headingPath: row.heading_path,
    body: row.body,
    ordinal: row.ordinal,
    page: row.page,
    lastPage: row.last_page,
    sheet: row.sheet,
    firstRow: row.first_row,
    lastRow: row.last_row,
    tokens: row.token_count,
    contentHash: row.content_hash,
  }
}
