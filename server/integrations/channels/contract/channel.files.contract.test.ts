// What every channel promises of files, in and out, and of receipts, as far as it can do these things: tried on each of them over the
// fake of its provider.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  CHANNELS,
  failure,
  type GivenFile,
  misbehaving,
  PROVIDERS,
  type ProviderStage,
  type Stage,
} from '#tests/channel-stages.ts'
import type { OutgoingFile } from './channel.media.ts'
import type { InboundAttachment } from './inbound.ts'

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const FILES: [what: string, file: GivenFile & { mimeType: string }][] = [
  ['a picture', { kind: 'image', name: 'photo.png', mimeType: 'image/png', bytes: PICTURE }],
  ['a document', { kind: 'document', name: 'цены; 2026.txt', mimeType: 'text/plain', bytes: Buffer.from('Prices') }],
]
const STATES = ['delivered', 'read', 'failed'] as const
const signal = new AbortController().signal
let parts = 0
const part = () => `file part ${++parts}`
const isUnknownTo = (stage: Stage, { kind }: GivenFile | OutgoingFile) =>
  stage.knowsOnlyPictures === true && kind !== 'image'

describe.each(CHANNELS)('receipts of the channel %s', (_, open) => {
  let stage: Stage
  beforeAll(async () => {
    stage = await open()
  })
  afterAll(() => stage.close())

  it('are declared by exactly the channels that report them', () => {
    expect(stage.adapter.traits.tellsReceipts ?? false).toBe(stage.receipt !== undefined)
  })

  it.each(STATES)('say what became of the message that was sent: %s', async (state) => {
    const { adapter, credentials, chatId, receipt, tells = STATES } = stage
    if (!receipt || !tells.includes(state)) return
    const { externalMessageId } = await adapter.send(credentials, chatId, 'Good day', part())
    const parsed = adapter.parse(receipt(externalMessageId, state), credentials)
    expect(parsed).toMatchObject({ kind: 'receipt', externalMessageId, state })
    if (parsed.kind === 'receipt') expect(Boolean(parsed.reason)).toBe(state === 'failed')
  })

  it('come again under the same key, and tell another state under another one', () => {
    const { adapter, credentials, receipt, tells = STATES } = stage
    if (!receipt) return
    const keyOf = (state: (typeof STATES)[number]) => adapter.parse(receipt('1', state), credentials).externalKey
    expect(tells.map(keyOf)).toEqual(tells.map(keyOf))
    expect(new Set(tells.map(keyOf)).size).toBe(tells.length)
    const others = adapter.parse(receipt('2', 'read'), credentials)
    expect(others.externalKey).not.toBe(keyOf('read'))
  })
})

describe.each(CHANNELS)('files that come through the channel %s', (_, open) => {
  let stage: Stage
  beforeAll(async () => {
    stage = await open()
  })
  afterAll(() => stage.close())

  /** What was understood of a message with a file. */
  function received(file: GivenFile): InboundAttachment {
    const inbound = stage.adapter.parse(stage.fileBody(file), stage.credentials)
    const text = stage.knowsOnlyPictures ? '' : 'Look'
    expect(inbound).toMatchObject({ kind: 'message', chatId: stage.chatId, text })
    const [attachment] = (inbound.kind === 'message' && inbound.attachments) || []
    if (!attachment) throw new Error('nothing is attached')
    return attachment
  }
  const download = (fileId: string, maxBytes: number) =>
    stage.adapter.media?.download(stage.credentials, fileId, maxBytes, signal) ?? Promise.reject(new Error('no files'))

  it.each(FILES)('are understood with the words next to them: %s', (_what, file) => {
    const body = stage.fileBody(file)
    const { adapter, credentials } = stage
    expect(adapter.parse(structuredClone(body), credentials)).toEqual(adapter.parse(body, credentials))
    const attachment = received(file)
    if (isUnknownTo(stage, file)) return expect(attachment).toMatchObject({ kind: 'other', fileId: null })
    expect(attachment.kind).toBe(file.kind)
    if (file.kind === 'document') expect(attachment.name).toBe(file.name)
    expect(attachment.text).toBeNull()
  })

  it.each(FILES)('are given out whole, or are with us already: %s', async (_what, file) => {
    const { fileId, fileKey } = received(file)
    if (isUnknownTo(stage, file)) return expect(fileKey).toBeUndefined()
    if (fileId === null) return expect(fileKey).toBe('upload-1')
    expect(Buffer.from(await download(fileId, file.bytes.length))).toEqual(file.bytes)
  })

  it.each(FILES)('are not given out when they are larger than wanted: %s', async (_what, file) => {
    const { fileId } = received(file)
    if (fileId === null) return
    expect(await failure(download(fileId, file.bytes.length - 1))).toMatchObject({ kind: 'permanent' })
  })

  it('that do not exist fail for good, without a secret in the error', async () => {
    const { fileId } = received(FILES[stage.knowsOnlyPictures ? 0 : 1]?.[1] as GivenFile)
    const gone = await failure(download(`${fileId ?? 'file'}-gone`, 1000))
    expect(gone.kind).toBe('permanent')
    expect(`${gone.message} ${gone.stack} ${String(gone.cause)}`).not.toContain(stage.secret)
  })
})

describe.each(CHANNELS)('files that go out through the channel %s', (_, open) => {
  let stage: Stage
  beforeAll(async () => {
    stage = await open()
  })
  afterAll(() => stage.close())

  it.each(FILES)('are shown whole by their name, and have the id of a message: %s', async (_what, file) => {
    const { adapter, credentials, chatId } = stage
    if (!adapter.media?.sendFile) return
    const sending = adapter.media.sendFile(credentials, chatId, file, part())
    if (isUnknownTo(stage, file)) return expect(await failure(sending)).toMatchObject({ kind: 'permanent' })
    if (stage.refusesTextFiles && file.kind === 'document') {
      return expect(await failure(sending)).toMatchObject({ kind: 'permanent' })
    }
    const sent = await sending
    expect(sent.externalMessageId).toBeTruthy()
    const shown = stage.files?.().at(-1)
    if (shown)
      expect({ name: shown.name, bytes: Buffer.from(shown.bytes) }).toEqual({ name: file.name, bytes: file.bytes })
  })

  it('may be a voice message', async () => {
    const { adapter, credentials, chatId } = stage
    if (!adapter.media?.sendVoice) return
    const sent = await adapter.media.sendVoice(credentials, chatId, Buffer.from('OggS and so on'), part())
    expect(sent.externalMessageId).toBeTruthy()
  })
})

describe.each(PROVIDERS)('files on their way to the provider behind %s', (_, open) => {
  let stage: ProviderStage
  beforeAll(async () => {
    stage = await open()
  })
  afterAll(() => stage.close())
  const [, picture] = FILES[0] as (typeof FILES)[number]
  const send = (to: Pick<Stage, 'adapter' | 'credentials'>, file: OutgoingFile = picture) =>
    to.adapter.media?.sendFile?.(to.credentials, stage.chatId, file, part())

  it('have definitely not arrived without a connection', async () => {
    const sent = send(stage.at('http://no-such-host.invalid'))
    if (sent) expect(await failure(sent)).toMatchObject({ kind: 'temporary' })
  })

  it('may have arrived when the connection is cut, and no error holds a secret', async () => {
    using server = await misbehaving((request) => request.socket.destroy())
    const sent = send(stage.at(server.url))
    if (!sent) return
    const error = await failure(sent)
    expect(error.kind).toBe(stage.storesFilesFirst ? 'temporary' : 'unknown_outcome')
    expect(`${error.message} ${error.stack} ${String(error.cause)}`).not.toContain(stage.secret)
  })

  it('are refused to a stranger', async () => {
    const sent = send({ ...stage, credentials: stage.stranger })
    if (sent) expect(await failure(sent)).toMatchObject({ kind: 'unauthorized' })
  })
})
