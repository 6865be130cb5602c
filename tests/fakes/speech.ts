// A strict stand-in for the speech APIs of OpenAI and Groq, Deepgram and ElevenLabs on loopback: checks every request as the real
// ones do, says what the test wants to be heard, and fails on demand. Knows nothing of sound: every recording says `script`.
import http from 'node:http'
import { z } from 'zod'
import { listenOnLoopback } from '#tests/loopback.ts'

/** The next answers: the transcript, or the provider's failure. */
export type MediaFault =
  | 'status_401'
  | 'status_429'
  | 'status_500'
  | 'status_413'
  | 'hang'
  | 'garbage'
  | 'wrong_shape'
  | 'huge'
export type SpeechRequest = {
  provider: 'openai' | 'deepgram' | 'elevenlabs'
  model: string
  language: string | null
  bytes: Uint8Array
  fileName: string | null
}
export type SpokenRequest = { model: string; voice: string; input: string }

export type FakeSpeech = Awaited<ReturnType<typeof startFakeSpeech>>

/** The valid key. */
export const SPEECH_KEY = 'test-key'
const TRANSCRIBERS = /^(whisper-1|whisper-large-v3(-turbo)?|gpt-4o(-mini)?-transcribe)$/

const speech = z.strictObject({
  model: z.enum(['tts-1', 'tts-1-hd', 'gpt-4o-mini-tts']),
  voice: z.enum(['alloy', 'echo', 'fable', 'onyx', 'nova', 'shimmer']),
  input: z.string().min(1).max(4096),
  response_format: z.enum(['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm']).default('mp3'),
})

class Refusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Starts the fake on a free port. */
export async function startFakeSpeech() {
  const state = {
    /** The text of every recording. */
    script: 'hello',
    /** Seconds that every recording lasts, where the protocol reports it; null: it is not reported. */
    seconds: null as number | null,
    heard: [] as SpeechRequest[],
    spoken: [] as SpokenRequest[],
    /** How the next calls fail, one each. */
    faults: [] as MediaFault[],
    /** Calls in all, failed ones included. */
    calls: 0,
  }
  const server = await listenOnLoopback(async (request) => {
    state.calls++
    const fault = state.faults.shift()
    if (fault) return failed(fault)
    try {
      return await answer(state, request)
    } catch (error) {
      if (error instanceof Refusal)
        return Response.json({ error: { message: error.message } }, { status: error.status })
      throw error
    }
  })
  return Object.assign(state, { url: server.url, close: server.close })
}

type State = Omit<FakeSpeech, 'url' | 'close'>

async function answer(state: State, request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  if (request.method !== 'POST') throw new Refusal(405, 'Method not allowed')
  switch (pathname) {
    case '/audio/transcriptions':
      authorize(request, 'authorization', `Bearer ${SPEECH_KEY}`)
      return transcribe(state, await request.formData())
    case '/audio/speech':
      authorize(request, 'authorization', `Bearer ${SPEECH_KEY}`)
      return speak(state, await request.json())
    case '/listen':
      authorize(request, 'authorization', `Token ${SPEECH_KEY}`)
      return listen(state, searchParams, request)
    case '/speech-to-text':
      authorize(request, 'xi-api-key', SPEECH_KEY)
      return convert(state, await request.formData())
    default:
      throw new Refusal(404, `Unknown request URL: ${pathname}`)
  }
}

function authorize(request: Request, header: string, value: string): void {
  if (request.headers.get(header) !== value) throw new Refusal(401, 'Incorrect API key provided.')
}

async function transcribe(state: State, form: FormData): Promise<Response> {
  allow(form, ['model', 'response_format', 'language', 'file'])
  const model = textOf(form, 'model')
  if (!TRANSCRIBERS.test(model)) throw new Refusal(404, `The model ${model} does not exist`)
  if (textOf(form, 'response_format') !== 'json') throw new Refusal(400, 'this fake answers json only')
  const file = fileOf(form)
  if (!/\.(flac|mp3|mp4|mpeg|mpga|m4a|ogg|wav|webm)$/.test(file.name)) throw new Refusal(400, 'Invalid file format.')
  await remember(state, 'openai', { model, language: form.get('language'), file })
  const usage = state.seconds === null ? {} : { usage: { type: 'duration', seconds: state.seconds } }
  return Response.json({ text: state.script, ...usage })
}

async function listen(state: State, query: URLSearchParams, request: Request): Promise<Response> {
  const unknown = [...query.keys()].filter(
    (name) => !['model', 'language', 'detect_language', 'smart_format'].includes(name),
  )
  if (unknown.length > 0) throw new Refusal(400, `unknown parameters ${unknown.join(', ')}`)
  if (query.has('language') === query.has('detect_language'))
    throw new Refusal(400, 'either a language or its detection')
  const model = query.get('model') ?? ''
  if (!/^nova-[23]$/.test(model)) throw new Refusal(400, `No such model: ${model}`)
  if (!/^(audio|video)\//.test(request.headers.get('content-type') ?? '')) throw new Refusal(415, 'no audio')
  const bytes = new Uint8Array(await request.arrayBuffer())
  if (bytes.length === 0) throw new Refusal(400, 'Bad Request: no audio')
  state.heard.push({ provider: 'deepgram', model, language: query.get('language'), bytes, fileName: null })
  return Response.json({
    metadata: { request_id: 'fake', ...(state.seconds !== null && { duration: state.seconds }) },
    results: { channels: [{ alternatives: [{ transcript: state.script, confidence: 0.99 }] }] },
  })
}

async function convert(state: State, form: FormData): Promise<Response> {
  allow(form, ['model_id', 'language_code', 'tag_audio_events', 'file'])
  const model = textOf(form, 'model_id')
  if (!/^scribe_v[12]$/.test(model)) throw new Refusal(400, `invalid model_id ${model}`)
  await remember(state, 'elevenlabs', { model, language: form.get('language_code'), file: fileOf(form) })
  return Response.json({ language_code: 'eng', language_probability: 0.98, text: state.script, words: [] })
}

function speak(state: State, body: unknown): Response {
  const parsed = speech.safeParse(body)
  if (!parsed.success) throw new Refusal(400, z.prettifyError(parsed.error))
  const { response_format: format, ...request } = parsed.data
  state.spoken.push(request)
  const magic = format === 'opus' ? 'OggS' : 'ID3'
  return new Response(`${magic} ${request.voice} says: ${request.input}`, { headers: { 'content-type': 'audio/ogg' } })
}

function allow(form: FormData, names: string[]): void {
  const unknown = [...form.keys()].filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new Refusal(400, `unknown fields ${unknown.join(', ')}`)
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name)
  if (typeof value !== 'string') throw new Refusal(400, `${name} is missing`)
  return value
}

function fileOf(form: FormData): File {
  const file = form.get('file')
  if (!(file instanceof File) || file.size === 0) throw new Refusal(400, 'file is missing')
  return file
}

type Sent = { model: string; language: FormDataEntryValue | null; file: File }

async function remember(state: State, provider: SpeechRequest['provider'], { model, language, file }: Sent) {
  const bytes = new Uint8Array(await file.arrayBuffer())
  state.heard.push({
    provider,
    model,
    language: typeof language === 'string' ? language : null,
    bytes,
    fileName: file.name,
  })
}

/** A failing answer. */
export async function failed(fault: MediaFault): Promise<Response> {
  switch (fault) {
    case 'hang':
      return new Promise(() => undefined)
    case 'garbage':
      return new Response('<html>It works!</html>')
    case 'wrong_shape':
      return Response.json({ ok: true })
    case 'huge':
      return new Response(new Uint8Array(17 * 1024 * 1024))
    default: {
      const status = Number(fault.slice(7))
      const headers = status === 429 ? { 'retry-after': '0' } : undefined
      const error = { message: http.STATUS_CODES[status], type: 'error' }
      return Response.json({ error }, { status, ...(headers && { headers }) })
    }
  }
}
