// SQL for generated questions: which spaces want them, which passages have none yet.
import { sql } from 'kysely'
import { findSealedKeys, type SealedKeys } from '#server/domain/agents/keys.store.ts'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { QuestionProgress } from '#shared/knowledge/knowledge-search.ts'
import { setGeneratedQuestions } from '../documents/chunks/chunks.store.ts'
import { changeLearning } from '../spaces/spaces.learning.store.ts'

type SpaceId = Id<'knowledgeSpaces'>
export type Unasked = { id: Id<'chunks'>; title: string; headingPath: string[]; body: string }
/** The agent whose model writes the questions of a space, and pays for them. */
/** `monthlyLimitUsd`: its own ceiling of a month. */
export type Author = { agentId: Id<'agents'>; model: string; monthlyLimitUsd: number | null; keys: SealedKeys }

/** Spaces of all organizations that want questions and hold passages without. */
export async function listSpacesToAsk(
  ctx: StoreContext,
): Promise<{ organizationId: Id<'organizations'>; knowledgeSpaceId: SpaceId }[]> {
  const rows = await ctx.db
    .selectFrom('knowledge_spaces as s')
    .where('s.generates_questions', '=', true)
    .where('s.deleted_at', 'is', null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('chunks as c')
          .whereRef('c.organization_id', '=', 's.organization_id')
          .whereRef('c.knowledge_space_id', '=', 's.id')
          .where('c.is_enabled', '=', true)
          .where('c.generated_questions', 'is', null)
          .select('c.id'),
      ),
    )
    .select(['s.organization_id', 's.id'])
    .orderBy('s.id')
    .execute()
  return rows.map((row) => ({ organizationId: row.organization_id, knowledgeSpaceId: row.id }))
}

/** The first agent that uses the space and has a model that can write. Undefined: there is none, or questions were switched off. */
export async function findAuthor(ctx: OrgStoreContext, spaceId: SpaceId): Promise<Author | undefined> {
  const model = sql<string>`${sql.ref('v.settings')}->>'model'`
  const limit = sql<number | null>`(${sql.ref('v.settings')} #>> '{spending,monthlyLimitUsd}')::float8`
  const row = await ctx.db
    .selectFrom('knowledge_spaces as s')
    .innerJoin('agent_knowledge_spaces as l', (join) =>
      join.onRef('l.knowledge_space_id', '=', 's.id').on('l.organization_id', '=', ctx.organizationId),
    )
    .innerJoin('agents as a', (join) =>
      join
        .onRef('a.id', '=', 'l.agent_id')
        .on('a.organization_id', '=', ctx.organizationId)
        .on('a.deleted_at', 'is', null),
    )
    .innerJoin('agent_versions as v', (join) =>
      join
        .onRef('v.agent_id', '=', 'a.id')
        .onRef('v.number', '=', 'a.live_version')
        .on('v.organization_id', '=', ctx.organizationId),
    )
    .where('s.organization_id', '=', ctx.organizationId)
    .where('s.id', '=', spaceId)
    .where('s.generates_questions', '=', true)
    .where(model, '<>', EXTRACTIVE_MODEL)
    .select(['a.id', model.as('model'), limit.as('monthlyLimitUsd')])
    .orderBy('l.created_at')
    .orderBy('a.id')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  const { id: agentId, ...author } = row
  return { agentId, ...author, keys: await findSealedKeys(ctx, agentId) }
}

/** Passages that agents can find and for which no questions were written. */
export async function listUnasked(ctx: OrgStoreContext, spaceId: SpaceId, most: number): Promise<Unasked[]> {
  const rows = await findable(ctx, spaceId)
    .where('c.generated_questions', 'is', null)
    .select(['c.id', 'c.title', 'c.heading_path', 'c.body'])
    .orderBy('c.id')
    .limit(most)
    .execute()
  return rows.map((row) => ({ id: row.id, title: row.title, headingPath: row.heading_path, body: row.body }))
}

/** Keeps the questions of passages that still exist. */
export async function saveQuestions(
  ctx: OrgStoreContext,
  spaceId: SpaceId,
  written: { id: Id<'chunks'>; questions: string[] }[],
): Promise<void> {
  for (const { id, questions } of written) {
    await setGeneratedQuestions(ctx, { spaceId, id }, questions)
  }
}

/** Whether the space wants questions, and how many passages have them. @throws AppError not_found */
export async function getQuestionProgress(ctx: OrgStoreContext, spaceId: SpaceId): Promise<QuestionProgress> {
  const space = await ctx.db
    .selectFrom('knowledge_spaces')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', spaceId)
    .where('deleted_at', 'is', null)
    .select('generates_questions')
    .executeTakeFirst()
  if (!space) throw new AppError('not_found')
  if (!space.generates_questions) return { isOn: false, hasAuthor: false, done: 0, total: 0 }
  const hasAuthor = (await findAuthor(ctx, spaceId)) !== undefined
  const counts = await findable(ctx, spaceId)
    .select((eb) => [eb.fn.countAll<string>().as('total'), eb.fn.count<string>('c.generated_questions').as('done')])
    .executeTakeFirst()
  return { isOn: true, hasAuthor, done: Number(counts?.done ?? 0), total: Number(counts?.total ?? 0) }
}

/** @throws AppError not_found */
export async function setQuestions(ctx: OrgStoreContext, spaceId: SpaceId, isOn: boolean): Promise<void> {
  await changeLearning(ctx, spaceId, { generates_questions: isOn })
}

function findable(ctx: OrgStoreContext, spaceId: SpaceId) {
  return ctx.db
    .selectFrom('chunks as c')
    .where('c.organization_id', '=', ctx.organizationId)
    .where('c.knowledge_space_id', '=', spaceId)
    .where('c.is_enabled', '=', true)
}
