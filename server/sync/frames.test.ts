// Our frames, read by the websocket library.
import type { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import * as ws from 'ws'
import { textFrame } from './frames.ts'

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
