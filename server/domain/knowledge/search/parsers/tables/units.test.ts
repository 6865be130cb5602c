// Numbers with a unit: computed where all of a column have the same.
import { describe, expect, it } from 'vitest'
import { typeColumns } from './column-types.ts'

const typed = (cells: string[], ...choices: Parameters<typeof typeColumns>[2] & object) => {
  const table = typeColumns(
    ['Столбец'],
    cells.map((cell) => [cell]),
    choices,
  )
  return { column: table.columns[0], values: table.rows.map((row) => row.typed[0]) }
}

describe('a column of numbers with a unit', () => {
  it.each<[string[], string, unknown[]]>([
    [['5 кг', '1 200,5 кг', '—', ''], 'кг', [5, 1200.5, null, null]],
    [['10 шт.', '2 шт', '3шт.'], 'шт', [10, 2, 3]],
    [['1 234,50 руб./м²', '99 руб/м2'], '₽/м2', [1234.5, 99]],
    [['12 мес', '24 мес'], 'мес', [12, 24]],
    [[',75 кг', '1,25 кг', '-,5 кг'], 'кг', [0.75, 1.25, -0.5]],
    [['$.99', '$1.50', '.5 $'], '$', [0.99, 1.5, 0.5]],
  ])('%j are numbers of %s', (cells, unit, values) => {
    const { column, values: read } = typed(cells)
    expect(column).toMatchObject({ type: 'number', unit, unfit: 0 })
    expect(read).toEqual(values)
  })

  it.each([[['100A', '200A']], [['10 мая', '12 мая']], [['007 шт', '012 шт']], [['2 этаж']], [['.1.2', '.1.3']]])(
    '%j stay texts',
    (cells) => {
      const { column } = typed(cells)
      expect(column).toMatchObject({ type: 'text' })
      expect(column).not.toHaveProperty('unit')
    },
  )

  it.each<[string[], string[], unknown[]]>([
    [
      ['5 кг', '500 г'],
      ['кг', 'г'],
      [5, 500],
    ],
    [
      ['5 мВт', '5 МВт'],
      ['мВт', 'МВт'],
      [5, 5],
    ],
    [
      ['5 кг', '10'],
      ['кг', ''],
      [5, 10],
    ],
    [
      ['1 200 ₽', '90'],
      ['₽', ''],
      [1200, 90],
    ],
  ])('%j has several units, which stand in another column', (cells, units, values) => {
    const { column, values: read } = typed(cells)
    expect(column).toMatchObject({ type: 'number', units: { column: 2, values: units }, unfit: 0 })
    expect(column).not.toHaveProperty('unit')
    expect(read).toEqual(values)
  })

  it('may have cells that are none, and ranges, which are not counted', () => {
    expect(typed(['5 кг', '1 200 кг', 'по запросу']).column).toMatchObject({ type: 'number', unit: 'кг', unfit: 1 })
    expect(typed(['5-10 кг', '7 кг'])).toMatchObject({ column: { unit: 'кг', unfit: 1 }, values: [null, 7] })
  })

  it('is one where a person says so; a currency that most cells have is that of all', () => {
    const choice = { name: 'Столбец', type: 'number' } as const
    const { column, values } = typed(['5 ₽', '7 ₽', '8', 'по запросу', 'x', 'y', 'z'], choice)
    expect(column).toMatchObject({ type: 'number', unit: '₽', unfit: 4, misfits: [{ row: 4 }, { row: 5 }] })
    expect(values).toEqual([5, 7, 8, null, null, null, null])
    expect(typed(['1 200 ₽', '5 000 ₽'], choice).column).toMatchObject({ unit: '₽' })
  })
})

describe('the name of a column', () => {
  const unitOf = (name: string) => typeColumns([name], [['1 000'], ['2 500'], ['300']]).columns[0]?.unit

  it.each(['Сумма', 'Мин. сумма', 'Жалпы сома', 'Рубрика', 'Размер EUR', 'Size (EUR)', 'Weight, pounds'])(
    'is no currency where it only looks like one: %s',
    (name) => expect(unitOf(name)).toBeUndefined(),
  )

  it.each([
    ['Сумма, сум', 'сум'],
    ['Баасы, сом', 'сом'],
    ['Сумма, рублей', '₽'],
    ['Price, EUR', '€'],
    ['Narxi, UZS', 'сум'],
  ])('says the currency: %s', (name, unit) => expect(unitOf(name)).toBe(unit))

  it('makes prices of its numbers by a currency', () => {
    const { columns, rows } = typeColumns(['Приём, тг'], [['8000'], ['12000'], ['по записи']])
    expect(columns[0]).toMatchObject({ type: 'number', unit: '₸', unfit: 1 })
    expect(rows.map(({ typed }) => typed[0])).toEqual([8000, 12_000, null])
  })
})

describe('a currency', () => {
  it.each<[string[], string, number[]]>([
    [['450 000 сум', '1 200 000 сўм', "90 000 so'm"], 'сум', [450_000, 1_200_000, 90_000]],
    [['12 сом', '32 сома', '500 KGS'], 'сом', [12, 32, 500]],
    [['US$100', 'US$ 1,200', '$300'], '$', [100, 1200, 300]],
    [['₹1,25,000', '₹12,50,000.50', 'Rs. 750'], '₹', [125_000, 1_250_000.5, 750]],
    [['1.250,00 TL', '980,50 ₺'], '₺', [1250, 980.5]],
    [['45 ₾', '120 GEL'], '₾', [45, 120]],
    [['AED 1,250', '980 AED'], 'AED', [1250, 980]],
    [['1 250 zł', '99,90 PLN'], 'zł', [1250, 99.9]],
  ])('is one however it is written: %j', (cells, unit, values) => {
    const { column, values: read } = typed(cells)
    expect(column).toMatchObject({ type: 'number', unit, unfit: 0 })
    expect(read).toEqual(values)
  })
})
