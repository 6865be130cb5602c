// What is stored can be written as JSON again, and is a text that the database takes.
import { expect, it } from 'vitest'
import { sanitizePayload } from './sanitize-payload.ts'

it('leaves what the database takes as it is', () => {
  const update = { update_id: 1, message: { text: 'Hello 😀', parts: [1, null, true] } }
  expect(sanitizePayload(update)).toEqual(update)
})

it('replaces the character NUL and halves of characters, in names of fields too', () => {
  expect(sanitizePayload({ 'k\0': ['va\0l', '\uD83D'] })).toEqual({ 'k\uFFFD': ['va\uFFFDl', '\uFFFD'] })
})

it.each([300, 4500, 200_000])('cuts off what lies too deep to be written again: %i levels', (depth) => {
  const list = JSON.parse(`{"text":"Hello","deep":${'['.repeat(depth)}${']'.repeat(depth)}}`) as { text: string }
  const kept = JSON.stringify(sanitizePayload(list))
  expect(kept).toContain('"text":"Hello"')
  expect(kept.length).toBeLessThan(1000)
})
