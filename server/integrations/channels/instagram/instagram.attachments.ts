// Attachments of an Instagram message → InboundAttachment. Files come as addresses that Meta serves for some days.
// @source developers.facebook.com/docs/instagram-platform/webhooks/examples
import { z } from 'zod'
import type { InboundAttachment } from '#server/integrations/channels/contract/inbound.ts'
import type { AttachmentKind } from '#shared/messaging/attachments.ts'

const text = z.string().optional().catch(undefined)
const attachment = z.object({
  type: z.string(),
  payload: z.object({ url: text, title: text }).optional().catch(undefined),
})
const adContext = z.object({ ad_title: text, photo_url: text, video_url: text }).optional().catch(undefined)
const story = z.object({ url: text }).optional().catch(undefined)

/** The fields of a message that attachments are read from. A malformed one does not invalidate the rest of the message. */
export const attachmentFields = {
  attachments: z.array(z.unknown()).optional().catch(undefined),
  /** Content that Instagram's API does not support. */
  is_unsupported: z.boolean().optional().catch(undefined),
  reply_to: z.object({ mid: text, story }).optional().catch(undefined),
  /** The advertisement or product that the customer writes about. */
  referral: z
    .object({ ads_context_data: adContext, product: z.object({ id: z.string() }).optional().catch(undefined) })
    .optional()
    .catch(undefined),
}
const fields = z.object(attachmentFields)
type Content = z.infer<typeof fields>

/** Kinds of files that a customer sends. A recording that is sent in a chat is a voice message. */
const FILES: Record<string, AttachmentKind> = { image: 'image', video: 'video', audio: 'voice', file: 'document' }
/** Public videos that are shared in a chat. */
const FILMS = new Set(['ig_reel', 'reel'])
/** Shared posts and stories: usually a picture. One that turns out to be something else is reported as not readable. */
const PICTURES = new Set(['share', 'media', 'media_share', 'ig_post', 'post', 'story', 'ig_story', 'story_mention'])

/** In the order of the message; what it is about, a story or an advertisement, comes before what is attached. Unknown ones are represented by their kind. */
export function attachmentsOf(content: Content): InboundAttachment[] {
  const attached = (content.attachments ?? []).map((given) => ofAttachment(attachment.safeParse(given).data))
  const about = content.reply_to?.story
  const shown = about ? [{ ...bare('image'), fileId: about.url ?? null, name: 'story' }] : []
  const unsaid = content.is_unsupported && attached.length === 0 ? [{ ...bare('other'), name: 'unsupported' }] : []
  return [...shown, ...subjectsOf(content), ...attached, ...unsaid]
}

function subjectsOf({ referral }: Content): InboundAttachment[] {
  const { ad_title: title, photo_url: photo, video_url: film } = referral?.ads_context_data ?? {}
  const name = title || 'ad'
  const ad = photo
    ? [{ ...bare('image'), fileId: photo, name }]
    : film
      ? [{ ...bare('video'), fileId: film, name }]
      : title
        ? [{ ...bare('other'), name: 'ad', text: title }]
        : []
  const asked = referral?.product?.id
  return [...ad, ...(asked ? [{ ...bare('other'), name: 'product', text: asked }] : [])]
}

/** Posts, reels and stories of others, and those in which the account is mentioned: their author is not included. */
export function isPassedOn({ attachments = [] }: Content): boolean {
  return attachments.some((given) => {
    const { type = '' } = attachment.safeParse(given).data ?? {}
    return FILMS.has(type) || PICTURES.has(type)
  })
}

function ofAttachment(given: z.infer<typeof attachment> | undefined): InboundAttachment {
  const { type = 'unsupported', payload } = given ?? {}
  const url = payload?.url ?? null
  const title = payload?.title ?? null
  const file = FILES[type]
  if (file && url) return { ...bare(file), fileId: url, name: file === 'document' ? nameIn(url) : title }
  if (FILMS.has(type) && url) return { ...bare('video'), fileId: url, name: title ?? type }
  if (PICTURES.has(type) && url) return { ...bare('image'), fileId: url, name: title ?? type }
  return { ...bare('other'), name: type }
}

/** Files have no names of their own; where the address ends like one, it is one. */
function nameIn(url: string): string | null {
  const last = URL.parse(url)?.pathname.split('/').at(-1) ?? ''
  if (!/\.\w{1,5}$/.test(last)) return null
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

function bare(kind: AttachmentKind): InboundAttachment {
  return { kind, fileId: null, mimeType: null, name: null, sizeBytes: null, durationSeconds: null, text: null }
}
