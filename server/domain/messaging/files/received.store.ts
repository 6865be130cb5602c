// SQL of a message's attachments, as parts of the one statement that stores the message.
import { type RawBuilder, sql } from 'kysely'
import { displayName } from '#server/domain/knowledge/documents/documents.rules.ts'
import type { InboundAttachment } from '#server/integrations/channels/contract/inbound.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { sanitizeText } from '#server/platform/lib/text/sanitize-payload.ts'
import type { Id } from '#shared/ids.ts'
import type { AttachmentKind } from '#shared/messaging/attachments.ts'

/** What a conversation list shows of a message without a text. */
const SIGNS: Record<AttachmentKind, string> = {
  voice: '🎤',
  audio: '🎵',
  image: '🖼️',
  video: '🎬',
  video_note: '🎬',
  document: '📎',
  sticker: '',
  location: '📍',
  contact: '👤',
  other: '📎',
}

/** The first attachment, in a few characters that need no language. */
export function signOf(attachments: InboundAttachment[] = []): string {
  const [first] = attachments
  if (!first) return ''
  return [SIGNS[first.kind], first.text ?? nameOf(first) ?? ''].filter(Boolean).join(' ')
}

/** A further part of the statement, after one named `conversation`; empty without attachments. */
export function storeAttachments(
  messageId: Id<'messages'>,
  attachments: InboundAttachment[] = [],
): RawBuilder<unknown> {
  if (attachments.length === 0) return sql``
  const rows = attachments.map((given, place) => ({
    id: newId('attachments'),
    position: place,
    kind: given.kind,
    external_file_id: given.fileId,
    file_key: given.fileKey ?? null,
    mime_type: given.mimeType?.slice(0, 100) ?? null,
    name: nameOf(given),
    size_bytes: given.sizeBytes,
    duration_seconds: given.durationSeconds === null ? null : Math.round(given.durationSeconds),
    ...contentOf(given),
  }))
  return sql`, attachment as (
      insert into attachments (id, organization_id, conversation_id, message_id, position, kind, external_file_id, file_key, mime_type, name,
        size_bytes, duration_seconds, status, text, reason)
      select a.id, v.organization_id, v.id, ${messageId}, a.position, a.kind, a.external_file_id, a.file_key, a.mime_type, a.name,
        a.size_bytes, a.duration_seconds, a.status, a.text, a.reason
      from conversation v, json_to_recordset(${JSON.stringify(rows)}::json) as a (id text, position int, kind text,
        external_file_id text, file_key text, mime_type text, name text, size_bytes bigint, duration_seconds int, status text, text text, reason text)
    )`
}

/** A statement: stores the recording of an answer behind the message that a CTE `message` returns (id, organization_id, conversation_id). */
export function storeRecording(
  id: Id<'attachments'>,
  { fileKey, sizeBytes }: { fileKey: string; sizeBytes: number },
): RawBuilder<unknown> {
  return sql`
      insert into attachments (id, organization_id, conversation_id, message_id, position, kind, mime_type, size_bytes, file_key, status)
      select ${id}, organization_id, conversation_id, id, 0, 'voice', 'audio/ogg', ${sizeBytes}::bigint, ${fileKey}, 'ready'
      from message`
}

/** Attachments that need no reading are ready, those that cannot be read are marked so at once. */
function contentOf({ text, fileId, fileKey }: InboundAttachment) {
  if (text !== null) return { status: 'ready', text: sanitizeText(text), reason: null }
  if (fileId !== null || fileKey !== undefined) return { status: 'waiting', text: null, reason: null }
  return { status: 'failed', text: null, reason: 'unsupported' }
}

function nameOf({ name }: InboundAttachment): string | null {
  return displayName(name ?? '') || null
}
