// What an instance is asked to keep: settings, messages that have not left, files that are sent.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Credentials } from '#server/integrations/channels/contract/credentials.ts'
import { type FakeGreenApi, type FakeInstance, startFakeGreenApi } from '#tests/fakes/green-api/green-api.ts'
import { greenApiToken, mediaUrlOf } from './green-api.access.ts'
import { createWhatsappChannel } from './green-api.ts'

const CHAT = '77001234567@c.us'
const { account, media, number, send, connect } = createWhatsappChannel({ slowPauseMs: 30 })
let greenApi: FakeGreenApi
let instance: FakeInstance
let credentials: Credentials
beforeAll(async () => {
  greenApi = await startFakeGreenApi({ secondMs: 20 })
})
beforeEach(() => {
  instance = greenApi.addInstance()
  const { idInstance, apiToken } = instance
  credentials = { token: greenApiToken({ apiUrl: greenApi.url, idInstance, apiToken }), webhookSecret: 'secret' }
})
afterAll(() => greenApi.close())

describe('an instance', () => {
  it('is set up as asked, and tells how it is', async () => {
    const settings = { delayMs: 600_000, marksRead: true, marksReadOnReply: false, keepsOnline: true }
    await number.configure(credentials, settings)
    expect(await number.setup(credentials)).toEqual({
      settings,
      apiUrl: greenApi.url,
      mediaUrl: greenApi.url,
      webhookUrl: null,
      isTelling: false,
    })
    await connect(credentials, 'https://parley.example/hook')
    expect(await number.setup(credentials)).toMatchObject({
      settings,
      webhookUrl: 'https://parley.example/hook',
      isTelling: true,
    })
  })

  it.each([499, 600_001])('refuses a delay of %d ms', async (delayMs) => {
    const settings = { delayMs, marksRead: false, marksReadOnReply: false, keepsOnline: false }
    await expect(number.configure(credentials, settings)).rejects.toMatchObject({ kind: 'permanent' })
  })

  it('lists what has not left, and drops it', async () => {
    instance.state = 'yellowCard'
    const { externalMessageId } = await send(credentials, CHAT, 'Hello', 'part1')
    expect(await number.waiting(credentials)).toEqual([externalMessageId])
    await number.clearQueue(credentials)
    expect(await number.waiting(credentials)).toEqual([])
    greenApi.setState(instance.idInstance, 'authorized')
    expect(greenApi.sent.filter(({ idMessage }) => idMessage === externalMessageId)).toEqual([])
  })

  it('takes a document, one without an extension, and a recording', async () => {
    const bytes = new TextEncoder().encode('OggS')
    const document = { kind: 'document' as const, mimeType: 'application/pdf', bytes }
    await media?.sendFile?.(credentials, CHAT, { ...document, name: 'меню.pdf' }, 'part1')
    await media?.sendFile?.(credentials, CHAT, { ...document, name: 'menu', mimeType: null }, 'part2')
    await media?.sendVoice?.(credentials, CHAT, bytes, 'part1')
    expect(greenApi.sentTo('77001234567').map(({ file }) => file)).toEqual([
      { name: 'меню.pdf', mimeType: 'application/pdf', bytes },
      { name: 'menu.bin', mimeType: 'application/octet-stream', bytes },
      { name: 'voice.ogg', mimeType: 'audio/ogg', bytes },
    ])
  })
})

describe('a code to be scanned', () => {
  const answered = async (answer: { type: string; message: string }) => {
    greenApi.faults.qr = answer
    return account.qr(credentials).finally(() => {
      greenApi.faults.qr = null
    })
  }

  it('has to wait for a passkey, and for an instance that starts', async () => {
    expect(await answered({ type: 'passkeyRequired', message: '' })).toEqual({ kind: 'passkey' })
    expect(await answered({ type: 'error', message: 'instance in starting process try later' })).toEqual({
      kind: 'starting',
    })
  })

  it('that is not given for another reason is an error with the reason', async () => {
    await expect(answered({ type: 'error', message: 'account banned' })).rejects.toMatchObject({
      kind: 'permanent',
      message: 'account banned',
    })
  })
})

describe('the host of files', () => {
  it.each([
    ['https://api.green-api.com', 'https://media.green-api.com'],
    ['https://7103.api.greenapi.com', 'https://7103.media.greenapi.com'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ])('of %s is %s', (apiUrl, mediaUrl) => {
    expect(mediaUrlOf({ apiUrl })).toBe(mediaUrl)
  })

  it('is the one that was entered', () => {
    const mediaUrl = 'https://files.greenapi.com'
    expect(mediaUrlOf({ apiUrl: 'https://api.green-api.com', mediaUrl })).toBe(mediaUrl)
  })
})
