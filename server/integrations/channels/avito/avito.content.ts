// The content of an Avito message → text and InboundAttachment. A message is one thing: text, a picture, a recording, a location.
// @source developers.avito.ru/api-catalog/messenger/documentation#operation/postWebhookV3
import { z } from 'zod'
import type { InboundAttachment } from '#server/integrations/channels/contract/inbound.ts'
import type { AttachmentKind } from '#shared/messaging/attachments.ts'

const words = z.string().nullish().catch(undefined)

/** Each kind of message fills its own field; the others are absent or null. A malformed field does not invalidate the rest. */
export const contentFields = z.object({
  text: words,
  link: z.object({ text: words, url: words }).nullish().catch(undefined),
  item: z.object({ title: words, price_string: words, item_url: words }).nullish().catch(undefined),
  image: z
    .object({ sizes: z.record(z.string(), z.string()) })
    .nullish()
    .catch(undefined),
  voice: z.object({ voice_id: z.string() }).nullish().catch(undefined),
  location: z
    .object({ lat: z.number().optional(), lon: z.number().optional(), text: words, title: words })
    .nullish()
    .catch(undefined),
})
export type Content = z.infer<typeof contentFields>

/** Before the id of a recording, in the name by which it is downloaded: a picture goes by its address. */
export const VOICE_PREFIX = 'voice:'
/** Separates the parts of an ad's description. */
const SEPARATOR = ' · '
/** Kinds of message that hold only text, which may be empty. */
const WORDS = new Set(['text', 'link', 'item'])

/** The text of a message. */
export function textOf(type: string, { text, link, item }: Content): string {
  if (type === 'link' && link) return (link.text || link.url || text || '').trim()
  if (type === 'item' && item) return aboutAd(item.title, item.price_string, item.item_url)
  return (text ?? '').trim()
}

/** An ad in one line. */
export function aboutAd(...parts: (string | null | undefined)[]): string {
  return parts
    .map((part) => part?.trim())
    .filter(Boolean)
    .join(SEPARATOR)
}

/** The attachments of a message. Content that Avito withholds or that we do not know is represented by the name of its kind. */
export function attachmentsOf(type: string, content: Content): InboundAttachment[] {
  const { image, voice, location } = content
  if (type === 'text' || (WORDS.has(type) && textOf(type, content) !== '')) return []
  const picture = type === 'image' && image ? largest(image.sizes) : undefined
  if (picture !== undefined) return [{ ...bare('image', null), fileId: picture }]
  if (type === 'voice' && voice) {
    return [{ ...bare('voice', null), fileId: VOICE_PREFIX + voice.voice_id, mimeType: 'audio/mp4' }]
  }
  if (type === 'location' && location) return [bare('location', placeOf(location))]
  return [{ ...bare('other', null), name: type }]
}

/** Of addresses by sizes such as "1280x960". */
function largest(sizes: Record<string, string>): string | undefined {
  const area = (size: string) => size.split('x').reduce((product, side) => product * (Number(side) || 0), 1)
  return Object.entries(sizes).sort(([one], [other]) => area(other) - area(one))[0]?.[1]
}

function placeOf({ lat, lon, text, title }: NonNullable<Content['location']>): string {
  return title || text || [lat, lon].filter((side) => side !== undefined).join(', ')
}

function bare(kind: AttachmentKind, text: string | null): InboundAttachment {
  return { kind, fileId: null, mimeType: null, name: null, sizeBytes: null, durationSeconds: null, text }
}
