// Calculations that an answer writes out: right ones of held prices are no claim of their own.
import { expect, it } from 'vitest'
import { type Evidence, groundSentences, unfoundedOf } from './grounding.rules.ts'

const ROWS = [
  ['Кресло офисное', '7 500', '4'],
  ['Диван угловой', '12 900', '7'],
  ['Armchair Oslo', '499.90', '15'],
]
const TABLE: Evidence = {
  origin: 'knowledge',
  id: 'table',
  text: ROWS.map((cells) => cells.join(' | ')).join('\n'),
  table: { columns: ['Товар', 'Цена', 'Остаток'], rows: ROWS, computed: [] },
}
const TEXT: Evidence = {
  origin: 'knowledge',
  id: 'text',
  text: 'Доставка по городу – 1 500 ₸. Подъём на этаж – 300 ₸.',
}
const unfounded = (answer: string) => unfoundedOf(groundSentences(answer, [TABLE, TEXT]))

it.each([
  '2 кресла офисных по 7 500 ₽ – 15 000 ₽.',
  'Кресло офисное: 2 × 7 500 = 15 000 ₽.',
  'Кресло офисное: 7 500 ₽ × 2 = 15 000 ₽.',
  '3 дивана угловых по 12 900 ₽ будут стоить 38 700 ₽.',
  'Кресло офисное и диван угловой: 7 500 + 12 900 = 20 400 ₽.',
  'Диван угловой стоит 12 900 ₽, кресло офисное 7 500 ₽, вместе 20 400 ₽.',
  '2 Armchair Oslo at $499.90 = $999.80.',
  'Доставка 1 500 ₸ + подъём 300 ₸ = 1 800 ₸.',
])('right, with the price of the sources: %s', (answer) => {
  expect(unfounded(answer)).toEqual([])
})

it.each([
  '2 кресла офисных по 7 500 ₽ – 14 000 ₽.',
  'Кресло офисное: 2 × 7 500 = 17 500 ₽.',
  '2 кресла офисных по 12 900 ₽ – 25 800 ₽.',
  '2 кресла офисных по 8 000 ₽ – 16 000 ₽.',
  'Кресло офисное и диван угловой: 7 500 + 12 900 = 24 000 ₽.',
  'Диван угловой стоит 12 900 ₽, кресло офисное 7 900 ₽, вместе 20 800 ₽.',
  '2 кресла офисных обойдутся в 15 000 ₽.',
  'Доставка 1 500 ₸ + подъём 400 ₸ = 1 900 ₸.',
  'Кресло офисное стоит 15 000 ₽, 2 × 7 500.',
])('wrong, or of a price that the sources do not have: %s', (answer) => {
  expect(unfounded(answer)).toEqual([answer])
})
