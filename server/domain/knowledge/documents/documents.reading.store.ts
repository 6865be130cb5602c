// SQL for what people choose about how a document is read.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { DocumentStatus, DocumentWarning } from '#shared/knowledge/knowledge.ts'

type Reading = { encoding?: string; includes_hidden?: boolean }

/**
 * Queues a document to be parsed with other options; until then its current content is found.
 *
 * @returns whether it was in one of the states
 */
export async function readOtherwise(
  ctx: OrgStoreContext,
  id: Id<'documents'>,
  { from, now, ...reading }: Reading & { from: DocumentStatus[]; now: Date },
): Promise<boolean> {
  const changed = await ctx.db
    .updateTable('documents')
    .set({
      ...{ ...reading, status: 'processing', progress: 0, error_reason: null, error_at: null },
      ...{ encoding_choices: null, heartbeat_at: null, updated_at: now },
    })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('status', 'in', from)
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}

/** Takes warnings of a kind off a document. */
export async function dropWarnings(
  ctx: OrgStoreContext,
  id: Id<'documents'>,
  kind: DocumentWarning['kind'],
): Promise<void> {
  const row = await ctx.db
    .selectFrom('documents')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .select('warnings')
    .forUpdate()
    .executeTakeFirst()
  if (!row) return
  await ctx.db
    .updateTable('documents')
    .set({ warnings: JSON.stringify(row.warnings.filter((warning) => warning.kind !== kind)) })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .execute()
}
