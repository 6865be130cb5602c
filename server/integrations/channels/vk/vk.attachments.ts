// Attachments of a VK message → InboundAttachment. Files are identified by their addresses, which VK serves without credentials.
// @source dev.vk.com/ru/reference/objects/message, dev.vk.com/ru/reference/objects/attachments-message
import { z } from 'zod'
import type { InboundAttachment } from '#server/integrations/channels/contract/inbound.ts'
import type { AttachmentKind } from '#shared/messaging/attachments.ts'

const text = z.string().optional().catch(undefined)
const count = z.number().min(0).optional().catch(undefined)
const lenient = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined)

const photo = z.object({
  sizes: z.array(z.object({ width: z.number().catch(0), height: z.number().catch(0), url: text })),
})
const doc = z.object({ title: text, size: count, ext: text, url: text })
const recording = z.object({ duration: count, link_ogg: text, link_mp3: text })
const attachment = z.looseObject({
  type: z.string(),
  photo: lenient(photo),
  doc: lenient(doc),
  audio_message: lenient(recording),
  audio: lenient(z.object({ artist: text, title: text, duration: count, url: text })),
  video: lenient(z.object({ title: text, duration: count })),
  graffiti: lenient(z.object({ url: text })),
  link: lenient(z.object({ url: text, title: text })),
  market: lenient(z.object({ title: text, price: lenient(z.object({ text })) })),
  wall: lenient(z.object({ text })),
  poll: lenient(z.object({ question: text, answers: z.array(z.object({ text })).catch([]) })),
  article: lenient(z.object({ title: text, url: text })),
})
const place = z.object({
  coordinates: lenient(z.object({ latitude: z.number(), longitude: z.number() })),
  place: lenient(z.object({ title: text })),
})

/** The fields of a message that attachments are read from. A malformed one does not invalidate the rest of the message. */
export const attachmentFields = {
  attachments: z.array(z.unknown()).optional().catch(undefined),
  geo: lenient(place),
}
type Content = { attachments?: unknown[] | undefined; geo?: z.infer<typeof place> | undefined }
type Attachment = z.infer<typeof attachment>

/** In the order of the message. Unknown or malformed ones are represented by the name of their kind. */
export function attachmentsOf({ attachments = [], geo }: Content): InboundAttachment[] {
  const found = attachments.flatMap((given) => {
    const parsed = attachment.safeParse(given)
    if (!parsed.success) return typeof given === 'object' ? [bare('other', {})] : []
    // The text of a post was written by someone else: it goes into the message text.
    return parsed.data.wall?.text ? [] : [ofAttachment(parsed.data)]
  })
  return geo ? [...found, bare('location', { text: wordsOf(geo) })] : found
}

function ofAttachment(given: Attachment): InboundAttachment {
  return fileOf(given) ?? attachmentWithoutFile(given) ?? bare('other', { name: given.type })
}

/** A file that VK serves. */
function fileOf({ type, photo, doc, audio_message: voice, audio, graffiti }: Attachment): InboundAttachment | null {
  if (type === 'photo' && photo) {
    const [largest] = photo.sizes.filter(({ url }) => url).sort((a, b) => b.width * b.height - a.width * a.height)
    return bare('image', { fileId: largest?.url ?? null, mimeType: 'image/jpeg' })
  }
  if (type === 'doc' && doc) {
    const { url = null, title = null, size = null, ext } = doc
    // A picture that was sent as a file has a file name, but its bytes are those of a picture.
    return bare('document', { fileId: url, name: named(title, ext), sizeBytes: size })
  }
  if (type === 'audio_message' && voice) {
    const { link_ogg: ogg, link_mp3: mp3, duration } = voice
    return bare('voice', {
      ...{ fileId: ogg ?? mp3 ?? null, mimeType: ogg ? 'audio/ogg' : 'audio/mpeg', durationSeconds: duration ?? null },
    })
  }
  if (type === 'audio' && audio) {
    const name = [audio.artist, audio.title].filter(Boolean).join(' — ') || null
    return bare('audio', {
      fileId: audio.url || null,
      mimeType: 'audio/mpeg',
      name,
      durationSeconds: audio.duration ?? null,
    })
  }
  return type === 'graffiti' && graffiti ? bare('image', { fileId: graffiti.url ?? null, mimeType: 'image/png' }) : null
}

/** Kinds that describe themselves without a file. VK gives videos to their owners only. */
function attachmentWithoutFile({ type, video, link, market, poll, article }: Attachment): InboundAttachment | null {
  if (type === 'sticker') return bare('sticker', { text: '' })
  if (type === 'video' && video)
    return bare('video', { name: video.title ?? null, durationSeconds: video.duration ?? null })
  if (type === 'link' && link)
    return bare('other', { name: [link.title, link.url].filter(Boolean).join(' ') || 'link' })
  if (type === 'market' && market) {
    return bare('other', { name: [market.title, market.price?.text].filter(Boolean).join(', ') || 'market' })
  }
  if (type === 'poll' && poll) {
    const answers = poll.answers.flatMap((answer) => (answer.text ? [`– ${answer.text}`] : []))
    return bare('other', { name: 'poll', text: [poll.question, ...answers].filter(Boolean).join('\n') || null })
  }
  if (type === 'article' && article)
    return bare('other', { name: [article.title, article.url].filter(Boolean).join(' ') || 'article' })
  return null
}

/** Titles are usually, but not always, names of files. */
function named(title: string | null, ext: string | undefined): string | null {
  return title === null || !ext || title.toLowerCase().endsWith(`.${ext.toLowerCase()}`) ? title : `${title}.${ext}`
}

function wordsOf({ coordinates, place: at }: z.infer<typeof place>): string {
  const point = coordinates ? `${coordinates.latitude}, ${coordinates.longitude}` : ''
  return [at?.title, point].filter(Boolean).join(', ')
}

function bare(kind: AttachmentKind, known: Partial<InboundAttachment>): InboundAttachment {
  const nothing = { fileId: null, mimeType: null, name: null, sizeBytes: null, durationSeconds: null, text: null }
  return { kind, ...nothing, ...known }
}
