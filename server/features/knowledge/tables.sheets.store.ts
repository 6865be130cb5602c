// SQL for the sheets of a workbook: the tables that are made of one file, each of another sheet.
import type { OrgStoreContext } from '#server/db/database.ts'
import { newId } from '#server/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import type { SheetState, TableWarning } from '#shared/tables.ts'
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
    .where('knowledge_space_id', '=', own.knowledge_space_id) // by which the live query is told of new ones
    .where('file_key', '=', own.file_key)
    .select(['id', 'sheet'])
    .execute()
  return own.sheets.map((name) => ({ name, tableId: made.find(({ sheet }) => sheet === name)?.id ?? null }))
}

/** Nobody else changes which tables are made of the file until the end of the transaction. */
export async function lockFile(ctx: OrgStoreContext, fileKey: string): Promise<void> {
  await tables(ctx).where('file_key', '=', fileKey).select('id').orderBy('id').forUpdate().execute()
}

/** The key of the file of which a table is made. */
export async function fileKeyOf(ctx: OrgStoreContext, id: TableId): Promise<string | undefined> {
  const row = await tables(ctx).where('id', '=', id).select('file_key').executeTakeFirst()
  return row?.file_key
}

/** A table for each of the sheets, marked as the table beside which they were chosen. They wait to be analyzed. @returns their ids */
export async function insertSheets(ctx: OrgStoreContext, id: TableId, sheets: string[], now: Date): Promise<TableId[]> {
  const of = await tables(ctx).where('id', '=', id).selectAll().executeTakeFirstOrThrow()
  const made = sheets.map((sheet) => ({ id: newId('tables'), sheet }))
  if (made.length === 0) return []
  await ctx.db
    .insertInto('tables')
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
  const made = await tables(ctx).where('file_key', '=', fileKey).selectAll().orderBy('id').execute()
  const taken = new Set(made.map(({ sheet }) => sheet))
  for (const table of made.filter(({ analyzed_at: at, sheets }) => at !== null && sheets.length > 0)) {
    const warnings = withLeftOut(table.warnings, table.sheets.filter((name) => !taken.has(name)).length)
    if (JSON.stringify(warnings) === JSON.stringify(table.warnings)) continue
    await ctx.db
      .updateTable('tables')
      .where('organization_id', '=', ctx.organizationId)
      .where('id', '=', table.id)
      .set({ warnings: JSON.stringify(warnings) })
      .execute()
  }
}

function withLeftOut(warnings: TableWarning[], count: number): TableWarning[] {
  const others = warnings.filter(({ kind }) => kind !== 'sheets_left_out')
  return count > 0 ? [...others, { kind: 'sheets_left_out', count }] : others
}

function tables(ctx: OrgStoreContext) {
  return ctx.db.selectFrom('tables').where('organization_id', '=', ctx.organizationId)
}
