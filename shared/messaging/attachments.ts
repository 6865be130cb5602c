// What comes with a message besides text: pictures, voice, files. Their content is read once and stored.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { ATTACHMENTS_PER_ANSWER } from '#shared/limits.ts'

const TICKET_MAX = 4000

/** `other`: kinds that a channel knows and we do not: polls, games, stories. */
const KINDS = [
  'voice',
  'audio',
  'image',
  'video',
  'video_note',
  'document',
  'sticker',
  'location',
  'contact',
  'other',
] as const
export type AttachmentKind = (typeof KINDS)[number]

/** waiting ─► ready | failed. It is read when the agent answers, and stays waiting while a person has the conversation. */
export type AttachmentStatus = 'waiting' | 'ready' | 'failed'

/** Why nothing could be read from an attachment. */
const FAILURES = [
  /** The agent's settings say not to. */
  'off',
  'unsupported',
  /** This installation has no key of the provider. */
  'not_configured',
  'invalid_key',
  /** The account of the key is out of money or quota. */
  'quota',
  'rate_limited',
  'unavailable',
  'timeout',
  'refused',
  'filtered',
  'bad_answer',
  /** Of a file: bytes. */
  'too_large',
  /** Of a recording: minutes. */
  'too_long',
  /** More arrived than is read for one answer. */
  'too_much',
  /** Silence, or a file without text. */
  'empty',
  /** The channel does not give the file out. */
  'not_loadable',
  'damaged',
  'password_protected',
  'type_mismatch',
  /** Expired: the organization's retention has removed it. */
  'removed',
  'no_text_layer',
  'unreadable_text_layer',
  'internal',
] as const
export type AttachmentFailure = (typeof FAILURES)[number]

/** An attachment as a client sees it. */
export type Attachment = {
  _id: Id<'attachments'>
  kind: AttachmentKind
  name: string | null
  mimeType: string | null
  /** As reported by the channel, or as measured when loaded. */
  sizeBytes: number | null
  durationSeconds: number | null
  status: AttachmentStatus
  /** Transcript, description or text; null unless ready. */
  text: string | null
  /** Null unless failed. */
  reason: AttachmentFailure | null
  /** Path of the file, for members of the organization; null: there is no file. */
  url: string | null
}

/** Tickets of uploads, in the order of the message that they go with; none when left out. */
export const uploadTickets = z._default(
  z.array(z.string().check(z.maxLength(TICKET_MAX))).check(z.maxLength(ATTACHMENTS_PER_ANSWER)),
  [],
)

/** A file that was uploaded to be sent with a message. `ticket` names it there, for its uploader, for some hours. */
export type UploadedFile = { ticket: string; kind: AttachmentKind; name: string; sizeBytes: number }
