// SQL of attachments: what clients see of them, where their files are, and what was read from them.
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { AttachmentsTable } from '#server/platform/db/tables/attachments.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { Attachment, AttachmentFailure } from '#shared/messaging/attachments.ts'

/** Where the file of an attachment is: in the store under a key, or at the channel of a connection. */
export type AttachmentFile = {
  id: Id<'attachments'>
  name: string | null
  mimeType: string | null
  sizeBytes: number | null
  fileKey: string | null
  externalFileId: string | null
  connectionId: Id<'channelConnections'> | null
}

/** What was read from an attachment, or why nothing was. */
export type AttachmentContent = { text: string } | { reason: AttachmentFailure }

/** Attachments of these messages of one conversation, in order. */
export async function listAttachments(
  ctx: OrgStoreContext,
  conversationIds: Id<'conversations'>[],
  messageIds: Id<'messages'>[],
): Promise<Map<Id<'messages'>, Attachment[]>> {
  const found = new Map<Id<'messages'>, Attachment[]>()
  if (messageIds.length === 0) return found
  const rows = await ctx.db
    .selectFrom('attachments')
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', 'in', conversationIds)
    .where('message_id', 'in', messageIds)
    .selectAll()
    .orderBy('position')
    .execute()
  for (const row of rows) found.set(row.message_id, [...(found.get(row.message_id) ?? []), toAttachment(row)])
  return found
}

/** Attachments of conversations whose file we or the channel have. */
export async function listWithFile(
  ctx: OrgStoreContext,
  conversationIds: Id<'conversations'>[],
): Promise<Pick<AttachmentFile, 'id' | 'name'>[]> {
  if (conversationIds.length === 0) return []
  return ctx.db
    .selectFrom('attachments')
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', 'in', conversationIds)
    .where((eb) => eb.or([eb('file_key', 'is not', null), eb('external_file_id', 'is not', null)]))
    .select(['id', 'name'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** @throws AppError not_found */
export async function getFile(ctx: OrgStoreContext, id: Id<'attachments'>): Promise<AttachmentFile> {
  const row = await ctx.db
    .selectFrom('attachments')
    .innerJoin('conversations', 'conversations.id', 'attachments.conversation_id')
    .where('attachments.organization_id', '=', ctx.organizationId)
    .where('attachments.id', '=', id)
    .select([
      'attachments.id',
      'attachments.name',
      'attachments.mime_type as mimeType',
      'attachments.size_bytes as sizeBytes',
      'attachments.file_key as fileKey',
      'attachments.external_file_id as externalFileId',
      'conversations.connection_id as connectionId',
    ])
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row
}

/** Notes where a file was stored. */
export async function setFile(
  ctx: OrgStoreContext,
  id: Id<'attachments'>,
  stored: { fileKey: string; sizeBytes: number },
): Promise<void> {
  await ctx.db
    .updateTable('attachments')
    .set({ file_key: stored.fileKey, size_bytes: stored.sizeBytes })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .execute()
}

/** Stores what was read, once. @returns false, and does nothing, when another process has stored it already */
export async function finishAttachment(
  ctx: OrgStoreContext,
  id: Id<'attachments'>,
  content: AttachmentContent,
): Promise<boolean> {
  const values =
    'text' in content ? ({ status: 'ready', text: content.text } as const) : ({ status: 'failed', ...content } as const)
  const row = await ctx.db
    .updateTable('attachments')
    .set(values)
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

function toAttachment(row: Selectable<AttachmentsTable>): Attachment {
  const hasFile = row.file_key !== null || row.external_file_id !== null
  return {
    _id: row.id,
    kind: row.kind,
    name: row.name,
    mimeType: row.mime_type,
    sizeBytes: row.size_bytes === null ? null : Number(row.size_bytes),
    durationSeconds: row.duration_seconds,
    status: row.status,
    text: row.text,
    reason: row.reason,
    url: hasFile ? `/api/files/attachments/${row.id}` : null,
  }
}

/**
 * Removes the content of some old attachments, oldest first, and locks their conversations meanwhile; skips conversations locked by others.
 * `mayGo`: a condition on the attachment `a` and its conversation `c`. @returns where their files are, null for none
 */
export async function emptyAttachments(
  ctx: OrgStoreContext,
  { cutoff, limit, mayGo }: { cutoff: Date; limit: number; mayGo: RawBuilder<boolean> },
): Promise<(string | null)[]> {
  const { rows } = await sql<{ key: string | null }>`
    with old as (
      select a.id, a.file_key from attachments a
      join conversations c on c.organization_id = a.organization_id and c.id = a.conversation_id
      where a.organization_id = ${ctx.organizationId} and a.created_at < ${cutoff} and ${mayGo}
      order by a.created_at limit ${limit}
      for update of c skip locked
    )
    update attachments set file_key = null, external_file_id = null, text = null, name = null, status = 'failed', reason = 'removed'
    from old where attachments.organization_id = ${ctx.organizationId} and attachments.id = old.id
    returning old.file_key as key`.execute(ctx.db)
  return rows.map(({ key }) => key)
}
