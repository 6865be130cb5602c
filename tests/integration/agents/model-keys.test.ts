// An agent's own keys through the official client: never returned, verified on request, used for its answers.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createMedia } from '#server/integrations/media/create.ts'
import type { KeyProvider } from '#shared/agents/agent-keys.ts'
import { appErrorData } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeOpenAi, type FakeReply, startFakeOpenAi } from '#tests/fakes/openai/openai.ts'
import { type FakeSpeech, SPEECH_KEY, startFakeSpeech } from '#tests/fakes/speech.ts'

const OWN = 'sk-own-key-of-the-agent-1234'
let app: TestApp
let provider: FakeOpenAi
let speech: FakeSpeech
let owner: Person
let agentId: Id<'agents'>

beforeAll(async () => {
  provider = await startFakeOpenAi({ apiKey: OWN })
  speech = await startFakeSpeech()
  const noKey = { apiKey: undefined, baseUrl: undefined }
  const listener = { apiKey: undefined, baseUrl: speech.url }
  const listeners = { groq: listener, deepgram: listener, elevenlabs: listener }
  const media = createMedia({ ...listeners, openai: noKey, anthropic: noKey, google: noKey })
  app = await startApp({ openai: provider, overrides: { media } })
  owner = await app.signUp()
})
afterAll(async () => {
  await app.close()
  await Promise.all([provider.close(), speech.close()])
})
beforeEach(async () => {
  provider.reply(() => ({ text: 'Gladly.' }))
  agentId = (await owner.http.mutation(api.agents.create, { name: 'Helper', model: 'openai/gpt-4.1-mini' }))._id
})

const set = (key = OWN, name: KeyProvider = 'openai') =>
  owner.http.action(api.agents.keys.set, { agentId, provider: name, key })
const test = (key?: string) =>
  owner.http.action(api.agents.keys.test, { agentId, provider: 'openai', ...(key && { key }) })
const listenTo = (name: KeyProvider, key?: string) =>
  owner.http.action(api.agents.keys.test, { agentId, provider: name, ...(key && { key }) })
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'success',
    (error: unknown) => appErrorData(error)?.code,
  )

async function answerTo(text: string) {
  await owner.http.mutation(api.testChat.send, { agentId, text })
  await app.settle()
  return (await owner.http.query(api.testChat.messages, { agentId })).at(-1)
}

describe('a key of an agent', () => {
  it('shows only its last characters, and is stored encrypted', async () => {
    const [key] = await set()
    expect(key).toMatchObject({ agentId, provider: 'openai', maskedKey: '••••1234' })
    const shown = JSON.stringify([
      await owner.http.query(api.agents.keys.list, { agentId }),
      await owner.http.query(api.agents.get, { id: agentId }),
    ])
    expect(shown).not.toContain(OWN)
    const rows = await app.database.root.selectFrom('agent_keys').selectAll().execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(OWN)
  })

  it('is used for its answers, and leaks nowhere', async () => {
    expect(await answerTo('Hello')).toMatchObject({ status: 'failed', reason: 'invalid_key' })
    await set()
    const answer = await answerTo('Hello again')
    expect(answer).toMatchObject({ status: 'complete', text: 'Gladly.' })
    const traces = await app.database.root.selectFrom('turn_traces').select('trace').execute()
    expect(JSON.stringify(traces)).not.toContain(OWN)
  })

  it('replaces the previous one', async () => {
    await set('sk-an-older-key-0000')
    expect(await set()).toHaveLength(1)
    expect(await codeOf(test())).toBe('success')
  })

  it('that is removed is deleted', async () => {
    await set()
    await owner.http.mutation(api.agents.keys.remove, { agentId, provider: 'openai' })
    expect(await owner.http.query(api.agents.keys.list, { agentId })).toEqual([])
    expect(await codeOf(test())).toBe('key_missing')
  })

  it('is deleted with its agent', async () => {
    await set()
    await owner.http.mutation(api.agents.remove, { id: agentId })
    const rows = await app.database.root.selectFrom('agent_keys').where('agent_id', '=', agentId).selectAll().execute()
    expect(rows).toEqual([])
  })

  it('cannot be decrypted for another agent, and no other key is charged in its place', async () => {
    await set()
    const other = await owner.http.mutation(api.agents.create, { name: 'Other', model: 'openai/gpt-4.1-mini' })
    await app.database.root
      .updateTable('agent_keys')
      .set({ agent_id: other._id })
      .where('agent_id', '=', agentId)
      .execute()
    const before = provider.requests.length
    agentId = other._id
    expect(await answerTo('Hello')).toMatchObject({ status: 'failed', reason: 'invalid_key' })
    expect(provider.requests).toHaveLength(before)
  })

  it.each(['short', 'with a space in it', 'с кириллицей-внутри'])('cannot be «%s»', async (key) => {
    expect(await codeOf(set(key))).toBe('invalid_arguments')
  })
})

describe('verifying a key', () => {
  it('calls the provider once, with the agent’s own model', async () => {
    const before = provider.requests.length
    expect(await test(OWN)).toEqual({ model: 'openai/gpt-4.1-mini' })
    expect(provider.requests.slice(before).map(({ model }) => model)).toEqual(['gpt-4.1-mini'])
    expect(await owner.http.query(api.agents.keys.list, { agentId })).toEqual([])
  })

  it('is counted as money and not as a message', async () => {
    await test(OWN)
    const events = await app.database.root
      .selectFrom('usage_events')
      .where('agent_id', '=', agentId)
      .selectAll()
      .execute()
    expect(events).toMatchObject([{ category: 'helper_generation', messages: 0, model: 'openai/gpt-4.1-mini' }])
  })

  it.each<[string, FakeReply]>([
    ['key_without_quota', { failure: 'quota_429' }],
    ['key_model_refused', { failure: 'status_404' }],
    ['provider_busy', { failure: 'status_429', retryAfterSeconds: 60 }],
    ['provider_unreachable', { failure: 'status_500' }],
    ['success', { text: ' ' }],
  ])('reports the error: %s', async (code, reply) => {
    provider.reply(() => reply)
    expect(await codeOf(test(OWN))).toBe(code)
  })

  it('reports that the key is not accepted', async () => {
    expect(await codeOf(test('sk-wrong-key-entirely'))).toBe('key_refused')
  })

  it.each([
    ['groq', 'whisper-large-v3-turbo'],
    ['deepgram', 'nova-2'],
    ['elevenlabs', 'scribe_v2'],
  ] as const)('has %s listen to a second of silence', async (name, model) => {
    await set(SPEECH_KEY, name)
    speech.script = ''
    expect(await listenTo(name)).toEqual({ model })
    expect(speech.heard.at(-1)?.bytes.length).toBe(16_044)
    expect(await codeOf(listenTo(name, 'sk-wrong-key-entirely'))).toBe('key_refused')
    speech.faults = ['status_500', 'status_500']
    expect(await codeOf(listenTo(name))).toBe('provider_unreachable')
  })
})
