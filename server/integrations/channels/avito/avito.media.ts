// Files of Avito: pictures both ways, recordings from customers. A picture is uploaded first, and then sent by its id; a recording has an
// address for an hour, a picture one that came with its message. Addresses are fetched like a stranger's, without a token.
// @source developers.avito.ru/api-catalog/messenger/documentation#operation/uploadImages
import { z } from 'zod'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { ChannelMedia } from '#server/integrations/channels/contract/channel.media.ts'
import type { Sent } from '#server/integrations/channels/contract/credentials.ts'
import { fetchNamedFile } from '#server/integrations/channels/contract/named-file.ts'
import type { Outbound } from '#server/integrations/http/outbound.ts'
import { CHANNELS } from '#shared/channels/manifests.ts'
import type { Ask } from './avito.call.ts'
import { VOICE_PREFIX } from './avito.content.ts'

/** By the picture's id, its addresses. */
const uploaded = z.record(z.string(), z.unknown())
const located = z.object({ voices_urls: z.record(z.string(), z.string()) })

/** @param post sends the message that names an uploaded picture */
export function createMedia(
  ask: Ask,
  outbound: Outbound,
  post: (token: string, chatId: string, imageId: string) => Promise<Sent>,
): Pick<Required<ChannelMedia>, 'download' | 'sendFile'> {
  async function addressOf(token: string, fileId: string, signal: AbortSignal): Promise<string> {
    if (!fileId.startsWith(VOICE_PREFIX)) return fileId
    const id = fileId.slice(VOICE_PREFIX.length)
    const path = `/messenger/v1/accounts/{user_id}/getVoiceFiles?voice_ids=${encodeURIComponent(id)}`
    const { voices_urls: urls } = await ask(token, { path, signal }, located)
    const url = urls[id]
    if (url === undefined) throw new AdapterError('permanent', 'the recording is gone')
    return url
  }

  return {
    async download({ token }, fileId, maxBytes, signal) {
      const url = await addressOf(token, fileId, signal).catch(unlessUnsent)
      return fetchNamedFile(outbound, url, maxBytes, signal)
    },

    /** No customer sees an upload: whatever its outcome, no message has been sent. */
    async sendFile({ token }, chatId, { name, mimeType, bytes }) {
      if (!CHANNELS.avito.files.test(mimeType ?? '')) throw new AdapterError('permanent', 'only pictures can be sent')
      const form = new FormData()
      form.set('uploadfile[]', new Blob([new Uint8Array(bytes)], { type: mimeType ?? '' }), name)
      const call = { verb: 'POST', path: '/messenger/v1/accounts/{user_id}/uploadImages', body: form } as const
      const stored = await ask(token, call, uploaded).catch(unlessUnsent)
      const imageId = Object.keys(stored)[0]
      if (imageId === undefined) throw new AdapterError('temporary', 'the picture was not stored')
      return post(token, chatId, imageId)
    },
  }
}

/** For calls that the customer does not see. @throws always */
function unlessUnsent(error: unknown): never {
  if (error instanceof AdapterError && error.kind === 'unknown_outcome')
    throw new AdapterError('temporary', error.message)
  throw error
}
