// What a WhatsApp message holds besides text → InboundAttachment, and the files that GREEN-API gives out and takes.
// @source green-api.com/en/docs/api/receiving/notifications-format/incoming-message
import { z } from 'zod'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { ChannelMedia } from '#server/integrations/channels/contract/channel.media.ts'
import type { InboundAttachment } from '#server/integrations/channels/contract/inbound.ts'
import { type Outbound, OutboundError } from '#server/integrations/http/outbound.ts'
import type { AttachmentKind } from '#shared/messaging/attachments.ts'
import type { Ask } from './green-api.call.ts'

const text = z.string().optional().catch(undefined)
const file = z.object({ caption: text, downloadUrl: text, fileName: text, mimeType: text })
const card = z.object({ displayName: text, vcard: text })
const cards = z.array(card).optional().catch(undefined)
const poll = z.object({
  name: text,
  options: z.array(z.object({ optionName: text })).catch([]),
  /** Of a vote: the poll's message, and who has chosen what by now. */
  stanzaId: text,
  votes: z.array(z.object({ optionName: text, optionVoters: z.array(z.string()).catch([]) })).catch([]),
})
/** `sourceType` is set where the message was begun from an advertisement; without it, these describe a link. */
const written = z.object({ text: z.string(), title: text, description: text, sourceType: text, sourceUrl: text })
const place = z.object({ nameLocation: text, address: text, latitude: z.number(), longitude: z.number() })

/** The fields of `messageData` that attachments are read from. A malformed one does not invalidate the rest of the message. */
export const attachmentFields = {
  fileMessageData: file.optional().catch(undefined),
  locationMessageData: place.optional().catch(undefined),
  contactMessageData: card.optional().catch(undefined),
  /** Several contacts stand in an object of the name of the one around it, or next to their type. */
  messageData: z.object({ contacts: cards }).optional().catch(undefined),
  contacts: cards,
  pollMessageData: poll.optional().catch(undefined),
  groupInviteMessageData: z.object({ groupName: text, caption: text }).optional().catch(undefined),
  extendedTextMessageData: written.optional(),
}
const fields = z.object({ typeMessage: z.string(), ...attachmentFields })
type File = z.infer<typeof file>

const sentAnswer = z.object({ idMessage: z.string() })

const FILES: Record<string, AttachmentKind> = {
  imageMessage: 'image',
  videoMessage: 'video',
  documentMessage: 'document',
  audioMessage: 'audio',
}
/** Kinds that hold nothing but text. Unknown kinds are kept by their names: nothing that a customer sent is dropped. */
const WORDS = new Set(['textMessage', 'extendedTextMessage', 'quotedMessage'])

/** What is attached, and before it the advertisement that the customer writes about. @param text of the message */
export function attachmentsOf(message: z.infer<typeof fields>, text: string): InboundAttachment[] {
  const { title, description, sourceType, sourceUrl } = message.extendedTextMessageData ?? {}
  const words = sourceType === undefined ? '' : [title, description, sourceUrl].filter(Boolean).join('\n')
  const about = words === '' ? [] : [{ ...bare('other', words), name: 'ad' }]
  return [...about, ...attachedTo(message, text)]
}

function attachedTo(message: z.infer<typeof fields>, text: string): InboundAttachment[] {
  const { typeMessage, fileMessageData, locationMessageData: location, contactMessageData: contact } = message
  const kind = FILES[typeMessage]
  if (kind && fileMessageData) return [ofFile(kind, fileMessageData)]
  if (typeMessage === 'stickerMessage') return [bare('sticker', '')]
  if (location) {
    const { nameLocation, address, latitude, longitude } = location
    return [bare('location', [nameLocation, address, `${latitude}, ${longitude}`].filter(Boolean).join(', '))]
  }
  const people = contact ? [contact] : (message.messageData?.contacts ?? message.contacts ?? [])
  if (people.length > 0) return people.map((one) => bare('contact', contactText(one)))
  const described = describedIn(message)
  if (described) return [described]
  return !kind && (text !== '' || WORDS.has(typeMessage)) ? [] : [unread(typeMessage)]
}

/** Content that is words alone, in a form of its own. */
export function describedIn({
  pollMessageData: poll,
  groupInviteMessageData: invite,
}: Pick<z.infer<typeof fields>, 'pollMessageData' | 'groupInviteMessageData'>) {
  if (poll) {
    const options = poll.options.flatMap(({ optionName }) => (optionName ? [`– ${optionName}`] : []))
    return { ...bare('other', [poll.name, ...options].filter(Boolean).join('\n')), name: 'poll' }
  }
  if (!invite) return null
  return { ...bare('other', [invite.groupName, invite.caption].filter(Boolean).join('\n')), name: 'group_invite' }
}

function contactText({ displayName, vcard }: z.infer<typeof card>): string {
  return [displayName, ...numbersIn(vcard)].filter(Boolean).join(', ')
}

/** Something that cannot be read; `name` is all that is known of it. */
export function unread(name: string): InboundAttachment {
  return { ...bare('other', null), name }
}

/** The telephone numbers of a card, as they are written in it. @source RFC 6350, section 6.4.1 */
function numbersIn(card = ''): string[] {
  return [...card.matchAll(/^(?:[\w-]+\.)?TEL(?:;[^:\r\n]*)?:(?:tel:)?([+\d][\d ()-]*)/gim)].map(([, number = '']) =>
    number.trim(),
  )
}

/** A recording made in the chat is OGG; other audio was sent as a file. */
function ofFile(kind: AttachmentKind, { downloadUrl, fileName, mimeType }: File): InboundAttachment {
  const isVoice = kind === 'audio' && mimeType?.startsWith('audio/ogg')
  return {
    ...bare(isVoice ? 'voice' : kind, null),
    fileId: downloadUrl || null,
    mimeType: mimeType?.split(';')[0]?.trim() ?? null,
    name: kind === 'document' ? (fileName ?? null) : null,
  }
}

function bare(kind: AttachmentKind, text: string | null): InboundAttachment {
  return { kind, fileId: null, mimeType: null, name: null, sizeBytes: null, durationSeconds: null, text }
}

/**
 * Files are at an address of the provider's storage, which changes; it came in a notification, so it is fetched as untrusted. The extension
 * of a sent file decides how it is shown: OGG as a voice message.
 * @source green-api.com/en/docs/api/sending/SendFileByUpload
 */
export function createMedia(outbound: Outbound, ask: Ask): Required<ChannelMedia> {
  const upload = async (token: string, chatId: string, name: string, file: Blob) => {
    const form = new FormData()
    form.set('chatId', chatId)
    form.set('fileName', name)
    form.set('file', file, name)
    const { idMessage } = await ask(token, { verb: 'POST', method: 'sendFileByUpload', body: form }, sentAnswer)
    return { externalMessageId: idMessage }
  }
  return {
    sendFile: ({ token }, chatId, { name, mimeType, bytes }) =>
      upload(token, chatId, named(name), blobOf(bytes, mimeType ?? 'application/octet-stream')),
    sendVoice: ({ token }, chatId, audio) => upload(token, chatId, 'voice.ogg', blobOf(audio, 'audio/ogg')),
    async download(_, fileId, maxBytes) {
      try {
        return await outbound.get(fileId, maxBytes)
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error
        const isFinal = /answered 4|more than|not a /.test(error.message)
        throw new AdapterError(isFinal ? 'permanent' : 'temporary', 'the file is not given out')
      }
    },
  }
}

/** GREEN-API refuses a name without an extension. */
function named(name: string): string {
  return /\.\w+$/.test(name) ? name : `${name}.bin`
}

function blobOf(bytes: Uint8Array, type: string): Blob {
  return new Blob([new Uint8Array(bytes)], { type })
}
