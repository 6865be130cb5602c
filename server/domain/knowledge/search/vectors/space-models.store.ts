// SQL for the embedding models of spaces: the one in use, the following one, and the declined one.
import { type SqlBool, sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { EmbeddingProgress } from '#shared/knowledge/knowledge-search.ts'

type SpaceId = Id<'knowledgeSpaces'>

/** The models by which some spaces are searched. */
export async function listServingModels(ctx: OrgStoreContext, spaceIds: SpaceId[]): Promise<string[]> {
  if (spaceIds.length === 0) return []
  const rows = await ctx.db
    .selectFrom('knowledge_spaces')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', 'in', spaceIds)
    .select(['id', 'embedding_model'])
    .orderBy('id')
    .execute()
  return [...new Set(rows.flatMap((row) => row.embedding_model ?? []))]
}

/** Records that vectors of the model are being computed. @returns false when they are no longer wanted, or the space is gone */
export async function beginModel(ctx: OrgStoreContext, spaceId: SpaceId, model: string): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('knowledge_spaces')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', spaceId)
    .where('declined_embedding_model', 'is distinct from', model)
    .select('next_embedding_model')
    .executeTakeFirst()
  if (!row) return false
  if (row.next_embedding_model !== model) {
    await ofSpace(ctx, spaceId).set({ next_embedding_model: model }).execute()
  }
  return true
}

/** How far the model that serves a space is to be trusted there. `chunks`: among how many that was measured. */
export type SpaceTrust = { trust: number | null; chunks: number }

/** Undefined when another model serves the space, or none. */
export async function findTrust(
  ctx: OrgStoreContext,
  spaceId: SpaceId,
  model: string,
): Promise<SpaceTrust | undefined> {
  return await ctx.db
    .selectFrom('knowledge_spaces')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', spaceId)
    .where('embedding_model', '=', model)
    .select(['embedding_trust as trust', 'embedding_trust_chunks as chunks'])
    .executeTakeFirst()
}

/** Switches the space to this model; deletes vectors of others, and all servers reload. */
export async function serveModel(
  ctx: OrgStoreContext,
  spaceId: SpaceId,
  model: string,
  { trust, chunks }: SpaceTrust,
): Promise<void> {
  await ofSpace(ctx, spaceId)
    .where('declined_embedding_model', 'is distinct from', model)
    .set((eb) => ({
      embedding_model: model,
      embedding_trust: trust,
      embedding_trust_chunks: chunks,
      next_embedding_model: null,
      declined_embedding_model: null,
      index_version: eb('index_version', '+', 1),
    }))
    .execute()
  await deleteUnserved(ctx, spaceId)
}

/** Makes no further vectors of the model that is to follow; the space stays with the one that it has. Safe to repeat. */
export async function declineModel(ctx: OrgStoreContext, spaceId: SpaceId): Promise<void> {
  await ofSpace(ctx, spaceId)
    .where('next_embedding_model', 'is not', null)
    .set((eb) => ({ declined_embedding_model: eb.ref('next_embedding_model'), next_embedding_model: null }))
    .execute()
  await deleteUnserved(ctx, spaceId)
}

/** Makes vectors of a declined model after all, unless another is to follow by now. Safe to repeat. */
export async function acceptModel(ctx: OrgStoreContext, spaceId: SpaceId): Promise<void> {
  await ofSpace(ctx, spaceId)
    .where('next_embedding_model', 'is', null)
    .where('declined_embedding_model', 'is not', null)
    .set((eb) => ({ next_embedding_model: eb.ref('declined_embedding_model'), declined_embedding_model: null }))
    .execute()
}

/** In all organizations: no model follows, because the installation has none any more. Deletes its vectors; safe to repeat. */
export async function forgetFollowing(ctx: StoreContext): Promise<void> {
  const stopped = await ctx.db
    .updateTable('knowledge_spaces')
    .set({ next_embedding_model: null })
    .where('next_embedding_model', 'is not', null)
    .returning('id')
    .execute()
  if (stopped.length === 0) return
  const ids = stopped.map(({ id }) => id)
  await sql`
    delete from chunk_vectors v using knowledge_spaces s
    where s.id = any (${ids}::text[]) and v.organization_id = s.organization_id and v.knowledge_space_id = s.id
      and v.model is distinct from s.embedding_model`.execute(ctx.db)
}

/** How far a space is. Undefined for a space that is not there. */
export async function findProgress(ctx: OrgStoreContext, spaceId: SpaceId): Promise<EmbeddingProgress | undefined> {
  const space = await ctx.db
    .selectFrom('knowledge_spaces')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', spaceId)
    .select(['embedding_model', 'next_embedding_model', 'declined_embedding_model'])
    .executeTakeFirst()
  if (!space) return undefined
  const following = space.next_embedding_model ?? space.declined_embedding_model
  const isCancelled = space.next_embedding_model === null && following !== null // a third model may follow a declined one
  const models = { serving: space.embedding_model, following, isCancelled }
  if (following === null) return { ...models, embedded: 0, total: 0 }
  const counts = await ctx.db
    .selectFrom('chunks as c')
    .leftJoin('chunk_vectors as v', (join) =>
      join
        .onRef('v.chunk_id', '=', 'c.id')
        .onRef('v.content_hash', '=', 'c.content_hash')
        .on('v.model', '=', following)
        .on('v.question_number', '=', 0)
        .on('v.organization_id', '=', ctx.organizationId)
        .on('v.knowledge_space_id', '=', spaceId),
    )
    .where('c.organization_id', '=', ctx.organizationId)
    .where('c.knowledge_space_id', '=', spaceId)
    .where('c.is_enabled', '=', true)
    .select((eb) => [eb.fn.count<string>('c.id').as('total'), eb.fn.count<string>('v.chunk_id').as('embedded')])
    .select(sql<string | null>`sum(jsonb_array_length(c.generated_questions))`.as('questions'))
    .executeTakeFirst()
  const total = Number(counts?.total ?? 0) + Number(counts?.questions ?? 0)
  const questions = total > 0 ? await countEmbeddedQuestions(ctx, spaceId, following) : 0
  return { ...models, embedded: Number(counts?.embedded ?? 0) + questions, total }
}

/** Generated questions of enabled chunks that have a vector of the model. */
async function countEmbeddedQuestions(ctx: OrgStoreContext, spaceId: SpaceId, model: string): Promise<number> {
  const row = await ctx.db
    .selectFrom('chunk_vectors as v')
    .innerJoin('chunks as c', (join) =>
      join.onRef('c.id', '=', 'v.chunk_id').on('c.organization_id', '=', ctx.organizationId),
    )
    .where('v.organization_id', '=', ctx.organizationId)
    .where('v.knowledge_space_id', '=', spaceId)
    .where('v.model', '=', model)
    .where('v.question_number', '>', 0)
    .where('c.is_enabled', '=', true)
    .where(sql<SqlBool>`v.content_hash = md5(c.generated_questions ->> (v.question_number - 1))`)
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** Of other models than the one that serves the space. */
async function deleteUnserved(ctx: OrgStoreContext, spaceId: SpaceId): Promise<void> {
  const space = await ctx.db
    .selectFrom('knowledge_spaces')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', spaceId)
    .select('embedding_model')
    .executeTakeFirst()
  await ctx.db
    .deleteFrom('chunk_vectors')
    .where('organization_id', '=', ctx.organizationId)
    .where('knowledge_space_id', '=', spaceId)
    .where('model', '<>', space?.embedding_model ?? '')
    .execute()
}

function ofSpace(ctx: OrgStoreContext, spaceId: SpaceId) {
  return ctx.db
    .updateTable('knowledge_spaces')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', spaceId)
}
