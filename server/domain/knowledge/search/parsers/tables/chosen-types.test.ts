// Column types chosen by people, and the reported cells that do not fit them.
import { describe, expect, it } from 'vitest'
import type { ColumnType } from '#shared/knowledge/tables.ts'
import { PARSE_LIMITS } from '../limits.ts'
import { typeColumns } from './column-types.ts'
import { parseTable } from './parse-table.ts'

describe('a column whose type is chosen', () => {
  it.each<[ColumnType, string[], unknown[]]>([
    ['number', ['1 200,50', 'по запросу', '—', ''], [1200.5, null, null, null]],
    ['date', ['01.02.2026', 'скоро', '2026-03-05'], ['2026-02-01', null, '2026-03-05']],
    ['boolean', ['да', 'под заказ', 'нет'], [true, null, false]],
    ['text', ['10', '20'], ['10', '20']],
    ['date', ['скоро', 'позже'], [null, null]],
  ])('as %s reads of %j what fits', (type, cells, values) => {
    const rows = cells.map((cell) => [cell])
    const { columns, rows: read } = typeColumns(['Столбец'], rows, [{ name: 'Столбец', type }])
    expect(columns[0]).toMatchObject({ type, isChosen: true })
    expect(read.map(({ typed }) => typed[0])).toEqual(values)
    expect(read.map((row) => row.cells[0])).toEqual(cells)
  })

  it('tells of two different cells that do not fit, each with the row in which it stands first', () => {
    const cells = ['1', 'по запросу', 'по запросу', '—', 'от 500 ₽', 'x'].map((cell) => [cell])
    expect(typeColumns(['Цена'], cells, [{ name: 'Цена', type: 'number' }]).columns[0]).toMatchObject({
      unfit: 3,
      misfits: [
        { row: 2, cell: 'по запросу' },
        { row: 6, cell: 'x' },
      ],
    })
  })

  it('is known again by its name when the file is read again', async () => {
    const file = new TextEncoder().encode('Товар;Цена\nСтол;по запросу\nСтул;20\n')
    const { columns } = await parseTable(file, 'csv', PARSE_LIMITS, {
      choices: [
        { name: 'Цена', type: 'number' },
        { name: 'Прежний', type: 'date' },
      ],
    })
    expect(columns).toMatchObject([{ type: 'text' }, { type: 'number', isChosen: true, unfit: 1 }])
    expect(columns[0]).not.toHaveProperty('isChosen')
  })
})
