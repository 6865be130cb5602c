// Why did it answer with another model, with a text, or not at all? Because models and their dependencies fail. Real calls to fakes of
// the providers.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLlm } from '#server/integrations/llm/create.ts'
import { createMedia } from '#server/integrations/media/create.ts'
import { createLogger } from '#server/platform/lib/logger.ts'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'
import { api } from '#tests/app.ts'
import { type FakeOpenAi, type FakeReply, startFakeOpenAi } from '#tests/fakes/openai/openai.ts'
import { type FakeSpeech, SPEECH_KEY, startFakeSpeech } from '#tests/fakes/speech.ts'
import { type Shop, Stage } from './stage.ts'

const OWN = 'openai/gpt-4.1-mini'
const BACKUP = 'openai/gpt-4.1-nano'
const SORRY = 'One moment, please.'
/** The time limit that the product promises, scaled: long enough for a busy machine. */
const LIMITS = { firstTokenMs: 6000, totalMs: 10_000, maxRetryDelayMs: 300 }
const NO_KEY = { apiKey: undefined, baseUrl: undefined }

let provider: FakeOpenAi
let speech: FakeSpeech
let stage: Stage
let chat: number
/** What the agent's own model does; the backup always answers. */
let own: FakeReply

beforeAll(async () => {
  provider = await startFakeOpenAi({
    apiKey: SPEECH_KEY,
    reply: (request) => (request.model === 'gpt-4.1-nano' ? { text: 'An answer of the backup.' } : own),
  })
  speech = await startFakeSpeech()
  const openai = { apiKey: SPEECH_KEY, baseUrl: provider.url }
  const llm = createLlm({ openai, anthropic: NO_KEY, google: NO_KEY }, createLogger('silent'), LIMITS)
  const listening = { apiKey: SPEECH_KEY, baseUrl: speech.url }
  const rest = { groq: NO_KEY, deepgram: NO_KEY, elevenlabs: NO_KEY, anthropic: NO_KEY, google: NO_KEY }
  stage = await Stage.open({ overrides: { llm, media: createMedia({ openai: listening, ...rest }) } })
})
afterAll(async () => {
  await stage.close()
  await Promise.all([provider.close(), speech.close()])
})
beforeEach(() => {
  own = { text: 'Gladly.' }
  chat = stage.newChat()
})

function openShop(fallback: Partial<AgentSettings['fallback']> = {}): Promise<Shop> {
  return stage.openShop({ model: OWN, fallback: { models: [], last: 'silent', text: '', ...fallback } })
}

describe('a fallback model has answered', () => {
  it.each<[string, FakeReply]>([
    ['timeout', { failure: 'hang' }],
    ['unavailable', { failure: 'status_500' }],
    ['rate_limited', { failure: 'status_429', retryAfterSeconds: 60 }],
    ['filtered', { text: 'Sorry', finishReason: 'content_filter' }],
  ])('because of the first: %s', async (failure, reply) => {
    own = reply
    const shop = await openShop({ models: [BACKUP] })
    await stage.says(shop, chat, 'Hello')
    expect(stage.heard(chat)).toEqual(['An answer of the backup.'])
    const { attempts } = await stage.expectExplained(shop, chat, { outcome: 'replied' })
    expect(attempts).toMatchObject([
      { model: OWN, failure },
      { model: BACKUP, failure: null },
    ])
  })
})

describe('no model has answered', () => {
  it.each([
    ['silent', { heard: [] }],
    ['text', { heard: [SORRY] }],
    ['handoff', { heard: [SORRY], pausedFor: 'model_failure' as const }],
  ] as const)('and the agent does what its settings say: %s', async (last, { heard, ...pause }) => {
    own = { failure: 'quota_429' }
    const shop = await openShop({ last, text: SORRY })
    await stage.says(shop, chat, 'Hello')
    expect(stage.heard(chat)).toEqual(heard)
    const { attempts } = await stage.expectExplained(shop, chat, { outcome: 'quota', lines: ['quota'], ...pause })
    expect(attempts).toMatchObject([{ model: OWN, failure: 'quota' }])
  })

  it("because the agent's own key is not accepted; the key of the installation does not pay instead", async () => {
    const shop = await openShop()
    const key = { agentId: shop.agentId, provider: 'openai' as const, key: 'sk-wrong-key-entirely' }
    await shop.owner.http.action(api.agents.keys.set, key)
    await stage.says(shop, chat, 'Hello')
    expect(stage.heard(chat)).toEqual([])
    await stage.expectExplained(shop, chat, { outcome: 'invalid_key', lines: ['invalid_key'] })
  })

  it("because the provider's filter withheld the answer", async () => {
    own = { text: 'Sorry', finishReason: 'content_filter' }
    const shop = await openShop()
    await stage.says(shop, chat, 'Hello')
    await stage.expectExplained(shop, chat, { outcome: 'filtered', lines: ['filtered'] })
  })
})

describe('a voice message', () => {
  const voice = { voice: { file_id: '$file', duration: 60, mime_type: 'audio/ogg' } }

  it('could not be transcribed: the answer comes all the same, and the trace shows the error', async () => {
    speech.faults.push('status_401')
    const shop = await openShop()
    stage.telegram.customerSends(shop.token, chat, voice, new TextEncoder().encode('OggS a recording'))
    await stage.telegram.waitForSent(chat)
    await stage.app.settle()
    expect(stage.heard(chat)).toEqual(['Gladly.'])
    const { media } = await stage.expectExplained(shop, chat, { outcome: 'replied' })
    expect(media).toMatchObject([{ kind: 'voice', failure: 'invalid_key' }])
    const [question] = await stage.messages(shop, chat)
    expect(question?.attachments).toMatchObject([{ kind: 'voice', reason: 'invalid_key' }])
  })
})
