// Which SQL texts are prepared.
import { expect, test } from 'vitest'
import { statementNames } from './statement-names.ts'

test('a text gets a name when it comes the third time, and keeps it', () => {
  const nameOf = statementNames()
  expect([nameOf('select 1'), nameOf('select 1')]).toEqual([undefined, undefined])
  const name = nameOf('select 1')
  expect(name).toBeDefined()
  expect(nameOf('select 1')).toBe(name)
})

test('two texts never share a name', () => {
  const nameOf = statementNames()
  const names = ['a', 'b', 'c'].map((text) => [nameOf(text), nameOf(text), nameOf(text)][2])
  expect(new Set(names).size).toBe(3)
})

test('one-off texts are not prepared, however many come', () => {
  const nameOf = statementNames()
  for (let n = 0; n < 20_000; n++) expect(nameOf(`select ${n}`)).toBeUndefined()
})

test('a connection is not filled with more than it should hold', () => {
  const nameOf = statementNames()
  const names = Array.from(
    { length: 1000 },
    (_, n) => [nameOf(`select ${n}`), nameOf(`select ${n}`), nameOf(`select ${n}`)][2],
  )
  expect(new Set(names.filter(Boolean)).size).toBe(400)
})
