// Files of MAX: an outgoing file is uploaded first, and then referenced by a message; a customer's file has an address.
// @source dev.max.ru/docs-api/methods/POST/uploads
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { ChannelMedia, OutgoingFile } from '#server/integrations/channels/contract/channel.media.ts'
import type { Sent } from '#server/integrations/channels/contract/credentials.ts'
import { type Outbound, OutboundError } from '#server/integrations/http/outbound.ts'
import { VIDEO_PREFIX } from './max.attachments.ts'
import { type Ask, type Upload, unlessUnsent } from './max.call.ts'

type Kind = 'image' | 'video' | 'audio' | 'file'
type Given = { kind: Kind; name: string; type: string; bytes: Uint8Array }
/** As a message names it. */
type Uploaded = { type: Kind; payload: object }

/** Pauses between attempts while MAX processes a file: until it is done, a message that references it is refused. */
const NOT_READY_WAITS = [1, 2, 4, 8]
const PICTURES = /^image\/(?:jpeg|png|gif|bmp|tiff|heic)$/
const VIDEOS = /^video\/(?:mp4|quicktime|webm|x-matroska)$/
/** The smaller the better: they are not viewed on a large screen. */
const VIDEO_SIZES = ['mp4_480', 'mp4_360', 'mp4_720', 'mp4_240', 'mp4_144', 'mp4_1080']

const place = z.object({ url: z.string(), token: z.string().nullish() })
const photos = z.object({ photos: z.record(z.string(), z.object({ token: z.string() })) })
const tokened = z.object({ token: z.string() })
const video = z.object({ urls: z.record(z.string(), z.string().nullish()).nullish() })

type MediaOptions = {
  ask: Ask
  upload: Upload
  outbound: Outbound
  /** Sends the message that names what was uploaded. */
  post: (token: string, chatId: string, content: object) => Promise<Sent>
  secondMs: number
}

export function createMedia({ ask, upload, outbound, post, secondMs }: MediaOptions): Required<ChannelMedia> {
  const store = async (token: string, { kind, name, type, bytes }: Given): Promise<Uploaded> => {
    const { url, token: given } = await ask(token, { verb: 'POST', path: `/uploads?type=${kind}` }, place).catch(
      unlessUnsent,
    )
    const form = new FormData()
    form.set('data', new Blob([new Uint8Array(bytes)], { type }), name)
    const answer = await upload(url, form)
    return { type: kind, payload: given ? { token: given } : payloadOf(answer) }
  }
  const send = async (token: string, chatId: string, file: Given): Promise<Sent> => {
    const attachment = await store(token, file)
    for (const seconds of NOT_READY_WAITS) {
      const sent = await post(token, chatId, { text: '', attachments: [attachment] }).catch(unlessNotReady)
      if (sent) return sent
      await sleep(seconds * secondMs, undefined, { ref: false })
    }
    throw new AdapterError('temporary', 'MAX has not worked the file through')
  }
  return {
    async download({ token }, fileId, maxBytes, signal) {
      const url = fileId.startsWith(VIDEO_PREFIX)
        ? await addressOfVideo(ask, token, fileId.slice(VIDEO_PREFIX.length), signal)
        : fileId
      return (await outbound.fetch(url, { maxBytes, signal }).catch(translate(signal))).body
    },

    async sendFile({ token }, chatId, file) {
      const given = { ...file, type: file.mimeType ?? 'application/octet-stream' }
      const kind = kindOf(file)
      if (kind === 'file') return send(token, chatId, { ...given, kind })
      // A file that is not really a picture is refused as one, and has definitely not arrived.
      return send(token, chatId, { ...given, kind }).catch((error: unknown) => {
        if (error instanceof AdapterError && error.kind === 'permanent')
          return send(token, chatId, { ...given, kind: 'file' })
        throw error
      })
    },

    sendVoice: ({ token }, chatId, audio) =>
      send(token, chatId, { kind: 'audio', name: 'voice.ogg', type: 'audio/ogg', bytes: audio }),
  }
}

async function addressOfVideo(ask: Ask, token: string, id: string, signal: AbortSignal): Promise<string> {
  const { urls } = await ask(token, { path: `/videos/${encodeURIComponent(id)}`, signal }, video).catch(unlessUnsent)
  const url = VIDEO_SIZES.map((size) => urls?.[size]).find(Boolean)
  if (!url) throw new AdapterError('permanent', 'the video is not given out')
  return url
}

function kindOf({ mimeType }: OutgoingFile): Kind {
  if (PICTURES.test(mimeType ?? '')) return 'image'
  return VIDEOS.test(mimeType ?? '') ? 'video' : 'file'
}

/** @throws AdapterError for an answer that names nothing */
function payloadOf(answer: string): object {
  const read = z.union([photos, tokened]).safeParse(parsed(answer))
  if (!read.success) throw new AdapterError('permanent', 'MAX has not taken the file')
  return read.data
}

/** @throws any error but the refusal of a file that is still being processed */
function unlessNotReady(error: unknown): null {
  if (error instanceof AdapterError && error.kind === 'permanent' && /attachment\.not\.ready/.test(error.message)) {
    return null
  }
  throw error
}

/** The error of a failed download: a file that is gone, too large or not public stays so. @throws always */
function translate(signal: AbortSignal): (error: unknown) => never {
  return (error) => {
    signal.throwIfAborted()
    if (!(error instanceof OutboundError)) throw error
    const { status, message } = error
    const isFinal = status === null ? /more than|not a /.test(message) : status < 500 && status !== 429
    throw new AdapterError(isFinal ? 'permanent' : 'temporary', `the file is not given out: ${status ?? 'no answer'}`)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
