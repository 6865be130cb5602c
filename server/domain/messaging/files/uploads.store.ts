// SQL of files that people upload: sent once, attached to a message, kept when the message is rewritten, and found when no row names them.
import { type Selectable, sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { AttachmentsTable } from '#server/platform/db/tables/attachments.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { countAttachments } from '../conversations/writes/answers.store.ts'
import type { Upload } from './uploads.rules.ts'

/** A message, by the conversation that it stands in. */
export type Carrier = { conversationId: Id<'conversations'>; messageId: Id<'messages'> }
/** The columns that an attachment keeps when its message is rewritten, with the text read from it. */
export type KeptAttachment = Omit<
  Selectable<AttachmentsTable>,
  'id' | 'organization_id' | 'conversation_id' | 'message_id' | 'position' | 'created_at'
>

/** The destination of an upload, and its sender: the same sender again is a repetition. */
export type UploadUse = { usedIn: 'message' | `test ${Id<'conversations'>}`; by: string }

/**
 * Records that uploads are sent. A ticket works once, in a test chat once for each chat that is compared.
 * @throws AppError upload_expired when one of them was sent before, or is given twice
 */
export async function useUploads(ctx: OrgStoreContext, uploads: Upload[], use: UploadUse): Promise<void> {
  if (new Set(uploads.map(({ fileKey }) => fileKey)).size < uploads.length) throw new AppError('upload_expired')
  for (const { fileKey } of uploads) {
    const { rows } = await sql`insert into used_uploads as u (organization_id, file_key, used_in, used_by)
      values (${ctx.organizationId}, ${fileKey}, ${use.usedIn}, encode(sha256(convert_to(${use.by}, 'UTF8')), 'hex'))
      on conflict (file_key, used_in) do update set used_by = u.used_by where u.used_by = excluded.used_by
      returning file_key`.execute(ctx.db)
    if (rows.length === 0) throw new AppError('upload_expired')
  }
}

/** Removes uses whose tickets have expired. */
export async function forgetOldUses(ctx: OrgStoreContext, before: Date): Promise<void> {
  await ctx.db
    .deleteFrom('used_uploads')
    .where('organization_id', '=', ctx.organizationId)
    .where('used_at', '<', before)
    .execute()
}

/** Attachments as received: not read yet. */
export function fromUploads(uploads: Upload[]): KeptAttachment[] {
  return uploads.map(({ kind, name, mimeType, sizeBytes, fileKey }) => ({
    kind,
    name,
    mime_type: mimeType,
    size_bytes: sizeBytes,
    file_key: fileKey,
    external_file_id: null,
    duration_seconds: null,
    status: 'waiting',
    text: null,
    reason: null,
  }))
}

/** Attachments of an operator: they are sent as they are, and no model reads them. */
export function fromOwnUploads(uploads: Upload[]): KeptAttachment[] {
  return fromUploads(uploads).map((given) => ({
    ...given,
    // A voice message is the recording of an answer; this is a file that a person has chosen.
    kind: given.kind === 'voice' ? 'audio' : given.kind,
    status: 'ready',
  }))
}

/** Attaches files to a message that has none, in their order. @returns their ids */
export async function attach(
  ctx: OrgStoreContext,
  to: Carrier,
  attachments: KeptAttachment[],
): Promise<Id<'attachments'>[]> {
  if (attachments.length === 0) return []
  const place = { organization_id: ctx.organizationId, conversation_id: to.conversationId, message_id: to.messageId }
  const rows = attachments.map((given, position) => ({ ...given, ...place, id: newId('attachments'), position }))
  await ctx.db.insertInto('attachments').values(rows).execute()
  await countAttachments(ctx, to.messageId, attachments.length).execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** The attachments of a message, in order. */
export async function listKept(ctx: OrgStoreContext, of: Carrier): Promise<KeptAttachment[]> {
  return ctx.db
    .selectFrom('attachments')
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', '=', of.conversationId)
    .where('message_id', '=', of.messageId)
    .select([
      'kind',
      'name',
      'mime_type',
      'size_bytes',
      'file_key',
      'external_file_id',
      'duration_seconds',
      'status',
      'text',
      'reason',
    ])
    .orderBy('position')
    .execute()
}

/** Retries reading the attachments of a message that could not be read, for instance with a key that is there now. */
export async function readAgain(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
  sequence: number,
): Promise<void> {
  await ctx.db
    .updateTable('attachments')
    .set({ status: 'waiting', reason: null })
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', '=', conversationId)
    .where('status', '=', 'failed')
    .where('message_id', 'in', (eb) =>
      eb
        .selectFrom('messages')
        .where('messages.organization_id', '=', ctx.organizationId)
        .where('messages.conversation_id', '=', conversationId)
        .where('messages.sequence', '=', sequence)
        .select('messages.id'),
    )
    .execute()
}

/** Keys of the files of the messages after one in a conversation. @param through its sequence; 0: all of them */
export async function listFileKeys(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
  through: number,
): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('attachments')
    .innerJoin('messages', 'messages.id', 'attachments.message_id')
    .where('attachments.organization_id', '=', ctx.organizationId)
    .where('messages.organization_id', '=', ctx.organizationId)
    .where('attachments.conversation_id', '=', conversationId)
    .where('messages.sequence', '>', through)
    .where('attachments.file_key', 'is not', null)
    .select('attachments.file_key')
    .execute()
  return rows.flatMap(({ file_key: key }) => key ?? [])
}

/** Of these keys, those that no attachment of the organization names. */
export async function listUnused(ctx: OrgStoreContext, keys: string[]): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('attachments')
    .where('organization_id', '=', ctx.organizationId)
    .where('file_key', 'in', keys)
    .select('file_key')
    .execute()
  const used = new Set(rows.map(({ file_key: key }) => key))
  return keys.filter((key) => !used.has(key))
}
