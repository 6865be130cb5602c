// Files of Instagram. A customer's file is at an address that came with the message; a file of ours is fetched by Meta from an address of
// ours, while the sending waits.
// @source developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/messaging-api
import { fileTypeFromBuffer } from 'file-type'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { ChannelMedia, OutgoingFile } from '#server/integrations/channels/contract/channel.media.ts'
import type { Sent } from '#server/integrations/channels/contract/credentials.ts'
import { fetchNamedFile } from '#server/integrations/channels/contract/named-file.ts'
import type { Outbound } from '#server/integrations/http/outbound.ts'

/** The address at which Meta can fetch a file for the next minutes; null: there is none. */
export type LinkTo = (file: OutgoingFile) => string | null

type Parts = {
  outbound: Outbound
  linkTo: LinkTo
  /** Sends a message to a chat. */
  post(token: string, chatId: string, message: object): Promise<Sent>
}

const MEGABYTE = 1024 * 1024
/** What may be sent, and as what. */
const TAKEN: { type: 'image' | 'video' | 'audio' | 'file'; types: RegExp; maxBytes: number }[] = [
  { type: 'image', types: /^image\/(?:png|jpeg|gif)$/, maxBytes: 8 * MEGABYTE },
  { type: 'video', types: /^video\/(?:mp4|ogg|x-msvideo|vnd\.avi|quicktime|webm)$/, maxBytes: 25 * MEGABYTE },
  { type: 'audio', types: /^audio\/(?:aac|mp4|x-m4a|wav|x-wav)$/, maxBytes: 25 * MEGABYTE },
  { type: 'file', types: /^application\/pdf$/, maxBytes: 25 * MEGABYTE },
]

export function createInstagramMedia({ outbound, linkTo, post }: Parts): ChannelMedia {
  return {
    download: (_, fileId, maxBytes, signal) => fetchNamedFile(outbound, fileId, maxBytes, signal),

    async sendFile({ token }, chatId, file) {
      const type = await typeOf(file)
      const url = linkTo(file)
      if (url === null) throw new AdapterError('permanent', 'Meta could not fetch the file from here')
      return post(token, chatId, { attachment: { type, payload: { url } } })
    },
  }
}

/** By its bytes, where they say what they are. */
async function typeOf({ bytes, mimeType }: OutgoingFile): Promise<string> {
  const found = (await fileTypeFromBuffer(bytes))?.mime.split(';')[0] ?? mimeType ?? ''
  const taken = TAKEN.find(({ types }) => types.test(found))
  if (!taken) throw new AdapterError('permanent', 'Instagram takes pictures, films, recordings and PDF only')
  if (bytes.length > taken.maxBytes) throw new AdapterError('permanent', 'larger than Instagram takes')
  return taken.type
}
