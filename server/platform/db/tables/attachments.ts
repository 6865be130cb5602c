// Attachments: what came, or went, with a message besides its text.

import type { Id } from '#shared/ids.ts'
import type { AttachmentFailure, AttachmentKind, AttachmentStatus } from '#shared/messaging/attachments.ts'
import type { Timestamp } from './columns.ts'

export interface AttachmentsTable {
  id: Id<'attachments'>
  organization_id: Id<'organizations'>
  conversation_id: Id<'conversations'>
  message_id: Id<'messages'>
  /** Order within the message. */
  position: number
  kind: AttachmentKind
  /** The channel's id of the file; null: there is none, or it is ours. */
  external_file_id: string | null
  mime_type: string | null
  name: string | null
  size_bytes: number | null
  duration_seconds: number | null
  /** In the file store; null until it is loaded. */
  file_key: string | null
  status: AttachmentStatus
  /** What it says. */
  text: string | null
  reason: AttachmentFailure | null
  created_at: Timestamp
}

/** Uploads that were sent: the ticket of each works once. Kept until it would be too old anyway. */
export interface UsedUploadsTable {
  organization_id: Id<'organizations'>
  file_key: string
  /** A message, or a test chat: tests compare two of them. */
  used_in: string
  /** By what it was sent, SHA-256 in hexadecimal: the same again is a repetition. */
  used_by: string
  used_at: Timestamp
}
