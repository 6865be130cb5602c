// Files of VK: a file is posted to an address that VK names, saved by what comes back, and attached to a message. What customers send lies
// at public addresses. @source dev.vk.com/ru/api/upload/overview
import { z } from 'zod'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { ChannelMedia, OutgoingFile } from '#server/integrations/channels/contract/channel.media.ts'
import type { Sent } from '#server/integrations/channels/contract/credentials.ts'
import { type Outbound, OutboundError } from '#server/integrations/http/outbound.ts'
import { type Ask, type Request, unlessUnsent, VkRefusal } from './vk.call.ts'

/** A file has to be uploaded completely before the answer. */
const UPLOAD_TIMEOUT_MS = 60_000
/** Larger pictures go as documents. @source dev.vk.com/ru/api/upload/photo-in-message */
const PHOTO_MAX_BYTES = 50 * 1024 * 1024
const PHOTO_TYPES: ReadonlySet<string | null> = new Set(['image/jpeg', 'image/png', 'image/gif'])

const place = z.object({ upload_url: z.string() })
const uploadedPhoto = z.object({ server: z.union([z.number(), z.string()]), photo: z.string(), hash: z.string() })
const uploadedFile = z.object({ file: z.string() })
const item = z.object({ id: z.number(), owner_id: z.number(), access_key: z.string().optional() })
const savedPhotos = z.array(item).min(1)
const saved = z.object({ type: z.string(), doc: item.optional(), audio_message: item.optional() })

/** Error codes for a missing right. */
const RIGHTS = new Set([7, 15])

type Given = { name: string; type: string; bytes: Uint8Array }
/** Sends the message that an uploaded file is attached to. */
export type PostFile = (key: string, chatId: string, attachment: string, partId: string) => Promise<Sent>

export function createMedia(
  { ask, request, outbound }: { ask: Ask; request: Request; outbound: Outbound },
  post: PostFile,
): Required<ChannelMedia> {
  // No customer sees an upload: whatever its outcome, no message has been sent. A key without the right to files can still send texts.
  const prepare = async <T>(steps: Promise<T>): Promise<T> => steps.catch(unlessUnsent).catch(unlessRightsLack)
  const upload = async <T>(url: string, field: string, file: Given, schema: z.ZodType<T>): Promise<T> => {
    const call = { method: 'POST', url, body: await formOf(field, file) } as const
    const answer = schema.safeParse(await request(call, { limitMs: UPLOAD_TIMEOUT_MS }))
    if (!answer.success) throw new AdapterError('permanent', 'VK does not take this file')
    return answer.data
  }

  async function savePhoto(key: string, chatId: string, file: Given): Promise<string | null> {
    const { upload_url: url } = await ask(key, 'photos.getMessagesUploadServer', { peer_id: chatId }, place)
    const { server, photo, hash } = await upload(url, 'photo', file, uploadedPhoto)
    if (photo === '[]' || photo === '') return null
    const [first] = await ask(key, 'photos.saveMessagesPhoto', { server, photo, hash }, savedPhotos)
    return first ? nameOf('photo', first) : null
  }

  async function saveDoc(key: string, chatId: string, type: 'doc' | 'audio_message', file: Given): Promise<string> {
    const asked = { type, peer_id: chatId }
    const { upload_url: url } = await ask(key, 'docs.getMessagesUploadServer', asked, place)
    const uploaded = await upload(url, 'file', file, uploadedFile)
    const made = await ask(key, 'docs.save', { file: uploaded.file, title: file.name }, saved)
    const found = made.audio_message ?? made.doc
    if (!found) throw new AdapterError('permanent', 'VK does not take this file')
    return nameOf(made.type, found)
  }

  return {
    async download(_, fileId, maxBytes, signal) {
      try {
        return (await outbound.fetch(fileId, { maxBytes, signal })).body
      } catch (error) {
        throw signal.aborted ? signal.reason : notGiven(error)
      }
    },

    async sendFile({ token: key }, chatId, file, partId) {
      const given = { name: file.name, type: file.mimeType ?? 'application/octet-stream', bytes: file.bytes }
      // A file that is not really a picture is sent as a document.
      const photo = isPhoto(file) ? await prepare(savePhoto(key, chatId, given)) : null
      return post(key, chatId, photo ?? (await prepare(saveDoc(key, chatId, 'doc', given))), partId)
    },

    async sendVoice({ token: key }, chatId, audio, partId) {
      const given = { name: 'voice.ogg', type: 'audio/ogg', bytes: audio }
      return post(key, chatId, await prepare(saveDoc(key, chatId, 'audio_message', given)), partId)
    },
  }
}

function isPhoto({ mimeType, bytes }: OutgoingFile): boolean {
  return PHOTO_TYPES.has(mimeType) && bytes.length <= PHOTO_MAX_BYTES
}

function nameOf(type: string, { owner_id, id, access_key }: z.infer<typeof item>): string {
  return [`${type}${owner_id}`, id, access_key].filter((part) => part !== undefined).join('_')
}

async function formOf(
  field: string,
  { name, type, bytes }: Given,
): Promise<{ bytes: Uint8Array; contentType: string }> {
  const form = new FormData()
  form.set(field, new Blob([new Uint8Array(bytes)], { type }), name)
  const encoded = new Response(form)
  const contentType = encoded.headers.get('content-type') ?? 'multipart/form-data'
  return { bytes: new Uint8Array(await encoded.arrayBuffer()), contentType }
}

/** @throws always */
function unlessRightsLack(error: unknown): never {
  const isRight = error instanceof VkRefusal && RIGHTS.has(error.code)
  throw isRight ? new AdapterError('permanent', error.message) : error
}

function notGiven(error: unknown): AdapterError {
  if (!(error instanceof OutboundError)) return new AdapterError('temporary', 'the file is not given out')
  const { status } = error
  const isOver = status === null ? /more than|not a/.test(error.message) : status < 500 && status !== 429
  return new AdapterError(isOver ? 'permanent' : 'temporary', `the file is not given out: ${status ?? 'no answer'}`)
}
