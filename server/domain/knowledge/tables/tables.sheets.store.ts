// SQL for the sheets of a workbook: the tables made from one file, each from another sheet.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import type { SheetState, TableWarning } from '#shared/knowledge/tables.ts'
import { nameOfSheet } from './tables.sheets.rules.ts'

type TableId = Id<'tables'>

/** The sheets of a table's file in its order, each with the table that was made of it. Empty where the file has none to choose from. */
export async function listSheets(ctx: OrgStoreContext, id: TableId): Promise<SheetState[]> {
  const own = await tables(ctx)
    .where('id', '=', id)
    .select(['file_key', 'sheets', 'knowledge_space_id'])
    .executeTakeFirst()
  if (!own || own.sheets.length < 2) return []
  const made = await tables(ctx)
    .where('knowledge_space_id', '=', own.knowledge_space_id) // the key through which the live query learns of new ones
    .where('file_key', '=', own.file_key)
    .select(['id', 'sheet'])
    .execute()
  return own.sheets.map((name) => ({ name, tableId: made.find(({ sheet }) => sheet === name)?.id ?? null }))
}

/** Locks the set of tables made from the file until the end of the transaction. */
export async function lockFile(ctx: OrgStoreContext, fileKey: string): Promise<void> {
  await tables(ctx).where('file_key', '=', fileKey).select('id').orderBy('id').forUpdate().execute()
}

/** The key of the file of which a table is made. */
export async function fileKeyOf(ctx: OrgStoreContext, id: TableId): Promise<string | undefined> {
  const row = await tables(ctx).where('id', '=', id).select('file_key').executeTakeFirst()
  return row?.file_key
}

/**
 * A table for each of the sheets, with the tags and validity of the table they were chosen from. They wait to be analyzed. @returns their
 * ids
 */
export async function insertSheets(ctx: OrgStoreContext, id: TableId, sheets: string[], now: Date): Promise<TableId[]> {
  const of = await tables(ctx).where('id', '=', id).selectAll().executeTakeFirstOrThrow()
  const made = sheets.map((sheet) => ({ id: newId('tables'), sheet }))
  if (made.length === 0) return []
  await ctx.db
    .insertInto('knowledge_tables')
    .values(
      made.map((each) => ({
        ...each,
        organization_id: ctx.organizationId,
        knowledge_space_id: of.knowledge_space_id,
        name: nameOfSheet(of, each.sheet),
        format: of.format,
        size_bytes: of.size_bytes,
        file_key: of.file_key,
        sheets: JSON.stringify(of.sheets),
        status: 'uploaded' as const,
        error_reason: null,
        warnings: '[]',
        columns: '[]',
        analyzed_at: null,
        heartbeat_at: null, // it waits for its turn, however long
        tags: JSON.stringify(of.tags),
        valid_from: of.valid_from,
        valid_until: of.valid_until,
        chosen_language: of.chosen_language,
        created_at: now,
        updated_at: now,
      })),
    )
    .execute()
  return made.map((each) => each.id)
}

/** @returns whether a table is made of the file */
export async function isFileUsed(ctx: OrgStoreContext, fileKey: string): Promise<boolean> {
  const row = await tables(ctx).where('file_key', '=', fileKey).select('id').limit(1).executeTakeFirst()
  return row !== undefined
}

/** Makes the analyzed tables of a file say how many of its sheets are no tables. The file is locked. */
export async function tellSheetsLeftOut(ctx: OrgStoreContext, fileKey: string): Promise<void> {
  const made = await tables(ctx)
    .where('file_key', '=', fileKey)
    .select(['sheet', 'sheets', 'analyzed_at'])
    .orderBy('id')
    .execute()
  const sheets = made.find(({ analyzed_at: at }) => at !== null)?.sheets ?? []
  const count = sheets.filter((name) => made.every(({ sheet }) => sheet !== name)).length
  const warning: TableWarning[] = count > 0 ? [{ kind: 'sheets_left_out', count }] : []
  const warnings = sql<string>`coalesce((
    select jsonb_agg(w) from jsonb_array_elements(knowledge_tables.warnings) w where w ->> 'kind' <> 'sheets_left_out'
  ), '[]') || ${JSON.stringify(warning)}::jsonb`
  await ctx.db
    .updateTable('knowledge_tables')
    .where('organization_id', '=', ctx.organizationId)
    .where('file_key', '=', fileKey)
    .where('analyzed_at', 'is not', null)
    .where(sql<boolean>`knowledge_tables.sheets <> '[]' and knowledge_tables.warnings is distinct from ${warnings}`)
    .set({ warnings })
    .execute()
}

function tables(ctx: OrgStoreContext) {
  return ctx.db.selectFrom('knowledge_tables').where('organization_id', '=', ctx.organizationId)
}
