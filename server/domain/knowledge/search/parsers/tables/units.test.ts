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
  ])('%j are numbers of %s', (cells, unit, values) => {
    const { column, values: read } = typed(cells)
    expect(column).toMatchObject({ type: 'number', unit, unfit: 0 })
    expect(read).toEqual(values)
  })

  it.each([[['100A', '200A']], [['10 мая', '12 мая']], [['007 шт', '012 шт']], [['2 этаж']]])(
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
