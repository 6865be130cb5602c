// Files of the Cloud API: a file is uploaded first, and then sent by its id; the address of a customer's file is valid for five minutes.
// @source developers.facebook.com/documentation/business-messaging/whatsapp/business-phone-numbers/media
import { z } from 'zod'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { ChannelMedia, OutgoingFile } from '#server/integrations/channels/contract/channel.media.ts'
import type { Sent } from '#server/integrations/channels/contract/credentials.ts'
import type { Ask, Fetch } from '#server/integrations/channels/meta/graph.ts'
import { readCloudAccess } from './whatsapp-cloud.access.ts'

const uploaded = z.object({ id: z.string() })
const located = z.object({ url: z.string(), file_size: z.coerce.number().optional().catch(undefined) })

const MEGABYTE = 1024 * 1024
/** Types that are displayed, up to their size limits; everything else is sent as a document. */
const SHOWN: { kind: 'image' | 'video' | 'audio'; types: RegExp; maxBytes: number }[] = [
  { kind: 'image', types: /^image\/(?:jpeg|png)$/, maxBytes: 5 * MEGABYTE },
  { kind: 'video', types: /^video\/(?:mp4|3gpp)$/, maxBytes: 16 * MEGABYTE },
  { kind: 'audio', types: /^audio\/(?:aac|amr|mpeg|mp4)$/, maxBytes: 16 * MEGABYTE },
]

type Given = { type: string; name: string; bytes: Uint8Array }

/** @param post sends the message that names an uploaded file */
export function createMedia(
  { ask, fetch }: { ask: Ask; fetch: Fetch },
  post: (token: string, chatId: string, content: object) => Promise<Sent>,
): Required<ChannelMedia> {
  /** No customer sees an upload: whatever its outcome, no message has been sent. */
  const upload = async (token: string, { type, name, bytes }: Given): Promise<string> => {
    const form = new FormData()
    form.set('messaging_product', 'whatsapp')
    form.set('type', type)
    form.set('file', new Blob([new Uint8Array(bytes)], { type }), name)
    const call = { verb: 'POST', path: `${readCloudAccess(token).phoneNumberId}/media`, body: form } as const
    const { id } = await ask(token, call, uploaded).catch(unlessUnsent)
    return id
  }
  return {
    async download({ token }, fileId, maxBytes, signal) {
      const path = encodeURIComponent(fileId)
      const { url, file_size: size } = await ask(token, { path, signal }, located).catch(unlessUnsent)
      if (size !== undefined && size > maxBytes) throw new AdapterError('permanent', 'larger than wanted')
      return fetch(token, url, maxBytes, signal)
    },

    async sendFile({ token }, chatId, file) {
      const type = file.mimeType ?? 'application/octet-stream'
      const kind = kindOf(file, type)
      const id = await upload(token, { type, name: file.name, bytes: file.bytes })
      const named = kind === 'document' ? { id, filename: file.name } : { id }
      return post(token, chatId, { type: kind, [kind]: named })
    },

    async sendVoice({ token }, chatId, audio) {
      const id = await upload(token, { type: 'audio/ogg', name: 'voice.ogg', bytes: audio })
      return post(token, chatId, { type: 'audio', audio: { id, voice: true } })
    },
  }
}

function kindOf({ bytes }: OutgoingFile, type: string): 'image' | 'video' | 'audio' | 'document' {
  return SHOWN.find(({ types, maxBytes }) => types.test(type) && bytes.length <= maxBytes)?.kind ?? 'document'
}

/** @throws always */
function unlessUnsent(error: unknown): never {
  if (error instanceof AdapterError && error.kind === 'unknown_outcome')
    throw new AdapterError('temporary', error.message)
  throw error
}
