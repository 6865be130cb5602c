// What a Telegram message holds besides text → InboundAttachment. One message has at most one; albums come as several messages.
// @source core.telegram.org/bots/api#message
import { z } from 'zod'
import type { InboundAttachment } from '#server/adapters/inbound.ts'
import type { AttachmentKind } from '#shared/attachments.ts'

/** A month: longer than anything that a person records. */
const MAX_SECONDS = 31 * 86_400

const bytes = z.number().int().optional().catch(undefined)
const seconds = z.number().min(0).max(MAX_SECONDS).optional().catch(undefined)
const file = z.object({
  file_id: z.string(),
  file_size: bytes,
  mime_type: z.string().optional(),
  file_name: z.string().optional(),
  title: z.string().optional(),
  duration: seconds,
})
const photo = z.object({ file_id: z.string(), file_size: bytes, width: z.number(), height: z.number() })

/** The fields of a message that attachments are read from. One that looks otherwise costs nobody the rest of the message. */
export const attachmentFields = {
  voice: lenient(file),
  audio: lenient(file),
  photo: lenient(z.array(photo)),
  video: lenient(file),
  animation: lenient(file),
  video_note: lenient(file),
  document: lenient(file),
  sticker: lenient(z.object({ emoji: z.string().optional() })),
  location: lenient(z.object({ latitude: z.number(), longitude: z.number() })),
  venue: lenient(z.object({ title: z.string(), address: z.string() })),
  contact: lenient(z.object({ phone_number: z.string(), first_name: z.string(), last_name: z.string().optional() })),
}
const fields = z.object(attachmentFields)
type Fields = z.infer<typeof fields>
type File = z.infer<typeof file>

/** Kinds of content that we cannot read; their field names are all that is known of them. */
const UNREAD = [
  ...Object.keys(attachmentFields),
  'poll',
  'dice',
  'game',
  'story',
  'invoice',
  'paid_media',
  'checklist',
  'giveaway',
]

/** @param raw the message as it came, for kinds that are only named */
export function attachmentsOf(message: Fields, raw: object): InboundAttachment[] {
  const found = first(message)
  if (found) return [found]
  const name = UNREAD.find((kind) => kind in raw)
  return name ? [{ ...bare('other', null), name }] : []
}

/** The more telling one first: a GIF comes as a document too, a venue as a location too. */
function first(message: Fields): InboundAttachment | null {
  const { voice, audio, video, animation, video_note: note, document, sticker, venue, location, contact } = message
  if (voice) return ofFile('voice', voice)
  if (audio) return ofFile('audio', audio)
  if (message.photo && message.photo.length > 0) return ofPhoto(message.photo)
  if (note) return ofFile('video_note', { ...note, mime_type: 'video/mp4' })
  if (video) return ofFile('video', video)
  if (animation) return ofFile('video', animation)
  if (document) return ofFile(document.mime_type?.startsWith('image/') ? 'image' : 'document', document)
  if (sticker) return bare('sticker', sticker.emoji ?? '')
  if (venue) return bare('location', `${venue.title}, ${venue.address}`)
  if (location) return bare('location', `${location.latitude}, ${location.longitude}`)
  if (contact)
    return bare(
      'contact',
      `${[contact.first_name, contact.last_name].filter(Boolean).join(' ')}, ${contact.phone_number}`,
    )
  return null
}

function ofFile(kind: AttachmentKind, given: File): InboundAttachment {
  return {
    kind,
    fileId: given.file_id,
    mimeType: given.mime_type ?? null,
    name: given.file_name ?? given.title ?? null,
    sizeBytes: given.file_size ?? null,
    durationSeconds: given.duration ?? null,
    text: null,
  }
}

/** A photo comes in several sizes: the largest one. */
function ofPhoto(sizes: z.infer<typeof photo>[]): InboundAttachment {
  const [largest] = sizes.toSorted((a, b) => b.width * b.height - a.width * a.height)
  return {
    ...bare('image', null),
    fileId: largest?.file_id ?? null,
    mimeType: 'image/jpeg',
    sizeBytes: largest?.file_size ?? null,
  }
}

function bare(kind: AttachmentKind, text: string | null): InboundAttachment {
  return { kind, fileId: null, mimeType: null, name: null, sizeBytes: null, durationSeconds: null, text }
}

function lenient<Schema extends z.ZodType>(schema: Schema) {
  return schema.optional().catch(undefined)
}
