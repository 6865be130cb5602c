// Our frames, read by the websocket library.
import type { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import * as ws from 'ws'
import { framesFor, pingFrame, sharedMessage, textFrame } from './frames.ts'

/** The part of the library that reads frames; its types leave it out. */
const Receiver: new () => Writable = Reflect.get(ws, 'Receiver')

it.each([0, 1, 125, 126, 65_535, 65_536, 200_000])(
  'frames of %i bytes are read by the websocket library',
  async (length) => {
    const receiver = new Receiver()
    const received = new Promise<string>((resolve) => receiver.on('message', (data: Buffer) => resolve(String(data))))
    receiver.write(textFrame('x'.repeat(length)))
    expect((await received).length).toBe(length)
  },
)

it('counts bytes and not characters', async () => {
  const receiver = new Receiver()
  const received = new Promise<string>((resolve) => receiver.on('message', (data: Buffer) => resolve(String(data))))
  receiver.write(textFrame('я👋'.repeat(100)))
  expect(await received).toBe('я👋'.repeat(100))
})

/** A client of the library that has agreed to compression, fed with bytes. */
function receive(frames: Buffer[]): Promise<string> {
  const PerMessageDeflate: new (options: object) => { accept(offers: object[]): void } = Reflect.get(
    ws,
    'PerMessageDeflate',
  )
  const deflate = new PerMessageDeflate({ isServer: false })
  deflate.accept([{ server_no_context_takeover: [true], client_no_context_takeover: [true] }])
  const DeflatingReceiver: new (options: object) => Writable = Reflect.get(ws, 'Receiver')
  const receiver = new DeflatingReceiver({ extensions: { 'permessage-deflate': deflate } })
  const received = new Promise<string>((resolve, reject) => {
    receiver.on('message', (data: Buffer) => resolve(String(data)))
    receiver.on('error', reject)
  })
  for (const frame of frames) receiver.write(frame)
  return received
}

describe('a message that is the same for many but for its beginning', () => {
  const rest = `"text":"${'Доставка по городу стоит 390 рублей. '.repeat(400)}"}`
  const opening = (own: string) => `{"type":"Transition",${own}`

  it.each([
    ['as it is', false, true],
    ['compressed', true, true],
    ['compressed, for one who has not agreed to that', true, false],
  ])('is read by the websocket library %s', async (_, isForMany, mayDeflate) => {
    const message = sharedMessage(opening, rest, isForMany)
    expect(await receive(framesFor(message, '"clientClockSkew":17,', mayDeflate))).toBe(
      `{"type":"Transition","clientClockSkew":17,${rest}`,
    )
  })

  it('is the same bytes for all, and few when compressed', () => {
    const message = sharedMessage(opening, rest, true)
    const [[one, first], [two, second]] = [
      framesFor(message, '"clientClockSkew":1,', true),
      framesFor(message, '', true),
    ]
    expect(first).toBe(second)
    expect(one).not.toEqual(two)
    expect(first.length).toBeLessThan(Buffer.byteLength(rest) / 10)
  })

  it('is not compressed when it is short, or for few', () => {
    expect(sharedMessage(opening, '"a":1}', true).deflated).toBeNull()
    expect(sharedMessage(opening, rest, false).deflated).toBeNull()
  })
})

it('a ping is read as one', async () => {
  const receiver = new Receiver()
  const pinged = new Promise((resolve) => receiver.on('ping', resolve))
  receiver.write(pingFrame())
  await pinged
})
