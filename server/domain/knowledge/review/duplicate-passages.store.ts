// SQL for passages of one space that are duplicates, or differ only in their figures.
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { KnowledgePair } from '#shared/knowledge/review.ts'
import { PAIRS_MAX } from '#shared/limits.ts'
import { noteCompared } from '../spaces/spaces.learning.store.ts'
import type { ComparedChunk, FoundPair } from './duplicate-passages.rules.ts'

type SpaceId = Id<'knowledgeSpaces'>
export type SpaceToCompare = { organizationId: Id<'organizations'>; knowledgeSpaceId: SpaceId; version: number }

/** Passages of a space that are compared: its newest. */
const CHUNKS_MAX = 5000
/** Logged questions by which pairs are ranked: the newest. */
const QUERIES_READ = 5000

/** Spaces of all organizations that have changed since they were compared, or have not been for a day. */
export async function listSpacesToCompare(ctx: StoreContext): Promise<SpaceToCompare[]> {
  const { rows } = await sql<SpaceToCompare>`
    select organization_id as "organizationId", id as "knowledgeSpaceId", index_version::float8 as version
    from knowledge_spaces
    where deleted_at is null and index_version > 0
      and (compared_version is distinct from index_version or compared_at < now() - interval '1 day')
    order by compared_at nulls first, id`.execute(ctx.db)
  return rows
}

/** What agents can find of the documents and notes of a space. Rows of tables are meant to differ by their figures. */
export async function listCompared(ctx: OrgStoreContext, spaceId: SpaceId): Promise<ComparedChunk[]> {
  const rows = await ctx.db
    .selectFrom('chunks')
    .where('organization_id', '=', ctx.organizationId)
    .where('knowledge_space_id', '=', spaceId)
    .where('is_enabled', '=', true)
    .where('source_kind', 'in', ['document', 'fragment'])
    .select(['id', 'source_kind', 'source_id', 'title', 'heading_path', 'body'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(CHUNKS_MAX)
    .execute()
  return rows.map((row) => ({
    chunkId: row.id,
    kind: row.source_kind === 'fragment' ? 'fragment' : 'document',
    documentId: row.source_id,
    name: row.title,
    headingPath: row.heading_path,
    body: row.body,
  }))
}

/** In which conversations each passage of a space was found, as far as that is logged. */
export async function listFoundIn(ctx: OrgStoreContext, spaceId: SpaceId): Promise<Map<string, Set<string>>> {
  const rows = await ctx.db
    .selectFrom('knowledge_queries')
    .where('organization_id', '=', ctx.organizationId)
    .where(sql<boolean>`space_ids @> ${JSON.stringify([spaceId])}::jsonb`)
    .select(['conversation_id', 'found'])
    .orderBy('asked_at', 'desc')
    .limit(QUERIES_READ)
    .execute()
  const foundIn = new Map<string, Set<string>>()
  for (const { conversation_id, found } of rows) {
    for (const { chunkId } of found) foundIn.set(chunkId, (foundIn.get(chunkId) ?? new Set()).add(conversation_id))
  }
  return foundIn
}

export type RankedPair = FoundPair & { conversations: number }

/** Replaces the stored pairs. A dismissed pair stays dismissed. */
export async function savePairs(ctx: OrgStoreContext, space: SpaceToCompare, pairs: RankedPair[]): Promise<void> {
  const { knowledgeSpaceId, version } = space
  await sql`delete from knowledge_pairs where organization_id = ${ctx.organizationId} and knowledge_space_id = ${knowledgeSpaceId}
    and not is_dismissed and key <> all(${pairs.map(({ key }) => key)}::text[])`.execute(ctx.db)
  await sql`insert into knowledge_pairs (id, organization_id, knowledge_space_id, kind, key, first_chunk_id, second_chunk_id,
      first, second, conversations)
    select distinct on (p.pair->>'key') p.id, ${ctx.organizationId}, ${knowledgeSpaceId}, p.pair->>'kind', p.pair->>'key',
      p.pair->'first'->>'chunkId', p.pair->'second'->>'chunkId', p.pair->'first', p.pair->'second', (p.pair->>'conversations')::int
    from unnest(${pairs.map(() => newId('knowledgePairs'))}::text[], ${pairs.map((pair) => JSON.stringify(pair))}::jsonb[])
      as p(id, pair)
    on conflict (knowledge_space_id, key) do update set first_chunk_id = excluded.first_chunk_id,
      second_chunk_id = excluded.second_chunk_id, first = excluded.first, second = excluded.second,
      conversations = excluded.conversations`.execute(ctx.db)
  await noteCompared(ctx, knowledgeSpaceId, version)
}

/** Pairs of which both passages can still be found as they were: what concerns most conversations first, contradictions before duplicates. */
export async function listPairs(ctx: OrgStoreContext, spaceId: SpaceId): Promise<KnowledgePair[]> {
  const rows = await ctx.db
    .selectFrom('knowledge_pairs as p')
    .innerJoin('chunks as a', (join) =>
      join
        .onRef('a.id', '=', 'p.first_chunk_id')
        .on('a.organization_id', '=', ctx.organizationId)
        .on('a.knowledge_space_id', '=', spaceId)
        .on('a.is_enabled', '=', true),
    )
    .innerJoin('chunks as b', (join) =>
      join
        .onRef('b.id', '=', 'p.second_chunk_id')
        .on('b.organization_id', '=', ctx.organizationId)
        .on('b.knowledge_space_id', '=', spaceId)
        .on('b.is_enabled', '=', true),
    )
    .where('p.organization_id', '=', ctx.organizationId)
    .where('p.knowledge_space_id', '=', spaceId)
    .where('p.is_dismissed', '=', false)
    .select(['p.id', 'p.kind', 'p.first', 'p.second', 'p.conversations'])
    .orderBy('p.conversations', 'desc')
    .orderBy('p.kind')
    .orderBy('p.id')
    .limit(PAIRS_MAX)
    .execute()
  return rows.map(({ id, ...pair }) => ({ _id: id, ...pair }))
}

/** The space of a pair. @throws AppError not_found */
export async function dismissPair(
  ctx: OrgStoreContext,
  id: Id<'knowledgePairs'>,
  isDismissed: boolean,
): Promise<SpaceId> {
  const row = await ctx.db
    .updateTable('knowledge_pairs')
    .set({ is_dismissed: isDismissed })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .returning('knowledge_space_id')
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row.knowledge_space_id
}
