// SQL for the vectors of chunks: missing and stored ones. Which model serves a space is in space-models.store.ts.
import { type SqlBool, sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

type SpaceId = Id<'knowledgeSpaces'>
export type PendingChunk = {
  id: Id<'chunks'>
  title: string
  headingPath: string[]
  body: string
  alsoAskedAs: string[]
  contentHash: string
}
/** A question that a model has written for a chunk; `number` counts from 1. */
export type PendingQuestion = { chunkId: Id<'chunks'>; number: number; question: string; contentHash: string }
/** `number`: 0 for the chunk itself, n for the nth of its questions. */
export type VectorKey = { chunkId: Id<'chunks'>; number: number; contentHash: string }
/** `length`: dimensions. */
export type KeptVector = VectorKey & { length: number }

/** Spaces of all organizations in which chunks or their questions lack a vector of the model, or that are searched by another; not those that decline it. */
export async function listSpacesToEmbed(
  ctx: StoreContext,
  model: string,
): Promise<{ organizationId: Id<'organizations'>; knowledgeSpaceId: SpaceId }[]> {
  const rows = await ctx.db
    .selectFrom('knowledge_spaces as s')
    .where('s.declined_embedding_model', 'is distinct from', model)
    .where((eb) =>
      eb.or([
        eb('s.embedding_model', 'is distinct from', model),
        eb('s.next_embedding_model', 'is not', null),
        eb.exists(
          eb
            .selectFrom('chunks as c')
            .leftJoin('chunk_vectors as v', (join) =>
              join
                .onRef('v.organization_id', '=', 'c.organization_id')
                .onRef('v.chunk_id', '=', 'c.id')
                .onRef('v.content_hash', '=', 'c.content_hash')
                .on('v.model', '=', model)
                .on('v.question_number', '=', 0),
            )
            .whereRef('c.organization_id', '=', 's.organization_id')
            .whereRef('c.knowledge_space_id', '=', 's.id')
            .where('c.is_enabled', '=', true)
            .where('v.chunk_id', 'is', null)
            .select('c.id'),
        ),
        eb.exists(
          eb
            .selectFrom('chunks as c')
            .whereRef('c.organization_id', '=', 's.organization_id')
            .whereRef('c.knowledge_space_id', '=', 's.id')
            .where('c.is_enabled', '=', true)
            .where(lacksQuestion(model))
            .select('c.id'),
        ),
      ]),
    )
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('chunks as any')
          .whereRef('any.organization_id', '=', 's.organization_id')
          .whereRef('any.knowledge_space_id', '=', 's.id')
          .select('any.id'),
      ),
    )
    .select(['s.organization_id', 's.id'])
    .orderBy('s.id')
    .execute()
  return rows.map((row) => ({ organizationId: row.organization_id, knowledgeSpaceId: row.id }))
}

/** Enabled chunks without a vector of the model, or with one of another text. */
export async function listPending(
  ctx: OrgStoreContext,
  spaceId: SpaceId,
  model: string,
  most: number,
): Promise<PendingChunk[]> {
  const rows = await ctx.db
    .selectFrom('chunks as c')
    .leftJoin('chunk_vectors as v', (join) =>
      join
        .onRef('v.chunk_id', '=', 'c.id')
        .onRef('v.content_hash', '=', 'c.content_hash')
        .on('v.model', '=', model)
        .on('v.question_number', '=', 0)
        .on('v.organization_id', '=', ctx.organizationId),
    )
    .where('c.organization_id', '=', ctx.organizationId)
    .where('c.knowledge_space_id', '=', spaceId)
    .where('c.is_enabled', '=', true)
    .where('v.chunk_id', 'is', null)
    .select(['c.id', 'c.title', 'c.heading_path', 'c.body', 'c.also_asked_as', 'c.content_hash'])
    .orderBy('c.id')
    .limit(most)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    headingPath: row.heading_path,
    body: row.body,
    alsoAskedAs: row.also_asked_as,
    contentHash: row.content_hash,
  }))
}

/** Questions of enabled chunks without a vector of the model, or with one of another question. */
export async function listPendingQuestions(
  ctx: OrgStoreContext,
  spaceId: SpaceId,
  model: string,
  most: number,
): Promise<PendingQuestion[]> {
  const result = await sql<PendingQuestion>`
    select c.id as "chunkId", q.number::int as number, q.question, md5(q.question) as "contentHash"
    from chunks c cross join lateral jsonb_array_elements_text(c.generated_questions) with ordinality as q(question, number)
    left join chunk_vectors v on v.organization_id = c.organization_id and v.chunk_id = c.id and v.model = ${model}
      and v.question_number = q.number and v.content_hash = md5(q.question)
    where c.organization_id = ${ctx.organizationId} and c.knowledge_space_id = ${spaceId} and c.is_enabled and v.chunk_id is null
    order by c.id, q.number limit ${most}::int`.execute(ctx.db)
  return result.rows
}

/** Keeps vectors of chunks that still exist; one of the same text and model is replaced. */
export async function saveVectors(
  ctx: OrgStoreContext,
  spaceId: SpaceId,
  model: string,
  given: (VectorKey & { vector: Int8Array })[],
): Promise<void> {
  const ids = given.map((each) => each.chunkId)
  const living = await ctx.db
    .selectFrom('chunks')
    .where('organization_id', '=', ctx.organizationId)
    .where('knowledge_space_id', '=', spaceId)
    .where('id', 'in', ids)
    .select('id')
    .orderBy('id')
    .forUpdate()
    .execute()
  const isLiving = new Set(living.map((row) => row.id))
  const rows = given.filter((each) => isLiving.has(each.chunkId))
  if (rows.length === 0) return
  const made = rows.find(({ vector }) => vector.length > 0) // a text that the model did not take has an empty one
  if (made) await dropOtherLengths(ctx, { spaceId, model, length: made.vector.length })
  await ctx.db
    .insertInto('chunk_vectors')
    .values(
      rows.map(({ chunkId, number, contentHash, vector }) => ({
        organization_id: ctx.organizationId,
        knowledge_space_id: spaceId,
        chunk_id: chunkId,
        model,
        question_number: number,
        content_hash: contentHash,
        vector: new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['chunk_id', 'model', 'question_number']).doUpdateSet((eb) => ({
        content_hash: eb.ref('excluded.content_hash'),
        vector: eb.ref('excluded.vector'),
      })),
    )
    .execute()
}

/**
 * An endpoint that answers under one name with vectors of another length has become another model: its earlier vectors are not comparable
 * any more, and are recomputed; its trust is measured again. All vectors of a space have one length, so one of them tells.
 */
async function dropOtherLengths(
  ctx: OrgStoreContext,
  { spaceId, model, length }: { spaceId: SpaceId; model: string; length: number },
): Promise<void> {
  const known = await ctx.db
    .selectFrom('chunk_vectors')
    .where('organization_id', '=', ctx.organizationId)
    .where('knowledge_space_id', '=', spaceId)
    .where('model', '=', model)
    .where(sql<SqlBool>`octet_length(vector) > 0`)
    .select(sql<number>`octet_length(vector)`.as('length'))
    .limit(1)
    .executeTakeFirst()
  if (!known || known.length === length) return
  await ctx.db
    .deleteFrom('chunk_vectors')
    .where('organization_id', '=', ctx.organizationId)
    .where('knowledge_space_id', '=', spaceId)
    .where('model', '=', model)
    .execute()
  await ctx.db
    .updateTable('knowledge_spaces')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', spaceId)
    .where('embedding_model', '=', model)
    .set({ embedding_trust: null, embedding_trust_chunks: 0 })
    .execute()
}

/** The chunks of a space, and their questions, that have a vector of the model for their current text. Empty vectors match nothing. */
export async function listVectorKeys(ctx: OrgStoreContext, spaceId: SpaceId, model: string): Promise<KeptVector[]> {
  const rows = await ctx.db
    .selectFrom('chunk_vectors as v')
    .innerJoin('chunks as c', (join) =>
      join.onRef('c.id', '=', 'v.chunk_id').on('c.organization_id', '=', ctx.organizationId),
    )
    .where('v.organization_id', '=', ctx.organizationId)
    .where('v.knowledge_space_id', '=', spaceId)
    .where('v.model', '=', model)
    .where(sql<SqlBool>`octet_length(v.vector) > 0`)
    .where(
      sql<SqlBool>`v.content_hash = case v.question_number when 0 then c.content_hash
        else md5(c.generated_questions ->> (v.question_number - 1)) end`,
    )
    .select(['v.chunk_id as chunkId', 'v.question_number as number', 'v.content_hash as contentHash'])
    .select(sql<number>`octet_length(v.vector)`.as('length'))
    .orderBy('v.chunk_id')
    .orderBy('v.question_number')
    .execute()
  return rows
}

/** The vectors of some chunks and of their questions. */
export async function listVectors(
  ctx: OrgStoreContext,
  model: string,
  chunkIds: Id<'chunks'>[],
): Promise<(VectorKey & { vector: Int8Array })[]> {
  const rows = await ctx.db
    .selectFrom('chunk_vectors')
    .where('organization_id', '=', ctx.organizationId)
    .where('model', '=', model)
    .where('chunk_id', 'in', chunkIds)
    .select(['chunk_id', 'question_number', 'content_hash', 'vector'])
    .orderBy('chunk_id')
    .orderBy('question_number')
    .execute()
  return rows.map((row) => ({
    chunkId: row.chunk_id,
    number: row.question_number,
    contentHash: row.content_hash,
    vector: bytesOf(row.vector),
  }))
}

/** Copied: the driver's buffer may be part of a larger one. */
function bytesOf(vector: Uint8Array): Int8Array {
  return Int8Array.from(new Int8Array(vector.buffer, vector.byteOffset, vector.byteLength))
}

/** Some chunks that are found by a model, drawn by chance but always the same, with their texts and vectors. */
export async function listSample(
  ctx: OrgStoreContext,
  spaceId: SpaceId,
  model: string,
  most: number,
): Promise<{ body: string; vector: Int8Array }[]> {
  const drawn = ctx.db
    .selectFrom('chunks')
    .where('organization_id', '=', ctx.organizationId)
    .where('knowledge_space_id', '=', spaceId)
    .where('is_enabled', '=', true)
    .orderBy(sql`md5(id)`)
    .limit(most)
    .select(['id', 'body', 'content_hash'])
  const rows = await ctx.db
    .selectFrom(drawn.as('c'))
    .innerJoin('chunk_vectors as v', (join) =>
      join
        .onRef('v.chunk_id', '=', 'c.id')
        .onRef('v.content_hash', '=', 'c.content_hash')
        .on('v.organization_id', '=', ctx.organizationId)
        .on('v.model', '=', model)
        .on('v.question_number', '=', 0),
    )
    .select(['c.body', 'v.vector'])
    .orderBy('c.id')
    .execute()
  return rows.map(({ body, vector }) => ({ body, vector: bytesOf(vector) }))
}

/** Of a chunk `c`: whether one of its questions has no vector of the model, or one of another question. */
function lacksQuestion(model: string) {
  return sql<SqlBool>`exists (
    select from jsonb_array_elements_text(c.generated_questions) with ordinality as q(question, number)
    where not exists (select from chunk_vectors v where v.organization_id = c.organization_id and v.chunk_id = c.id
      and v.model = ${model} and v.question_number = q.number and v.content_hash = md5(q.question)))`
}
