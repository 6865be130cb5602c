// Attachments of a Cloud API message → InboundAttachment.
// @source developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages
import { z } from 'zod'
import type { InboundAttachment } from '#server/integrations/channels/contract/inbound.ts'
import type { AttachmentKind } from '#shared/messaging/attachments.ts'

const text = z.string().optional().catch(undefined)
const file = z
  .object({
    id: z.string(),
    mime_type: text,
    caption: text,
    filename: text,
    voice: z.boolean().optional().catch(undefined),
  })
  .optional()
  .catch(undefined)
const person = z.object({
  name: z.object({ formatted_name: text }).optional().catch(undefined),
  phones: z
    .array(z.object({ phone: text }))
    .optional()
    .catch(undefined),
  emails: z
    .array(z.object({ email: text }))
    .optional()
    .catch(undefined),
})

/** An order from the catalogue: its products are named by the seller's ids. */
const item = z.object({
  product_retailer_id: z.string(),
  quantity: z.coerce.number(),
  item_price: z.coerce.number().optional().catch(undefined),
  currency: text,
})

const flag = z.boolean().optional().catch(undefined)
const product = z.object({ product_retailer_id: z.string() }).optional().catch(undefined)

/** The fields of a message that attachments are read from. A malformed one does not invalidate the rest of the message. */
export const attachmentFields = {
  type: z.string(),
  image: file,
  audio: file,
  video: file,
  document: file,
  sticker: file,
  location: z
    .object({ latitude: z.number(), longitude: z.number(), name: text, address: text })
    .optional()
    .catch(undefined),
  contacts: z.array(person).optional().catch(undefined),
  order: z
    .object({ text, product_items: z.array(item).optional().catch(undefined) })
    .optional()
    .catch(undefined),
  /** The advertisement or post that the customer writes about. */
  referral: z.object({ source_type: text, source_url: text, headline: text, body: text }).optional().catch(undefined),
  /** `referred_product`: the product of the catalogue that the customer asks about. */
  context: z
    .object({ id: text, forwarded: flag, frequently_forwarded: flag, referred_product: product })
    .optional()
    .catch(undefined),
}
const fields = z.object(attachmentFields)
type Content = z.infer<typeof fields>
type File = NonNullable<Content['image']>

const FILES = ['image', 'audio', 'video', 'document'] as const
/** Kinds of content that are only text. A button or form without text is represented by its kind. */
const WORDS = new Set(['text', 'button', 'interactive'])

/** What is attached, and before it what the customer writes about. @param text its text, may be empty */
export function attachmentsOf(content: Content, text: string): InboundAttachment[] {
  return [...subjectsOf(content), ...attachedTo(content, text)]
}

function subjectsOf({ referral, context }: Content): InboundAttachment[] {
  const words = [referral?.headline, referral?.body, referral?.source_url].filter(Boolean).join('\n')
  const asked = context?.referred_product?.product_retailer_id
  return [
    ...(words ? [{ ...bare('other', words), name: referral?.source_type === 'post' ? 'post' : 'ad' }] : []),
    ...(asked ? [{ ...bare('other', asked), name: 'product' }] : []),
  ]
}

/** At most one. Unknown or malformed content is represented by the name of its kind. */
function attachedTo(content: Content, text: string): InboundAttachment[] {
  const kind = FILES.find((name) => name === content.type)
  const given = kind && content[kind]
  if (kind && given) return [ofFile(kind, given)]
  if (content.type === 'sticker') return [bare('sticker', '')]
  if (content.type === 'location' && content.location) return [bare('location', wordsOf(content.location))]
  const people = content.type === 'contacts' ? (content.contacts ?? []) : []
  if (people.length > 0) return people.map((one) => bare('contact', nameOf(one)))
  if (content.type === 'order' && content.order) return [ofOrder(content.order)]
  const isText = WORDS.has(content.type) && (text !== '' || content.type === 'text')
  return isText ? [] : [{ ...bare('other', null), name: content.type }]
}

/** The caption of a file. */
export function captionOf({ image, video, document, audio }: Content): string {
  return (image ?? video ?? document ?? audio)?.caption ?? ''
}

function ofFile(kind: (typeof FILES)[number], { id, mime_type: type, filename, voice }: File): InboundAttachment {
  return {
    ...bare(kind === 'audio' && voice ? 'voice' : kind, null),
    fileId: id,
    mimeType: type?.split(';')[0]?.trim() ?? null,
    name: kind === 'document' ? (filename ?? null) : null,
  }
}

function ofOrder({ text: note, product_items: items = [] }: NonNullable<Content['order']>): InboundAttachment {
  const lines = items.map(({ product_retailer_id: id, quantity, item_price: price, currency }) =>
    [`${id} × ${quantity}`, price !== undefined && `${price} ${currency ?? ''}`.trim()].filter(Boolean).join(', '),
  )
  return { ...bare('other', [note, ...lines].filter(Boolean).join('\n')), name: 'order' }
}

function wordsOf({ latitude, longitude, name, address }: NonNullable<Content['location']>): string {
  return [name, address, `${latitude}, ${longitude}`].filter(Boolean).join(', ')
}

function nameOf({ name, phones = [], emails = [] }: z.infer<typeof person>): string {
  const addresses = [...phones.map(({ phone }) => phone), ...emails.map(({ email }) => email)]
  return [name?.formatted_name, ...addresses].filter(Boolean).join(', ')
}

function bare(kind: AttachmentKind, text: string | null): InboundAttachment {
  return { kind, fileId: null, mimeType: null, name: null, sizeBytes: null, durationSeconds: null, text }
}
