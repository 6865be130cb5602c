// Answers spoken in one of OpenAI's voices.
// @source platform.openai.com/docs/api-reference/audio/createSpeech
import type { Config } from '#server/config.ts'
import { SPEECH_TEXT_MAX } from '#shared/limits.ts'
import { type Ask, accessOf, bearer } from './call.ts'
import { MediaFailure } from './failures.ts'
import type { Media } from './media.ts'
import { costOfSpeaking, SPEAKING_MODEL } from './models.ts'

/** How every OGG file begins. */
const OGG = Buffer.from('OggS')

/** Speech synthesis over the configured provider. */
export function createSpeak(config: Pick<Config, 'openai'>, ask: Ask): Media['speak'] {
  return async (written, { voice }, { signal, keyOf }) => {
    const access = accessOf(config.openai, 'https://api.openai.com/v1', { ownKey: keyOf?.('openai'), mayLackKey: true })
    const text = speakable(written)
    if (text === '') throw new MediaFailure('empty')
    if (text.length > SPEECH_TEXT_MAX) throw new MediaFailure('too_long')
    const startedAt = performance.now()
    const body = JSON.stringify({ model: SPEAKING_MODEL.id, voice, input: text, response_format: 'opus' })
    const headers = { 'content-type': 'application/json', ...bearer(access) }
    const audio = await ask({ url: `${access.baseUrl}/audio/speech`, headers, body }, signal)
    if (!Buffer.from(audio.subarray(0, OGG.length)).equals(OGG)) throw new MediaFailure('bad_answer', 'no OGG')
    const call = {
      provider: SPEAKING_MODEL.provider,
      model: SPEAKING_MODEL.id,
      inputTokens: null,
      outputTokens: null,
      ...costOfSpeaking(text.length),
      latencyMs: Math.round(performance.now() - startedAt),
    }
    return { audio, call }
  }
}

/** A text without the marks that only the eye understands: addresses of links, emphasis, headings, code fences. */
export function speakable(written: string): string {
  return written
    .replace(/```[\s\S]*?(```|$)/g, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(/^[ \t]{0,3}(#{1,6}|>|[-*+])[ \t]+/gm, '')
    .replace(/[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}/g, '')
    .replace(/[ \t]+/g, ' ')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
