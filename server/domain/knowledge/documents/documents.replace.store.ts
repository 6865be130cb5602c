// SQL for replacing the file of a document.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { DocumentFormat } from '#shared/knowledge/knowledge.ts'

export type NewContent = { name: string; format: DocumentFormat; fileKey: string; sizeBytes: number }

/**
 * Sets another file as the document's content, to be processed; a worker on the old one may write no more.
 *
 * @returns the key of the old file
 * @throws AppError not_found
 */
export async function replaceContent(
  ctx: OrgStoreContext,
  id: Id<'documents'>,
  content: NewContent,
  now: Date,
): Promise<string> {
  const before = await ctx.db
    .selectFrom('documents')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .select('file_key')
    .forUpdate()
    .executeTakeFirst()
  if (!before) throw new AppError('not_found')
  await ctx.db
    .updateTable('documents')
    .set((eb) => ({
      name: content.name,
      format: content.format,
      file_key: content.fileKey,
      size_bytes: content.sizeBytes,
      status: 'processing',
      progress: 0,
      error_reason: null,
      error_at: null,
      encoding: null,
      encoding_choices: null,
      content_hash: null,
      attempt: eb('attempt', '+', 1),
      heartbeat_at: null,
      replaced_at: now,
      updated_at: now,
    }))
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .execute()
  return before.file_key
}
