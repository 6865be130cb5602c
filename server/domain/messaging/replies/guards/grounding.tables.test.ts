// Figures of tables: each is held against the row and the column that its sentence names.
import { describe, expect, it } from 'vitest'
import { type Evidence, groundSentences, madeUpCountsOf, unfoundedOf } from './grounding.rules.ts'

const ROWS = [
  ['Кресло офисное', '7 500', '4'],
  ['Диван угловой', '12 900', '7'],
  ['Стол дубовый', '9 000', '12'],
  ['Стол сосновый', '8 200', '3'],
  ['Armchair Oslo', '499.90', '15'],
  ['Саморез 3,5х35', '12', '100'],
  ['Саморез 3,5х45', '14', '90'],
]
const COMPUTED = ['matchedRows: 5', 'avg of column 2: 7619.98', 'sum of column 3: 41']
const TABLE: Evidence = {
  origin: 'knowledge',
  id: 'table',
  text: [...COMPUTED, ...ROWS.map((cells) => cells.join(' | '))].join('\n'),
  table: { columns: ['Товар', 'Цена', 'Остаток'], rows: ROWS, computed: COMPUTED },
}
const KAZAKH_ROWS = [
  ['Офис креслосы', '7 500', '4'],
  ['Бұрыштық диван', '12 900', '7'],
]
const KAZAKH: Evidence = {
  origin: 'knowledge',
  id: 'kazakh',
  text: KAZAKH_ROWS.map((cells) => cells.join(' | ')).join('\n'),
  table: { columns: ['Тауар', 'Бағасы', 'Қалдығы'], rows: KAZAKH_ROWS, computed: [] },
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
    'Саморез 3.5x45 – 12 руб.',
    'Кресло офисное и диван угловой стоят 12 900 и 7 500 ₽.',
    'В отличие от дивана углового, кресло офисное стоит 12 900 ₽.',
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
    'Диван угловой стоит около 13 тысяч рублей.',
    'Кресло офисное и диван угловой стоят 7 500 и 12 900 ₽.',
    'Кресло офисное стоит 7,5 тыс. ₽.',
    'Саморез 3.5x35 стоит 12 ₽, саморез 3,5×45 – 14 ₽.',
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

  it.each([
    ['**Кресло офисное**\n- Цена: 12 900 ₽', 'Цена: 12 900 ₽'],
    ['Кресло офисное:\nОстаток: 7 500', 'Остаток: 7 500'],
    ['Кресло офисное у нас есть. Оно стоит 12 900.', 'Оно стоит 12 900.'],
    ['We have the Armchair Oslo. It costs 7,500.', 'It costs 7,500.'],
  ])('of a row that an earlier sentence names is held against that row: %s', (answer, wrong) => {
    expect(unfoundedOf(verdictsOf(answer))).toEqual([wrong])
  })

  it.each([
    '**Кресло офисное**\n- Цена: 7 500 ₽\n- Остаток: 4',
    'Кресло офисное у нас есть. Оно стоит 7 500 ₽. Диван угловой тоже есть. Он стоит 12 900 ₽.',
    'Кресло офисное у нас есть. Всего 5 товаров.',
  ])('of that row stands: %s', (answer) => {
    expect(unfoundedOf(verdictsOf(answer))).toEqual([])
  })

  it.each(['Офис креслосының бағасы – 12 900 теңге.', 'Бұрыштық диванның бағасы 7 500 теңге.'])(
    'of another row is found in Kazakh: %s',
    (answer) => expect(unfoundedOf(verdictsOf(answer, [KAZAKH]))).toEqual([answer]),
  )

  it.each([
    'Офис креслосының бағасы – 7 500 теңге, қалдығы 4.',
    'Офис креслосы 7,5 мың теңге тұрады.',
    'Бұрыштық диван шамамен 13 мың теңге.',
  ])('of its own row, and rounded, stands in Kazakh: %s', (answer) => {
    expect(unfoundedOf(verdictsOf(answer, [KAZAKH]))).toEqual([])
  })

  it('that the customer has named is no figure of another row', () => {
    const asked: Evidence = { origin: 'conversation', text: 'Найдётся что-нибудь до 9 000 ₽?' }
    expect(unfoundedOf(verdictsOf('Есть кресло офисное. Это в пределах 9 000 ₽.', [TABLE, asked]))).toEqual([])
  })

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
