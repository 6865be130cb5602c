// What is parsed, and what is refused before it becomes objects.
import { expect, it } from 'vitest'
import { isWithin, parseBoundedJson } from './bounded-json.ts'

const BOUNDS = { depth: 3, values: 6 }

it.each<[string, unknown]>([
  ['{"a":[1,2,{"b":null}]}', { a: [1, 2, { b: null }] }],
  ['"[[[[,,,,,,,,"', '[[[[,,,,,,,,'],
  ['["\\"[[[[", "\\\\"]', ['"[[[[', '\\']],
  ['[[[]]]', [[[]]]],
])('parses %s', (text, value) => {
  expect(parseBoundedJson(text, BOUNDS)).toEqual(value)
})

it.each([
  ['nested deeper', '[[[[]]]]'],
  ['with more entries', '[1,2,3,4,5,6]'],
  ['with more keys', '{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1}'],
  ['with more entries after a string that ends in a backslash', '["\\\\",1,2,3,4,5,6]'],
  ['that is no JSON', '{'],
  ['with a string that never ends', '["a'],
])('does not parse a text %s', (_, text) => {
  expect(parseBoundedJson(text, BOUNDS)).toBeUndefined()
})

it('counts a long run of escapes once and not once for each quote', () => {
  expect(isWithin(`["${'\\"'.repeat(500_000)}"]`, BOUNDS)).toBe(true)
  expect(isWithin(`["${'\\\\'.repeat(500_000)}"]`, BOUNDS)).toBe(true)
})
