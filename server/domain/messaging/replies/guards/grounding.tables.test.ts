// Figures of tables: each is held against the row and the column that its sentence names.
import { describe, expect, it } from 'vitest'
import { type Evidence, groundSentences, madeUpCountsOf, unfoundedOf } from './grounding.rules.ts'

const ROWS = [
  ['Кресло офисное', '7 500', '4'],
  ['Диван угловой', '12 900', '7'],
  ['Стол дубовый', '9 000', '12'],
  ['Стол сосновый', '8 200', '3'],
  ['Armchair Oslo', '499.90', '15'],
]
const COMPUTED = ['matchedRows: 5', 'avg of column 2: 7619.98', 'sum of column 3: 41']
const TABLE: Evidence = {
  origin: 'knowledge',
  id: 'table',
  text: [...COMPUTED, ...ROWS.map((cells) => cells.join(' | '))].join('\n'),
  table: { columns: ['Товар', 'Цена', 'Остаток'], rows: ROWS, computed: COMPUTED },
}
const verdictsOf = (answer: string, evidence: Evidence[] = [TABLE]) => groundSentences(answer, evidence)

describe('a figure', () => {
  it.each([
    'Кресло офисное стоит 12 900 ₽.',
    'Офисное кресло у нас по 12 900.',
    'Кресло офисное 12 900, диван угловой 7 500.',
    'Остаток кресла офисного: 7 500.',
    'Цена стола дубового 8 200 ₽.',
    'The Armchair Oslo costs 7,500.',
  ])('of another row or column is no figure of this one: %s', (answer) => {
    expect(unfoundedOf(verdictsOf(answer))).toEqual([answer])
  })

  it.each([
    'Кресло офисное стоит 7 500 ₽.',
    'Кресло офисное 7 500, диван угловой 12 900.',
    'Остаток кресла офисного: 4 шт.',
    'Диван угловой: цена 12 900 ₽, осталось 7.',
    'Стол стоит 8 200 или 9 000 ₽.',
    'The Armchair Oslo costs 499.90.',
    'В среднем 7 620 ₽.',
    'Средняя цена 7 619,98 ₽.',
    'Средняя цена около 7 600 ₽.',
    'The Armchair Oslo costs about 500.',
    'Всего в таблице 5 товаров, на складе 41 штука.',
  ])('of its own row, a computed one, and a right rounding stand: %s', (answer) => {
    expect(unfoundedOf(verdictsOf(answer))).toEqual([])
  })

  it.each(['Средняя цена около 7 800 ₽.', 'В среднем 7 621 ₽.'])(
    'that is rounded wrongly stands nowhere: %s',
    (answer) => {
      expect(unfoundedOf(verdictsOf(answer))).toEqual([answer])
    },
  )

  it('that a document says of something else stands there', () => {
    const delivery: Evidence = { origin: 'knowledge', id: 'd', text: 'Доставка офисного кресла стоит 1 500 ₽.' }
    expect(unfoundedOf(verdictsOf('Доставка офисного кресла стоит 1 500 ₽.', [TABLE, delivery]))).toEqual([])
  })
})

describe('a count', () => {
  it('that no table says is made up', () => {
    expect(madeUpCountsOf(verdictsOf('У нас в ассортименте 57 товаров.'))).toHaveLength(1)
    expect(madeUpCountsOf(verdictsOf('We have 57 items in total.'))).toHaveLength(1)
  })

  it('that a table says, and a made-up number of something else, are none', () => {
    expect(madeUpCountsOf(verdictsOf('Всего 5 товаров.'))).toEqual([])
    expect(madeUpCountsOf(verdictsOf('Приходите к 57 дому.'))).toEqual([])
    expect(
      madeUpCountsOf(verdictsOf('У нас 57 товаров.', [{ origin: 'knowledge', id: 'd', text: 'Мы продаём мебель.' }])),
    ).toEqual([])
  })
})
