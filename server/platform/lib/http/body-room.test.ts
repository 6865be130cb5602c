// How many bytes of bodies may be received concurrently.
import { expect, it } from 'vitest'
import { BodyRoom } from './body-room.ts'

it('has so much room for each address, and gives it back', () => {
  const room = new BodyRoom(100)
  const leave = room.enter('a', 60)
  expect(room.enter('a', 41)).toBeNull()
  expect(room.enter('b', 100)).not.toBeNull()
  expect(room.enter('a', 40)).not.toBeNull()
  leave?.()
  expect(room.enter('a', 61)).toBeNull()
  expect(room.enter('a', 60)).not.toBeNull()
})
