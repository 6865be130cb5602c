// What a message of MAX holds besides text → InboundAttachment. @source dev.max.ru/docs-api/objects/Message
import { z } from 'zod'
import type { InboundAttachment } from '#server/integrations/channels/contract/inbound.ts'
import type { AttachmentKind } from '#shared/messaging/attachments.ts'

/** A file has an address, or a token by which MAX names one. */
const payload = z.object({ url: z.string().optional(), token: z.string().optional() })
const known = z.discriminatedUnion('type', [
  z.object({ type: z.literal('image'), payload }),
  z.object({ type: z.literal('video'), payload, duration: z.number().min(0).optional().catch(undefined) }),
  z.object({ type: z.literal('audio'), payload }),
  z.object({
    type: z.literal('file'),
    payload,
    filename: z.string().optional().catch(undefined),
    size: z.number().int().min(0).optional().catch(undefined),
  }),
  z.object({ type: z.literal('sticker') }),
  z.object({ type: z.literal('location'), latitude: z.number(), longitude: z.number() }),
  z.object({
    type: z.literal('contact'),
    payload: z.object({
      vcf_info: z.string().nullish(),
      max_info: z.object({ name: z.string().optional(), first_name: z.string().optional() }).nullish(),
    }),
  }),
  z.object({ type: z.literal('share'), payload: z.object({ url: z.string().nullish() }).optional() }),
  z.object({ type: z.literal('inline_keyboard') }),
])
type Known = z.infer<typeof known>
const named = z.object({ type: z.string() })

/** Prefix of a video's token, whose addresses have to be requested. */
export const VIDEO_PREFIX = 'video:'
const PICTURE = /\.(?:jpe?g|png|gif|webp|bmp|heic|tiff?)$/i

/** A malformed attachment does not invalidate the rest of the message: it is represented by its kind. */
export function attachmentsOf(given: readonly unknown[]): InboundAttachment[] {
  return given.flatMap((each) => {
    const read = known.safeParse(each)
    if (read.success) return ofKnown(read.data) ?? []
    const { type } = named.safeParse(each).data ?? {}
    return [{ ...bare('other', null), name: type ?? null }]
  })
}

/** The placeholder for a message without text and readable attachments, such as a link shared alone. */
export function wordlessOf(given: readonly unknown[]): InboundAttachment[] {
  return given.slice(0, 1).map((each) => {
    const read = known.safeParse(each).data
    const name = read?.type === 'share' ? read.payload?.url : read?.type
    return { ...bare('other', null), name: name ?? 'share' }
  })
}

/** Null: it adds nothing to the text. */
function ofKnown(given: Known): InboundAttachment | null {
  switch (given.type) {
    case 'image':
      return { ...bare('image', null), fileId: given.payload.url ?? null }
    case 'video': {
      const { token, url } = given.payload
      const fileId = token ? VIDEO_PREFIX + token : (url ?? null)
      return { ...bare('video', null), fileId, durationSeconds: given.duration ?? null }
    }
    case 'audio':
      return { ...bare('voice', null), fileId: given.payload.url ?? null }
    case 'file':
      return {
        ...bare(PICTURE.test(given.filename ?? '') ? 'image' : 'document', null),
        fileId: given.payload.url ?? null,
        name: given.filename ?? null,
        sizeBytes: given.size ?? null,
      }
    case 'sticker':
      return bare('sticker', '')
    case 'location':
      return bare('location', `${given.latitude}, ${given.longitude}`)
    case 'contact':
      return bare('contact', contactText(given.payload))
    default:
      return null
  }
}

/** A vCard holds one field per line. */
function contactText({ vcf_info: card, max_info: person }: Extract<Known, { type: 'contact' }>['payload']): string {
  const lineOf = (key: string) => new RegExp(`^${key}[^:\r\n]*:(.+)$`, 'im').exec(card ?? '')?.[1]?.trim()
  const name = lineOf('FN') ?? person?.name ?? person?.first_name
  const numbers = [...(card ?? '').matchAll(/^(?:[\w-]+\.)?TEL[^:\r\n]*:(.+)$/gim)].map(([, number]) => number?.trim())
  return [name, ...numbers].filter(Boolean).join(', ')
}

function bare(kind: AttachmentKind, text: string | null): InboundAttachment {
  return { kind, fileId: null, mimeType: null, name: null, sizeBytes: null, durationSeconds: null, text }
}
