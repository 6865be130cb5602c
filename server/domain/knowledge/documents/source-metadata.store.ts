// SQL for tags, validity and language of documents, notes and tables, whose rows hold them.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { SourceKind } from '#shared/knowledge/chunks.ts'
import type { SourceLanguage, SourceMarks } from '#shared/knowledge/knowledge-marks.ts'
import { noteMarks } from '../spaces/spaces.learning.store.ts'

const TABLES = {
  document: 'documents',
  fragment: 'fragments',
  table: 'knowledge_tables',
} as const satisfies Record<SourceKind, string>

type Patch = { [Name in Exclude<keyof SourceMarks, 'language'>]?: SourceMarks[Name] | undefined }
type Source = { kind: SourceKind; id: string; knowledgeSpaceId: Id<'knowledgeSpaces'> }

type MarkedRow = {
  tags: string[]
  valid_from: Date | null
  valid_until: Date | null
  language: SourceLanguage | null
  chosen_language: SourceLanguage | null
}

/** The marks of a row. */
export function toMarks(row: MarkedRow): SourceMarks {
  return {
    tags: row.tags,
    validFrom: row.valid_from?.getTime() ?? null,
    validUntil: row.valid_until?.getTime() ?? null,
    language: row.language,
    chosenLanguage: row.chosen_language,
  }
}

/**
 * Changes the fields in the patch. Raises the version of the space, so that no search keeps using the previous exclusions.
 *
 * @returns the marks afterwards
 * @throws AppError not_found
 */
export async function saveMarks(
  ctx: OrgStoreContext,
  { kind, id, knowledgeSpaceId }: Source,
  { tags, validFrom, validUntil, chosenLanguage }: Patch,
): Promise<SourceMarks> {
  const row = await ctx.db
    .updateTable(TABLES[kind])
    .set({
      ...(tags && { tags: JSON.stringify([...new Set(tags)]) }),
      ...(validFrom !== undefined && { valid_from: toDate(validFrom) }),
      ...(validUntil !== undefined && { valid_until: toDate(validUntil) }),
      ...(chosenLanguage !== undefined && { chosen_language: chosenLanguage }),
    })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id as Id<'documents'> & Id<'fragments'> & Id<'tables'>)
    .returning(['tags', 'valid_from', 'valid_until', 'language', 'chosen_language'])
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  await noteMarks(ctx, knowledgeSpaceId)
  return toMarks(row)
}

function toDate(at: number | null): Date | null {
  return at === null ? null : new Date(at)
}
