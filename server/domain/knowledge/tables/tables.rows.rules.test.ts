// Rows that programs give: what is taken, and what is refused.
import { describe, expect, it } from 'vitest'
import { appErrorData } from '#shared/errors.ts'
import type { ColumnType, TableColumn } from '#shared/knowledge/tables.ts'
import { type GivenRow, typedRow } from './tables.rows.rules.ts'

const column = (name: string, type: ColumnType): TableColumn => ({ name, type, samples: [], unfit: 0 })
const COLUMNS = [column('Item', 'text'), column('Price', 'number'), column('Since', 'date'), column('Sold', 'boolean')]

function refusal(given: GivenRow) {
  try {
    return typedRow(COLUMNS, given, 'rows.0')
  } catch (error) {
    return appErrorData(error)?.params
  }
}

describe('a row', () => {
  it('is taken with its types, and shown as it was given', () => {
    const row = typedRow(COLUMNS, { Item: 'Ёлка', Price: 1200.5, Since: '2026-02-01', Sold: false }, 'rows.0')
    expect(row).toEqual({
      cells: ['Ёлка', '1200.5', '2026-02-01', 'false'],
      typed: ['елка', 1200.5, '2026-02-01', false],
    })
  })

  it('is empty where nothing is given', () => {
    expect(typedRow(COLUMNS, { Item: '', Price: null }, 'rows.0').typed).toEqual([null, null, null, null])
  })

  it.each([
    [{ Price: '1200' }, { path: 'rows.0.Price', type: 'number' }],
    [{ Item: 5 }, { path: 'rows.0.Item', type: 'text' }],
    [{ Since: '01.02.2026' }, { path: 'rows.0.Since', type: 'date' }],
    [{ Since: '2026-02-30' }, { path: 'rows.0.Since', type: 'date' }],
    [{ Sold: 'yes' }, { path: 'rows.0.Sold', type: 'boolean' }],
    [{ Colour: 'red' }, { path: 'rows.0.Colour' }],
    [{ constructor: 'x' }, { path: 'rows.0.constructor' }],
  ])('is refused with %j', (given, params) => {
    expect(refusal(given as GivenRow)).toEqual(params)
  })
})
