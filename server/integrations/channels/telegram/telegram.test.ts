// What is Telegram's own about its channel; what every channel promises is in channel.contract.test.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import { type FakeTelegram, randomToken, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { createTelegramChannel } from './telegram.ts'

let telegram: FakeTelegram
let token: string
const chat = '4242'
beforeAll(async () => {
  telegram = await startFakeTelegram()
  token = telegram.addBot().token
  telegram.bot(token).knownChats.add(chat)
})
afterAll(() => telegram.close())

const credentials = (given = token) => ({ token: given, webhookSecret: 'secret' })
const adapter = (apiRoot = telegram.url) => createTelegramChannel({ apiRoot, callTimeoutMs: 300 })

async function failure(call: Promise<unknown>): Promise<AdapterError> {
  const error = await call.then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof AdapterError)) throw error
  return error
}

describe('sending', () => {
  it('answers with the number of the message', async () => {
    const { externalMessageId } = await adapter().send(credentials(), chat, 'Hello', 'part')
    expect(telegram.sentTo(chat).at(-1)).toMatchObject({ text: 'Hello', messageId: Number(externalMessageId) })
  })

  it('shows Markdown, and what a person typed as it was typed', async () => {
    await adapter().send(credentials(), chat, 'A **bold** word', 'part')
    expect(telegram.sentTo(chat).at(-1)).toMatchObject({
      text: 'A bold word',
      entities: [{ type: 'bold', offset: 2, length: 4 }],
    })
    await adapter().send(credentials(), chat, '2*3*4', 'part', { isPlain: true })
    expect(telegram.sentTo(chat).at(-1)).toMatchObject({ text: '2*3*4', entities: [] })
  })

  it('shows choices below each other, and each button means what stands on it', async () => {
    await adapter().send(credentials(), chat, 'Shall we?', 'part', { choices: ['Yes', 'No'] })
    const buttons = ['Yes', 'No'].map((text) => [{ text, callback_data: text }])
    expect(telegram.sentTo(chat).at(-1)).toMatchObject({ text: 'Shall we?', buttons })
    await adapter().send(credentials(), chat, 'Well?', 'part', { choices: [] })
    expect(telegram.sentTo(chat).at(-1)).not.toHaveProperty('buttons')
    const long = adapter().send(credentials(), chat, 'Shall we?', 'part', { choices: ['ы'.repeat(33)] })
    expect((await failure(long)).kind).toBe('permanent')
  })

  it('shows scores side by side, and each button says to which question it belongs', async () => {
    const ratingId = 'a0'.repeat(16)
    await adapter().send(credentials(), chat, 'How was it?', 'part', { choices: ['1', '2'], ratingId })
    const buttons = [['1', '2'].map((text) => ({ text, callback_data: `rating:${ratingId}:${text}` }))]
    expect(telegram.sentTo(chat).at(-1)).toMatchObject({ text: 'How was it?', buttons })
  })

  it('sends the words alone, once, when their formatting is refused', async () => {
    const before = telegram.sentTo(chat).length
    telegram.faults.refusesEntities = true
    await adapter().send(credentials(), chat, 'A **bold** word', 'part')
    telegram.faults.refusesEntities = false
    expect(telegram.sentTo(chat).slice(before)).toMatchObject([{ text: 'A bold word', entities: [] }])
  })

  it('an unknown token is unauthorized, a blocked bot blocked, a bad request permanent', async () => {
    expect(await failure(adapter().send(credentials(randomToken()), chat, 'x', 'part'))).toMatchObject({
      kind: 'unauthorized',
    })
    telegram.bot(token).knownChats.add('1')
    telegram.block(1)
    expect(await failure(adapter().send(credentials(), '1', 'x', 'part'))).toMatchObject({ kind: 'blocked' })
    expect(await failure(adapter().send(credentials(), '999', 'x', 'part'))).toMatchObject({ kind: 'permanent' })
  })

  it('reaches a group by the number that it has since it has grown', async () => {
    const [former, present] = ['-4243', -1_000_000_004_243]
    for (const known of [former, String(present)]) telegram.bot(token).knownChats.add(known)
    telegram.faults.grown.set(former, present)
    await adapter().send(credentials(), former, 'Hello', 'part')
    const prices = { kind: 'document' as const, name: 'prices.txt', mimeType: 'text/plain', bytes: new Uint8Array([1]) }
    await adapter().media?.sendFile?.(credentials(), former, prices, 'part')
    expect(telegram.sentTo(present)).toMatchObject([{ text: 'Hello' }, { document: { name: 'prices.txt' } }])
    expect(telegram.sentTo(former)).toEqual([])
  })

  it('a limit carries the time to wait', async () => {
    telegram.bot(token).knownChats.add('2')
    telegram.rateLimit(2, 30)
    expect(await failure(adapter().send(credentials(), '2', 'x', 'part'))).toMatchObject({
      kind: 'rate_limited',
      retryAfterMs: 30_000,
    })
  })
})

describe('the stand-in, driven from outside', () => {
  it('refuses a token that it does not know, and goes on', async () => {
    const drive = (given: string) =>
      fetch(`${telegram.url}/control/customerSays`, { method: 'POST', body: JSON.stringify([given, 7, 'Hello']) })
    expect((await drive(randomToken())).status).toBe(400)
    expect((await drive(telegram.addBot().token)).status).toBe(200)
  })
})

describe('files', () => {
  const signal = new AbortController().signal
  const media = (apiRoot?: string) => {
    const { media: channelMedia } = adapter(apiRoot)
    const { sendVoice, sendFile } = channelMedia ?? {}
    if (!channelMedia || !sendVoice || !sendFile) throw new Error('the channel sends no files')
    return { ...channelMedia, sendVoice, sendFile }
  }
  const add = (fileId: string, bytes: Uint8Array) => telegram.files.set(fileId, { path: `voice/${fileId}.oga`, bytes })

  it('are fetched by their id', async () => {
    add('f1', new Uint8Array([1, 2, 3]))
    expect(new Uint8Array(await media().download(credentials(), 'f1', 3, signal))).toEqual(new Uint8Array([1, 2, 3]))
  })

  it('that are gone or too large are not fetched', async () => {
    add('f2', new Uint8Array(4))
    expect(await failure(media().download(credentials(), 'f2', 3, signal))).toMatchObject({ kind: 'permanent' })
    expect(await failure(media().download(credentials(), 'gone', 3, signal))).toMatchObject({ kind: 'permanent' })
  })

  it('of a server that has a bad moment may be had later, and no error names the token', async () => {
    add('f3', new Uint8Array(1))
    telegram.faults.downloadsToFail = 1
    const error = await failure(media().download(credentials(), 'f3', 100, signal))
    expect(error).toMatchObject({ kind: 'temporary' })
    expect(`${error.message} ${error.stack}`).not.toContain(token)
  })

  it('are spoken answers on their way out', async () => {
    const audio = new TextEncoder().encode('OggS hello')
    const { externalMessageId } = await media().sendVoice(credentials(), chat, audio, 'part1')
    const sent = telegram.sentTo(chat).find((message) => String(message.messageId) === externalMessageId)
    expect(Buffer.from(sent?.voice ?? []).toString()).toBe('OggS hello')
  })

  it('of the team go as photos where they are pictures, and whole where they are not', async () => {
    const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47])
    const text = new TextEncoder().encode('prices')
    const send = async (name: string, mimeType: string, bytes: Uint8Array) => {
      const file = { kind: 'document' as const, name, mimeType, bytes }
      const { externalMessageId } = await media().sendFile(credentials(), chat, file, 'part')
      return telegram.sentTo(chat).find((message) => String(message.messageId) === externalMessageId)
    }
    expect(await send('room.png', 'image/png', png)).toMatchObject({ photo: { name: 'room.png', bytes: png } })
    expect(await send('prices.txt', 'text/plain', text)).toMatchObject({
      document: { name: 'prices.txt', bytes: text },
    })
    // Refused as a photo: it comes as a file.
    expect(await send('broken.png', 'image/png', text)).toMatchObject({ document: { name: 'broken.png', bytes: text } })
  })

  it('refused by Telegram have definitely not arrived', async () => {
    const refused = media().sendVoice(credentials(), chat, new TextEncoder().encode('no sound'), 'part1')
    expect(await failure(refused)).toMatchObject({ kind: 'permanent' })
  })
})

describe('polling', () => {
  it('waits for updates, and confirms them with the next offset', async () => {
    const signal = new AbortController().signal
    const polled = adapter().polling.poll(credentials(), null, 5, signal)
    await telegram.waitFor(() => telegram.pollers.size > 0, 'the poll')
    const id = telegram.customerSays(token, Number(chat), 'Hello')
    const { updates, nextOffset } = await polled
    expect(updates).toMatchObject([{ update_id: id }])
    expect(nextOffset).toBe(id + 1)
    expect(await adapter().polling.poll(credentials(), nextOffset, 0, signal)).toEqual({
      updates: [],
      nextOffset: null,
    })
    expect(telegram.acknowledged.has(id)).toBe(true)
  })

  it('can be broken off, and reports a second poller', async () => {
    const controller = new AbortController()
    const polled = adapter().polling.poll(credentials(), null, 5, controller.signal)
    await telegram.waitFor(() => telegram.pollers.size > 0, 'the poll')
    controller.abort('enough')
    await expect(polled).rejects.toBe('enough')
    const first = failure(adapter().polling.poll(credentials(), null, 5, new AbortController().signal))
    await telegram.waitFor(() => telegram.pollers.size > 0, 'the first poll')
    const second = new AbortController()
    const other = adapter().polling.poll(credentials(), null, 5, second.signal)
    expect((await first).message).toMatch(/^409/)
    second.abort('enough')
    await expect(other).rejects.toBe('enough')
  })
})
