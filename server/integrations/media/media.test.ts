// Media against strict stand-ins of every provider: what is sent, what is understood, what it costs, and every way to fail.
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { IMAGE_MODES, SPEECH_PROVIDERS, VISION_PROVIDERS, VOICES } from '#shared/agents/agent-settings.ts'
import type { AttachmentFailure } from '#shared/messaging/attachments.ts'
import { type FakeSpeech, type MediaFault, SPEECH_KEY, startFakeSpeech } from '#tests/fakes/speech.ts'
import { type FakeVision, startFakeVision } from '#tests/fakes/vision.ts'
import { createMedia } from './create.ts'
import { MediaFailure } from './failures.ts'
import type { Recording, VoiceSettings } from './media.ts'
import { speakable } from './speak.ts'

let speech: FakeSpeech
let vision: FakeVision
let picture: Uint8Array
const signal = new AbortController().signal
const recording: Recording = { bytes: new Uint8Array([79, 103, 103, 83]), mimeType: 'audio/ogg', durationSeconds: 60 }

beforeAll(async () => {
  speech = await startFakeSpeech()
  vision = await startFakeVision()
  const blank = { create: { width: 3000, height: 1500, channels: 3, background: 'red' } } as const
  picture = await sharp(blank).png().toBuffer()
})
afterAll(async () => {
  await speech.close()
  await vision.close()
})
beforeEach(() => {
  Object.assign(speech, { script: 'hello', seconds: null, heard: [], spoken: [], faults: [], calls: 0 })
  Object.assign(vision, { script: 'a red dress', seen: [], faults: [], calls: 0 })
})

function providers(apiKey: string | undefined, url: string) {
  const access = { apiKey, baseUrl: url }
  return { openai: access, groq: access, deepgram: access, elevenlabs: access, anthropic: access, google: access }
}
const limits = { callMs: 10_000, mostWaitMs: 1000 }
/** A short limit where the answer never comes. */
const limitsUnder = (fault: MediaFault) => (fault === 'hang' ? { ...limits, callMs: 200 } : limits)
const listening = (given = limits) => createMedia(providers(SPEECH_KEY, speech.url), given)
const looking = (given = limits) => createMedia(providers(SPEECH_KEY, vision.url), given)
const voice = (given: Partial<VoiceSettings>): VoiceSettings => ({
  provider: 'openai',
  language: 'auto',
  quality: 'standard',
  ...given,
})

async function reasonOf(call: Promise<unknown>): Promise<AttachmentFailure> {
  const error = await call.then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof MediaFailure)) throw error
  expect(error.message).not.toContain(SPEECH_KEY)
  return error.reason
}

const FAILURES: [MediaFault, number, AttachmentFailure][] = [
  ['status_401', 1, 'invalid_key'],
  ['status_413', 1, 'too_large'],
  ['status_429', 2, 'rate_limited'],
  ['status_500', 2, 'unavailable'],
  ['garbage', 1, 'bad_answer'],
  ['wrong_shape', 1, 'bad_answer'],
  ['huge', 1, 'bad_answer'],
  ['hang', 1, 'timeout'],
]

describe.each(SPEECH_PROVIDERS)('a recording for %s', (provider) => {
  it('comes back as text, with its price', async () => {
    const { text, call } = await listening().transcribe(recording, voice({ provider }), { signal })
    expect(text).toBe('hello')
    expect(call).toMatchObject({ provider, inputTokens: null, isApproximate: provider === 'elevenlabs' })
    expect(call?.costMicroUsd).toBeGreaterThan(0)
    expect(speech.heard[0]?.bytes).toEqual(recording.bytes)
  })

  it('is heard in the language and quality of the settings', async () => {
    await listening().transcribe(recording, voice({ provider, language: 'ru', quality: 'premium' }), { signal })
    await listening().transcribe(recording, voice({ provider, language: 'auto' }), { signal })
    expect(speech.heard.map((request) => request.language)).toEqual(['ru', null])
    const [premium, standard] = speech.heard
    if (provider !== 'elevenlabs') expect(premium?.model).not.toBe(standard?.model)
  })

  it.each(FAILURES)('fails after %s in %i tries as %s', async (fault, tries, reason) => {
    speech.faults = Array.from({ length: tries }, () => fault)
    expect(await reasonOf(listening(limitsUnder(fault)).transcribe(recording, voice({ provider }), { signal }))).toBe(
      reason,
    )
    expect(speech.calls).toBe(tries)
  })

  it('is sent again when the first try failed for a moment', async () => {
    speech.faults = ['status_500']
    expect((await listening().transcribe(recording, voice({ provider }), { signal })).text).toBe('hello')
  })

  it('is not sent without a key', async () => {
    const media = createMedia(
      { ...providers(undefined, speech.url), openai: { apiKey: undefined, baseUrl: undefined } },
      limits,
    )
    expect(await reasonOf(media.transcribe(recording, voice({ provider }), { signal }))).toBe('not_configured')
    expect(speech.calls).toBe(0)
  })

  it('without speech is empty', async () => {
    speech.script = '  '
    expect(await reasonOf(listening().transcribe(recording, voice({ provider }), { signal }))).toBe('empty')
  })
})

describe('a recording', () => {
  it('of more than ten minutes is not sent', async () => {
    const long = { ...recording, durationSeconds: 601 }
    expect(await reasonOf(listening().transcribe(long, voice({}), { signal }))).toBe('too_long')
    expect(speech.calls).toBe(0)
  })

  it('costs by the minute as the provider has measured it', async () => {
    const at = async (given: Partial<VoiceSettings>) =>
      (await listening().transcribe(recording, voice(given), { signal })).call?.costMicroUsd
    expect(await at({})).toBe(3000)
    expect(await at({ quality: 'high' })).toBe(6000)
    expect(await at({ provider: 'groq' })).toBe(667)
    expect(await at({ provider: 'elevenlabs' })).toBe(6000)
    speech.seconds = 120
    expect(await at({})).toBe(6000)
    expect(await at({ provider: 'deepgram' })).toBe(8600)
  })

  it('is heard by the key of the agent where it has one', async () => {
    const media = createMedia(providers('a wrong key', speech.url), limits)
    expect(await reasonOf(media.transcribe(recording, voice({}), { signal }))).toBe('invalid_key')
    const keyOf = () => SPEECH_KEY
    for (const provider of SPEECH_PROVIDERS) {
      expect((await media.transcribe(recording, voice({ provider }), { signal, keyOf })).text).toBe('hello')
    }
    const looked = createMedia(providers('a wrong key', vision.url), limits)
    for (const provider of VISION_PROVIDERS) {
      expect((await looked.describe(picture, { provider, mode: 'brief' }, { signal, keyOf })).text).toBe('a red dress')
    }
    await media.speak('Hello', { voice: 'alloy' }, { signal, keyOf })
  })

  it('of unknown length costs about as much as a minute', async () => {
    const { call } = await listening().transcribe({ ...recording, durationSeconds: null }, voice({}), { signal })
    expect(call).toMatchObject({ costMicroUsd: 3000, isApproximate: true })
    expect(call?.priceVersion).toMatch(/approximate/)
  })

  it('is given a name that tells its format', async () => {
    await listening().transcribe({ ...recording, mimeType: 'audio/mpeg' }, voice({}), { signal })
    await listening().transcribe({ ...recording, mimeType: null }, voice({}), { signal })
    expect(speech.heard.map((request) => request.fileName)).toEqual(['recording.mp3', 'recording.ogg'])
  })

  it('is dropped when its text is no longer needed', async () => {
    speech.faults = ['hang']
    const controller = new AbortController()
    const call = listening().transcribe(recording, voice({}), { signal: controller.signal })
    controller.abort('unwanted')
    await expect(call).rejects.toBe('unwanted')
  })
})

describe.each(VISION_PROVIDERS)('a picture for %s', (provider) => {
  it('comes back as text, with the price of its tokens', async () => {
    const { text, call } = await looking().describe(picture, { provider, mode: 'auto' }, { signal })
    expect(text).toBe('a red dress')
    expect(call).toMatchObject({ provider, inputTokens: 1000, outputTokens: 100, isApproximate: false })
    expect(call?.costMicroUsd).toBe({ openai: 560, anthropic: 1500, google: 550 }[provider])
  })

  it('is made small before it is sent, and asked about as the mode says', async () => {
    for (const mode of IMAGE_MODES) await looking().describe(picture, { provider, mode }, { signal })
    expect(vision.seen.map(({ width, height }) => [width, height])).toEqual(IMAGE_MODES.map(() => [1568, 784]))
    expect(new Set(vision.seen.map((request) => request.instruction)).size).toBe(IMAGE_MODES.length)
  })

  it.each(FAILURES)('fails after %s in %i tries as %s', async (fault, tries, reason) => {
    vision.faults = Array.from({ length: tries }, () => fault)
    // Google's answer has no part that must be there: one of another shape holds no text.
    const expected = provider === 'google' && fault === 'wrong_shape' ? 'empty' : reason
    expect(await reasonOf(looking(limitsUnder(fault)).describe(picture, { provider, mode: 'auto' }, { signal }))).toBe(
      expected,
    )
    expect(vision.calls).toBe(tries)
  })

  it('is described without the reasoning of the model', async () => {
    vision.script = '<think>The price tag is secret.</think>a red dress'
    expect((await looking().describe(picture, { provider, mode: 'auto' }, { signal })).text).toBe('a red dress')
    vision.script = '<think>The price tag is secret.'
    expect(await reasonOf(looking().describe(picture, { provider, mode: 'auto' }, { signal }))).toBe('empty')
  })

  it('that the provider declines is filtered', async () => {
    vision.faults = ['filtered']
    expect(await reasonOf(looking().describe(picture, { provider, mode: 'auto' }, { signal }))).toBe('filtered')
  })

  it('costs about a hundredth of a dollar when the provider reports no usage', async () => {
    vision.faults = ['uncounted']
    const { call } = await looking().describe(picture, { provider, mode: 'auto' }, { signal })
    expect(call).toMatchObject({ costMicroUsd: 10_000, isApproximate: true })
  })

  it('without text is empty where only text was wanted', async () => {
    vision.script = '(no text)'
    expect(await reasonOf(looking().describe(picture, { provider, mode: 'ocr' }, { signal }))).toBe('empty')
    expect((await looking().describe(picture, { provider, mode: 'brief' }, { signal })).text).toBe('(no text)')
  })
})

describe('a picture', () => {
  it.each([
    ['is none', new TextEncoder().encode('<svg onload="alert(1)">')],
    ['has 50,000 by 50,000 pixels in a few bytes', hugePicture()],
    ['is cut off', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ])('that %s is never sent', async (_, bytes) => {
    expect(await reasonOf(looking().describe(bytes, { provider: 'openai', mode: 'auto' }, { signal }))).toBe('damaged')
    expect(vision.calls).toBe(0)
  })
})

describe('an answer', () => {
  it.each(VOICES)('is spoken by %s', async (name) => {
    const { audio, call } = await listening().speak('We open at **nine**.', { voice: name }, { signal })
    expect(Buffer.from(audio).toString()).toBe(`OggS ${name} says: We open at nine.`)
    expect(call).toMatchObject({ costMicroUsd: Math.ceil('We open at nine.'.length * 15), isApproximate: false })
  })

  it.each(FAILURES.filter(([fault]) => fault !== 'wrong_shape'))(
    'is not spoken after %s in %i tries: %s',
    async (fault, tries, reason) => {
      speech.faults = Array.from({ length: tries }, () => fault)
      expect(await reasonOf(listening(limitsUnder(fault)).speak('Hello', { voice: 'alloy' }, { signal }))).toBe(reason)
    },
  )

  it('that is too long to listen to is not spoken', async () => {
    expect(await reasonOf(listening().speak('word '.repeat(1000), { voice: 'alloy' }, { signal }))).toBe('too_long')
    expect(speech.calls).toBe(0)
  })

  it('is spoken without what only the eye understands', () => {
    const written =
      '# Prices\n\n- **Dress**: 5000\n- [Catalogue](https://shop.example/c)\n\nSee https://shop.example `now`'
    expect(speakable(written)).toBe('Prices\n\nDress: 5000\nCatalogue\n\nSee now')
  })
})

describe('what may be chosen', () => {
  const noAccess = { apiKey: undefined, baseUrl: undefined }

  it.each(['key', 'address', 'nothing'])('works as a call finds out, where a provider has a %s', async (what) => {
    for (const [provider, url] of [
      ...SPEECH_PROVIDERS.map((each) => [each, speech.url] as const),
      ...VISION_PROVIDERS.map((each) => [each, vision.url] as const),
    ]) {
      const access = { apiKey: what === 'key' ? SPEECH_KEY : undefined, baseUrl: what === 'nothing' ? undefined : url }
      const media = createMedia({ ...NO_PROVIDERS, [provider]: access }, limits)
      const listens = url === speech.url
      const { voice: listeners, images } = media.providers()
      const listed = (listens ? listeners : images).find((each) => each.provider === provider)
      const call = listens
        ? media.transcribe(recording, voice({ provider: provider as VoiceSettings['provider'] }), { signal })
        : media.describe(
            picture,
            { provider: provider as (typeof VISION_PROVIDERS)[number], mode: 'brief' },
            { signal },
          )
      const reason = await call.then(
        () => null,
        (error: unknown) => (error instanceof MediaFailure ? error.reason : error),
      )
      expect([provider, listed?.isConfigured]).toEqual([provider, reason !== 'not_configured'])
    }
  })

  it('names the model behind each quality with its price, and whose server stands for OpenAI', () => {
    const { voice: listeners, speech: speaking, hasOwnOpenAi } = listening().providers()
    expect(listeners[0]).toEqual({
      provider: 'openai',
      isConfigured: true,
      qualities: {
        standard: { model: 'gpt-4o-mini-transcribe', usdPerMinute: 0.003 },
        high: { model: 'gpt-4o-transcribe', usdPerMinute: 0.006 },
        premium: { model: 'gpt-4o-transcribe', usdPerMinute: 0.006 },
      },
    })
    expect(listeners.at(-1)?.qualities.high).toEqual({ model: 'scribe_v2', usdPerMinute: null })
    expect([speaking.isConfigured, hasOwnOpenAi]).toEqual([true, true])
    const untouched = createMedia({ ...NO_PROVIDERS, openai: { ...noAccess, apiKey: SPEECH_KEY } }, limits).providers()
    expect([untouched.speech.isConfigured, untouched.hasOwnOpenAi]).toEqual([true, false])
  })

  const NO_PROVIDERS = {
    openai: noAccess,
    groq: noAccess,
    deepgram: noAccess,
    elevenlabs: noAccess,
    anthropic: noAccess,
    google: noAccess,
  }
})

/** A PNG whose header promises two and a half billion pixels. */
function hugePicture(): Uint8Array {
  const part = (type: string, content: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), content])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(content.length)
    sum.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(50_000, 0)
  header.writeUInt32BE(50_000, 4)
  header.set([1, 0], 8) // one bit a pixel, grey
  const rows = deflateSync(Buffer.alloc(50_000 * 6_251)) // whole: nothing but its size is wrong
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, part('IHDR', header), part('IDAT', rows), part('IEND', Buffer.alloc(0))])
}
