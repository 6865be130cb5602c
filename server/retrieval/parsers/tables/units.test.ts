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
    [['1 234,50 руб./м²', '99 руб/м2'], 'руб/м2', [1234.5, 99]],
    [['12 мес', '24 мес'], 'мес', [12, 24]],
  ])('%j are numbers of %s', (cells, unit, values) => {
    const { column, values: read } = typed(cells)
    expect(column).toMatchObject({ type: 'number', unit, unfit: 0 })
    expect(read).toEqual(values)
  })

  it.each([
    [['5 кг', '500 г']],
    [['5 кг', '10']],
    [['5 кг', '1 200 кг', 'по запросу']],
    [['5 мВт', '5 МВт']],
    [['100A', '200A']],
    [['5-10 кг', '7 кг']],
    [['10 мая', '12 мая']],
    [['007 шт', '012 шт']],
    [['2 этаж']],
  ])('%j stay texts', (cells) => {
    const { column } = typed(cells)
    expect(column).toMatchObject({ type: 'text' })
    expect(column).not.toHaveProperty('unit')
  })

  it('has its commonest unit where a person says that it is one of numbers; other units do not fit', () => {
    const choice = { name: 'Столбец', type: 'number' } as const
    const { column, values } = typed(['5 кг', '500 г', '7 кг', '8', 'по запросу'], choice)
    expect(column).toMatchObject({ type: 'number', unit: 'кг', unfit: 2, misfits: [{ row: 2 }, { row: 5 }] })
    expect(values).toEqual([5, null, 7, 8, null])
    expect(typed(['5', '8 кг', '9'], choice).column).toMatchObject({ unit: 'кг', unfit: 0 })
    expect(typed(['1 200 ₽', '5 000 ₽'], choice).column).not.toHaveProperty('unit')
  })
})
