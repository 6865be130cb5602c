// Numbers as people type them.
import { expect, it } from 'vitest'
import { parseNumber } from './parse-number.ts'

it.each([
  ['', null, null],
  ['  ', null, null],
  ['42', 42, 42],
  ['1 500', 1500, 1500],
  ['1\u00a0500', 1500, 1500],
  ['1\u202f000\u202f000', 1_000_000, 1_000_000],
  ['0,5', 0.5, 0.5],
  ['0.5', 0.5, 0.5],
  ['1,500', 1.5, 1500],
  ['12,345.50', Number.NaN, 12_345.5],
  ['-3', -3, -3],
  ['1e5', Number.NaN, Number.NaN],
  ['ten', Number.NaN, Number.NaN],
  ['.', Number.NaN, Number.NaN],
])('reads %j as %s in Russian and %s in English', (text, ru, en) => {
  expect(parseNumber(text, 'ru')).toBe(ru)
  expect(parseNumber(text, 'en')).toBe(en)
})
