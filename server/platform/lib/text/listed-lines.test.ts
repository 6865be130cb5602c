// Lists as models write them.
import { expect, it } from 'vitest'
import { listedLines } from './listed-lines.ts'

it('takes one item a line, without numbers and bullets, each once', () => {
  const text = '1. How much is delivery?\n2) Price of a courier\n\n- courier, price\n• courier, price'
  expect(listedLines(text, 4)).toEqual(['How much is delivery?', 'Price of a courier', 'courier, price'])
})

it('keeps a number that belongs to the item', () => {
  expect(listedLines('2026 prices', 4)).toEqual(['2026 prices'])
})

it('takes as many as are wanted, and none that explains', () => {
  expect(listedLines(['a', 'b', '---', 'x'.repeat(301), 'c', 'd'].join('\n'), 3)).toEqual(['a', 'b', 'c'])
})
