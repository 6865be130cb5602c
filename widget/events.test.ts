// Events that arrive in pieces.
import { expect, it } from 'vitest'
import { createEventReader } from './events.ts'

const STREAM = ': here\n\nevent: chat\ndata: {"a":1}\n\n: here\n\nevent: chat\ndata: {"b":"ы"}\n\n'

it.each([1, 2, 7, 1000])('reads the same events out of pieces of %i characters', (size) => {
  const found: string[] = []
  const feed = createEventReader((data) => found.push(data))
  for (let at = 0; at < STREAM.length; at += size) feed(STREAM.slice(at, at + size))
  expect(found).toEqual(['{"a":1}', '{"b":"ы"}'])
})

it('holds back an event that is not whole', () => {
  const found: string[] = []
  createEventReader((data) => found.push(data))('event: chat\ndata: {"a":1}\n')
  expect(found).toEqual([])
})
