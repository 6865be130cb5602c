// SQL for tags and validity of documents, notes and tables, whose rows hold them.
import type { OrgStoreContext } from '#server/db/database.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { SourceKind } from '#shared/knowledge.ts'
import type { SourceMarks } from '#shared/knowledge-marks.ts'

const TABLES = {
  document: 'documents',
  fragment: 'fragments',
  table: 'tables',
} as const satisfies Record<SourceKind, string>

type Patch = { [Name in keyof SourceMarks]?: SourceMarks[Name] | undefined }
type Source = { kind: SourceKind; id: string; knowledgeSpaceId: Id<'knowledgeSpaces'> }

/** The marks of a row. */
export function toMarks(row: { tags: string[]; valid_from: Date | null; valid_until: Date | null }): SourceMarks {
  return {
    tags: row.tags,
    validFrom: row.valid_from?.getTime() ?? null,
    validUntil: row.valid_until?.getTime() ?? null,
  }
}

/** Changes what the patch names. @returns the marks as they are then @throws AppError not_found */
export async function saveMarks(
  ctx: OrgStoreContext,
  { kind, id, knowledgeSpaceId }: Source,
  { tags, validFrom, validUntil }: Patch,
): Promise<SourceMarks> {
  const row = await ctx.db
    .updateTable(TABLES[kind])
    .set({
      ...(tags && { tags: JSON.stringify([...new Set(tags)]) }),
      ...(validFrom !== undefined && { valid_from: toDate(validFrom) }),
      ...(validUntil !== undefined && { valid_until: toDate(validUntil) }),
    })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id as Id<'documents'> & Id<'fragments'> & Id<'tables'>)
    .returning(['tags', 'valid_from', 'valid_until'])
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  await ctx.db
    .updateTable('knowledge_spaces')
    .set({ has_marks: true })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', knowledgeSpaceId)
    .where('has_marks', '=', false)
    .execute()
  return toMarks(row)
}

function toDate(at: number | null): Date | null {
  return at === null ? null : new Date(at)
}
