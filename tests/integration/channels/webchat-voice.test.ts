// Spoken answers in the web chat: along with their text, in the chosen voice, for visitors who asked for them.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMedia } from '#server/integrations/media/create.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import type { VisitorChat, VisitorSession } from '#shared/channels/webchat.ts'
import { api, startApp, type TestApp } from '#tests/app.ts'
import { type FakeOpenAi, startFakeOpenAi } from '#tests/fakes/openai/openai.ts'
import { type FakeSpeech, SPEECH_KEY, startFakeSpeech } from '#tests/fakes/speech.ts'
import { createEventReader } from '../../../widget/events.ts'

let openai: FakeOpenAi
let speech: FakeSpeech
let app: TestApp
let widget: ChannelConnection
beforeAll(async () => {
  openai = await startFakeOpenAi()
  speech = await startFakeSpeech()
  const none = { apiKey: undefined, baseUrl: undefined }
  const speaking = { apiKey: SPEECH_KEY, baseUrl: speech.url }
  const rest = { groq: none, deepgram: none, elevenlabs: none, anthropic: none, google: none }
  app = await startApp({ openai, overrides: { media: createMedia({ openai: speaking, ...rest }) } })
  const person = await app.signUp()
  const agent = await person.http.mutation(api.agents.create, { name: 'Helper' })
  const multimodal = { ...agent.multimodal, speech: { ...agent.multimodal.speech, isOn: true, voice: 'nova' as const } }
  await person.http.mutation(api.agents.update, { id: agent._id, patch: { multimodal } })
  const texts = { greeting: '', offline: '' }
  const look = { title: 'Shop', color: '#2f5d50', position: 'right' as const, hasAvatar: false, takesFiles: false }
  widget = await person.http.action(api.channels.webchat.provision, {
    agentId: agent._id,
    widget: { ...look, texts: { ru: texts, en: texts }, domains: [] },
  })
})
afterAll(async () => {
  await app.close()
  await Promise.all([openai.close(), speech.close()])
})

const ask = (path: string, init: RequestInit = {}, token = '') =>
  fetch(`${app.url}/api/webchat/${widget.externalAccountId}/${path}`, {
    ...init,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  })

async function open(): Promise<string> {
  const session = await ask('session', { method: 'POST', body: '{}' })
  return ((await session.json()) as VisitorSession).token
}

/** Sends it, and waits for this many bubbles in total. */
async function talk(token: string, text: string, count: number): Promise<VisitorChat> {
  const body = JSON.stringify({ id: randomUUID(), text, language: 'en', files: [] })
  expect((await ask('messages', { method: 'POST', body }, token)).status).toBe(204)
  const stop = new AbortController()
  const stream = await ask('chat', { signal: stop.signal }, token)
  const decoder = new TextDecoder()
  let latest: VisitorChat | undefined
  const feed = createEventReader((data) => {
    latest = JSON.parse(data) as VisitorChat
  })
  for await (const piece of stream.body ?? []) {
    feed(decoder.decode(piece, { stream: true }))
    if (latest && latest.bubbles.length >= count && !latest.isAnswering) break
  }
  stop.abort()
  if (!latest) throw new Error('the stream ended')
  return latest
}

it('follow their text for the visitor who asked for them, can be heard by that visitor alone, and stay until they ask for text', async () => {
  openai.reply(() => ({ text: 'Fine.' }))
  const token = await open()
  const asked = await talk(token, 'Please answer by voice: do you deliver?', 3)
  const [, written, spoken] = asked.bubbles
  expect(written).toMatchObject({ author: 'agent', text: 'Fine.', files: [] })
  expect(spoken).toMatchObject({ author: 'agent', text: '', files: [{ isVoice: true, isImage: false }] })
  expect(speech.spoken).toMatchObject([{ voice: 'nova', input: 'Fine.' }])

  const id = spoken?.files[0]?.id
  const heard = await ask(`files/${id}`, {}, token)
  expect(await heard.text()).toBe('OggS nova says: Fine.')
  expect((await ask(`files/${id}`, {}, await open())).status).toBe(404)

  expect((await talk(token, 'And on Sundays?', 6)).bubbles.at(-1)?.files).toMatchObject([{ isVoice: true }])
  const read = await talk(token, 'Please answer in text: how much is it?', 8)
  expect(read.bubbles).toHaveLength(8)
  expect(read.bubbles.at(-1)).toMatchObject({ author: 'agent', text: 'Fine.', files: [] })
})

it('may be played by the page of the chat, which may load nothing else', async () => {
  const page = await fetch(`${app.url}/talk/${widget.externalAccountId}`)
  expect(page.headers.get('content-security-policy')).toContain('media-src blob:;')
})
