// SQL for the test sets of spaces.
import type { Selectable } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { KnowledgeCasesTable } from '#server/platform/db/tables/knowledge-cases.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { ExpectedPassage, KnowledgeCase } from '#shared/knowledge/knowledge-cases.ts'

type SpaceId = Id<'knowledgeSpaces'>
type CaseId = Id<'knowledgeCases'>

/** The test set of a space, newest first. */
export async function listCases(ctx: OrgStoreContext, spaceId: SpaceId): Promise<KnowledgeCase[]> {
  const rows = await cases(ctx)
    .where('knowledge_space_id', '=', spaceId)
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toCase)
}

/** The case of a question, if there is one. */
export async function findCase(
  ctx: OrgStoreContext,
  spaceId: SpaceId,
  question: string,
): Promise<KnowledgeCase | undefined> {
  const row = await cases(ctx)
    .where('knowledge_space_id', '=', spaceId)
    .where('question', '=', question)
    .selectAll()
    .executeTakeFirst()
  return row && toCase(row)
}

/** The space of a case. @throws AppError not_found */
export async function getSpaceOfCase(ctx: OrgStoreContext, id: CaseId): Promise<SpaceId> {
  const row = await cases(ctx).where('id', '=', id).select('knowledge_space_id').executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row.knowledge_space_id
}

/** Writes what answers a question, in place of what was written before. */
export async function saveCase(
  ctx: OrgStoreContext,
  entry: { id: CaseId; knowledgeSpaceId: SpaceId; question: string; expected: ExpectedPassage[] },
  now: Date,
): Promise<void> {
  const expected = JSON.stringify(entry.expected)
  await ctx.db
    .insertInto('knowledge_cases')
    .values({
      id: entry.id,
      organization_id: ctx.organizationId,
      knowledge_space_id: entry.knowledgeSpaceId,
      question: entry.question,
      expected,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['knowledge_space_id', 'question']).doUpdateSet({ expected }))
    .execute()
}

/** Safe to repeat. */
export async function deleteCase(ctx: OrgStoreContext, id: CaseId): Promise<void> {
  await ctx.db
    .deleteFrom('knowledge_cases')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .execute()
}

function cases(ctx: OrgStoreContext) {
  return ctx.db.selectFrom('knowledge_cases').where('organization_id', '=', ctx.organizationId)
}

function toCase(row: Selectable<KnowledgeCasesTable>): KnowledgeCase {
  return { _id: row.id, question: row.question, expected: row.expected, createdAt: row.created_at.getTime() }
}
