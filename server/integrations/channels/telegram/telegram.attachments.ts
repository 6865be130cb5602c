// Attachments of a Telegram message → InboundAttachment. One message has at most one; albums come as several messages.
// @source core.telegram.org/bots/api#message
import { z } from 'zod'
import type { InboundAttachment } from '#server/integrations/channels/contract/inbound.ts'
import type { AttachmentKind } from '#shared/messaging/attachments.ts'

/** A month: longer than any recording. */
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
const point = z.object({ latitude: z.number(), longitude: z.number() })
const photo = z.object({ file_id: z.string(), file_size: bytes, width: z.number(), height: z.number() })

const name = z.string().optional().catch(undefined)
/** A user whom the customer has picked with a button. */
const shared = z.object({ user_id: z.number(), first_name: name, last_name: name, username: name })

/** The fields of a message that attachments are read from. A malformed one does not invalidate the rest of the message. */
export const attachmentFields = {
  voice: lenient(file),
  audio: lenient(file),
  photo: lenient(z.array(photo)),
  video: lenient(file),
  animation: lenient(file),
  video_note: lenient(file),
  document: lenient(file),
  sticker: lenient(z.object({ emoji: z.string().optional() })),
  location: lenient(point),
  venue: lenient(z.object({ title: z.string(), address: z.string(), location: lenient(point) })),
  contact: lenient(z.object({ phone_number: z.string(), first_name: z.string(), last_name: z.string().optional() })),
  users_shared: lenient(z.object({ users: z.array(shared) })),
  chat_shared: lenient(z.object({ chat_id: z.number(), title: name, username: name })),
  successful_payment: lenient(z.object({ currency: z.string(), total_amount: z.number() })),
  refunded_payment: lenient(z.object({ currency: z.string(), total_amount: z.number() })),
  poll: lenient(z.object({ question: z.string(), options: z.array(z.object({ text: z.string() })) })),
  checklist: lenient(z.object({ title: z.string(), tasks: z.array(z.object({ text: z.string() })) })),
  /** A story of the account's owner that the message is a reply to. */
  reply_to_story: lenient(z.object({ id: z.number() })),
}
const fields = z.object(attachmentFields)
type Fields = z.infer<typeof fields>
type File = z.infer<typeof file>
type Named = { first_name?: string | undefined; last_name?: string | undefined }
type Payment = NonNullable<Fields['successful_payment']>

/** Kinds of content that we cannot read and that may have a caption; only their field names are known. */
const UNREAD = [
  ...Object.keys(attachmentFields).filter((field) => field !== 'reply_to_story'),
  'game',
  'invoice',
  'paid_media',
  'giveaway',
]
const WORDS = new Set(['text', 'caption', 'web_app_data'])
/** Fields of any message: its identity, its place and its formatting. */
const ABOUT = new Set([
  ...['message_id', 'message_thread_id', 'direct_messages_topic', 'is_topic_message', 'chat', 'from', 'sender_chat'],
  ...['sender_boost_count', 'sender_business_bot', 'sender_tag', 'business_connection_id', 'guest_bot_caller_chat'],
  ...['date', 'edit_date', 'author_signature', 'via_bot', 'is_from_offline', 'is_automatic_forward', 'is_paid_post'],
  ...['forward_origin', 'forward_from', 'forward_from_chat', 'forward_from_message_id', 'forward_signature'],
  ...['forward_sender_name', 'forward_date', 'reply_to_message', 'external_reply', 'quote', 'reply_to_story'],
  ...['reply_to_checklist_task_id', 'reply_to_poll_option_id', 'media_group_id', 'paid_star_count', 'effect_id'],
  ...['has_protected_content', 'suggested_post_info', 'entities', 'link_preview_options'],
  ...['caption_entities', 'show_caption_above_media', 'has_media_spoiler', 'reply_markup'],
])
/** Events that Telegram reports as messages, without content of a sender. Forum topics and calls: by their prefix. */
const EVENTS = new Set([
  ...['new_chat_members', 'left_chat_member', 'chat_owner_left', 'chat_owner_changed', 'new_chat_title'],
  ...['new_chat_photo', 'delete_chat_photo', 'group_chat_created', 'supergroup_chat_created', 'channel_chat_created'],
  ...['message_auto_delete_timer_changed', 'migrate_to_chat_id', 'migrate_from_chat_id', 'pinned_message'],
  ...['connected_website', 'write_access_allowed', 'proximity_alert_triggered', 'boost_added', 'chat_background_set'],
  ...['giveaway_created', 'giveaway_completed', 'paid_message_price_changed', 'direct_message_price_changed'],
])
const EVENT_PREFIX = /^(?:general_)?forum_topic_|^(?:video|voice)_chat_|^suggested_post_|^managed_bot_/

/** A story that is replied to comes before what is attached. @param raw the message as it came, for kinds that are only named */
export function attachmentsOf(message: Fields, raw: object): InboundAttachment[] {
  const about = message.reply_to_story ? [{ ...bare('other', null), name: 'story' }] : []
  return [...about, ...attachedTo(message, raw)]
}

function attachedTo(message: Fields, raw: object): InboundAttachment[] {
  const found = first(message)
  if (found) return [found]
  const picked = pickedIn(message)
  if (picked.length > 0) return picked
  const name = UNREAD.find((kind) => kind in raw) ?? unknownIn(raw)
  return name === undefined ? [] : [{ ...bare('other', null), name }]
}

/** The content of a message without text, of any kind: nothing that a person has sent is dropped. */
function unknownIn(raw: object): string | undefined {
  const fields = Object.entries(raw).flatMap(([field, value]) => (value === undefined ? [] : [field]))
  if (fields.some((field) => WORDS.has(field))) return undefined
  const kinds = fields.filter((field) => !ABOUT.has(field))
  return kinds.some((kind) => EVENTS.has(kind) || EVENT_PREFIX.test(kind)) ? undefined : kinds[0]
}

/** The more specific kind first: a GIF comes as a document too, a venue as a location too. */
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
  if (venue) return bare('location', placeOf(venue.location ?? location, venue.title, venue.address))
  if (location) return bare('location', placeOf(location))
  if (contact) return bare('contact', `${fullName(contact)}, ${contact.phone_number}`)
  const { poll, checklist } = message
  if (poll) return listOf('poll', poll.question, poll.options)
  return checklist ? listOf('checklist', checklist.title, checklist.tasks) : null
}

function placeOf(at: z.infer<typeof point> | undefined, ...words: string[]): string {
  return [...words, at && `${at.latitude}, ${at.longitude}`].filter(Boolean).join(', ')
}

function listOf(name: string, title: string, items: { text: string }[]): InboundAttachment {
  return { ...bare('other', [title, ...items.map(({ text }) => `– ${text}`)].join('\n')), name }
}

function fullName({ first_name: first, last_name: last }: Named): string {
  return [first, last].filter(Boolean).join(' ')
}

/** What the customer has picked or paid with a button. */
function pickedIn({
  users_shared: people,
  chat_shared: chat,
  successful_payment: paid,
  refunded_payment: refunded,
}: Fields): InboundAttachment[] {
  if (people) return people.users.map((one) => bare('contact', contactOf(one.user_id, fullName(one), one.username)))
  if (chat) return [bare('contact', contactOf(chat.chat_id, chat.title ?? '', chat.username))]
  if (paid) return [{ ...bare('other', amountOf(paid)), name: 'successful_payment' }]
  return refunded ? [{ ...bare('other', amountOf(refunded)), name: 'refunded_payment' }] : []
}

function contactOf(id: number, title: string, username: string | undefined): string {
  return [title, username && `@${username}`, String(id)].filter(Boolean).join(', ')
}

/**
 * Currencies whose smallest unit is not a hundredth; those of Intl differ, because they describe how people write prices.
 *
 * @source core.telegram.org/bots/payments/currencies.json
 */
const FRACTION_DIGITS = new Map([
  ...['CLP', 'ISK', 'JPY', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'XAF', 'XOF', 'XTR'].map((code) => [code, 0] as const),
  ...['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].map((code) => [code, 3] as const),
])

/** Amounts come in the smallest unit of their currency; Telegram's stars (XTR) have no smaller unit. */
function amountOf({ currency, total_amount: amount }: Payment): string {
  const digits = FRACTION_DIGITS.get(currency) ?? 2
  return `${(amount / 10 ** digits).toFixed(digits)} ${currency}`
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
