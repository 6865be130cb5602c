// SQL for what a search shows of its hits. A chunk that is not in here is not shown, whatever the index says.
import { type Selectable, type SqlBool, sql } from 'kysely'
import type { OrgStoreContext } from '#server/db/database.ts'
import type { ChunksTable } from '#server/db/tables/knowledge.ts'
import type { ChunkPlace } from '#shared/chunks.ts'
import type { Id } from '#shared/ids.ts'
import type { SourceKind } from '#shared/knowledge.ts'

/** A space to be searched, except for chunks of these kinds and of these sources. */
export type SearchedSpace = {
  id: Id<'knowledgeSpaces'>
  withoutKinds: readonly SourceKind[]
  withoutSources: ReadonlySet<string>
}

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
 * The chunks of a space that are not to be found in it, of which there are some. Sources go in one parameter: a tag may hide more of
 * them than a statement can have parameters.
 */
export async function listHiddenIds(
  ctx: OrgStoreContext,
  { id, withoutKinds, withoutSources }: SearchedSpace,
): Promise<Set<Id<'chunks'>>> {
  const rows = await ctx.db
    .selectFrom('chunks')
    .where('organization_id', '=', ctx.organizationId)
    .where('knowledge_space_id', '=', id)
    .where((eb) =>
      eb.or([
        ...(withoutKinds.length > 0 ? [eb('source_kind', 'in', withoutKinds)] : []),
        ...(withoutSources.size > 0 ? [sql<SqlBool>`source_id = any (${[...withoutSources]}::text[])`] : []),
      ]),
    )
    .select('id')
    .orderBy('id')
    .execute()
  return new Set(rows.map((row) => row.id))
}

/**
 * Those of the chunks that exist in the spaces and are enabled there, by id. Only the ids are asked for in SQL: a database that knows
 * little of its tables, as the embedded one does, would read the whole space to find ten chunks of it.
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
  return new Map(findable(rows, spaces).map((row) => [row.id, toHit(row)]))
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
  return findable(rows, spaces).map(toHit)
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

function findable(rows: Selectable<ChunksTable>[], spaces: SearchedSpace[]): Selectable<ChunksTable>[] {
  const searched = new Map(spaces.map((space) => [space.id, space]))
  return rows.filter((row) => {
    const space = searched.get(row.knowledge_space_id)
    return space && !space.withoutKinds.includes(row.source_kind) && !space.withoutSources.has(row.source_id)
  })
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
