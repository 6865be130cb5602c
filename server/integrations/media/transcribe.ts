// Transcribes a recording with one of four providers. OpenAI and Groq share one protocol.
// @source platform.openai.com/docs/api-reference/audio/createTranscription, console.groq.com/docs/speech-to-text,
// developers.deepgram.com/reference/speech-to-text/listen-pre-recorded, elevenlabs.io/docs/api-reference/speech-to-text/convert
import { z } from 'zod'
import type { Config } from '#server/config.ts'
import { RECORDING_MAX_SECONDS } from '#shared/limits.ts'
import { type Access, type Ask, accessOf, bearer, readJson } from './call.ts'
import { MediaFailure } from './failures.ts'
import type { Media, Recording } from './media.ts'
import { costOfListening, SPEECH_MODELS, type SpeechProvider } from './models.ts'

export type SpeechConfig = Pick<Config, SpeechProvider>
type Request = {
  recording: Recording
  model: string
  /** ISO 639-1; null: the provider detects it. */
  language: string | null
  ownKey: string | undefined
}
/** `seconds` as measured by the provider, where it reports them. */
type Heard = { text: string; seconds: number | null }
type Listen = (config: SpeechConfig, ask: Ask, request: Request, signal: AbortSignal) => Promise<Heard>

const LISTEN: Record<SpeechProvider, Listen> = {
  openai: (config, ask, request, signal) =>
    listenLikeOpenAi(
      accessOf(config.openai, 'https://api.openai.com/v1', { ...request, mayLackKey: true }),
      ask,
      request,
      signal,
    ),
  groq: (config, ask, request, signal) =>
    listenLikeOpenAi(accessOf(config.groq, 'https://api.groq.com/openai/v1', request), ask, request, signal),
  deepgram: (config, ask, request, signal) =>
    listenWithDeepgram(accessOf(config.deepgram, 'https://api.deepgram.com/v1', request), ask, request, signal),
  elevenlabs: (config, ask, request, signal) =>
    listenWithElevenLabs(accessOf(config.elevenlabs, 'https://api.elevenlabs.io/v1', request), ask, request, signal),
}

/** Speech recognition over the configured providers. */
export function createTranscribe(config: SpeechConfig, ask: Ask): Media['transcribe'] {
  return async (recording, { provider, language, quality }, { signal, keyOf }) => {
    if ((recording.durationSeconds ?? 0) > RECORDING_MAX_SECONDS) throw new MediaFailure('too_long')
    const model = SPEECH_MODELS[provider][quality]
    const startedAt = performance.now()
    const ownKey = keyOf?.(provider)
    const request = { recording, model: model.id, language: language === 'auto' ? null : language, ownKey }
    const heard = await LISTEN[provider](config, ask, request, signal)
    const text = heard.text.trim()
    if (text === '') throw new MediaFailure('empty')
    const call = {
      provider,
      model: model.id,
      inputTokens: null,
      outputTokens: null,
      ...costOfListening(model, heard.seconds ?? recording.durationSeconds),
      latencyMs: Math.round(performance.now() - startedAt),
    }
    return { text, call }
  }
}

const openAiAnswer = z.object({
  text: z.string(),
  usage: z.object({ type: z.string(), seconds: z.number().nonnegative().optional() }).optional(),
})

async function listenLikeOpenAi(access: Access, ask: Ask, request: Request, signal: AbortSignal): Promise<Heard> {
  const body = new FormData()
  body.set('model', request.model)
  body.set('response_format', 'json')
  if (request.language) body.set('language', request.language)
  body.set('file', fileOf(request.recording), `recording.${extensionOf(request.recording.mimeType)}`)
  const url = `${access.baseUrl}/audio/transcriptions`
  const { text, usage } = readJson(await ask({ url, headers: bearer(access), body }, signal), openAiAnswer)
  return { text, seconds: usage?.seconds ?? null }
}

const deepgramAnswer = z.object({
  metadata: z.object({ duration: z.number().nonnegative().optional() }).optional(),
  results: z.object({
    channels: z.array(z.object({ alternatives: z.array(z.object({ transcript: z.string() })) })).min(1),
  }),
})

async function listenWithDeepgram(access: Access, ask: Ask, request: Request, signal: AbortSignal): Promise<Heard> {
  const language = request.language ? { language: request.language } : { detect_language: 'true' }
  const query = new URLSearchParams({ model: request.model, smart_format: 'true', ...language })
  const { recording } = request
  const headers = { authorization: `Token ${access.apiKey ?? ''}`, 'content-type': typeOf(recording) }
  const url = `${access.baseUrl}/listen?${query}`
  const answer = readJson(await ask({ url, headers, body: recording.bytes }, signal), deepgramAnswer)
  const texts = answer.results.channels.map((channel) => channel.alternatives[0]?.transcript ?? '')
  return { text: texts.join('\n'), seconds: answer.metadata?.duration ?? null }
}

const elevenLabsAnswer = z.object({ text: z.string() })

async function listenWithElevenLabs(access: Access, ask: Ask, request: Request, signal: AbortSignal): Promise<Heard> {
  const body = new FormData()
  body.set('model_id', request.model)
  body.set('tag_audio_events', 'false')
  if (request.language) body.set('language_code', request.language)
  body.set('file', fileOf(request.recording), `recording.${extensionOf(request.recording.mimeType)}`)
  const headers = { 'xi-api-key': access.apiKey ?? '' }
  const answer = await ask({ url: `${access.baseUrl}/speech-to-text`, headers, body }, signal)
  return { ...readJson(answer, elevenLabsAnswer), seconds: null }
}

const EXTENSIONS: Record<string, string> = {
  'audio/ogg': 'ogg',
  'audio/opus': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/mp4': 'm4a',
  'audio/m4a': 'm4a',
  'audio/x-m4a': 'm4a',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/flac': 'flac',
  'audio/webm': 'webm',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
}

/** Providers detect the format by the file name; messengers record OGG unless they say otherwise. */
function extensionOf(mimeType: string | null): string {
  return EXTENSIONS[mimeType?.split(';')[0]?.trim().toLowerCase() ?? ''] ?? 'ogg'
}

function typeOf({ mimeType }: Recording): string {
  return mimeType && /^(audio|video)\/[\w.+-]+$/.test(mimeType) ? mimeType : 'audio/ogg'
}

function fileOf(recording: Recording): Blob {
  return new Blob([new Uint8Array(recording.bytes)], { type: typeOf(recording) })
}
