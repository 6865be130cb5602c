// The description of tables for a model stays small, however large they are.
import { describe, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { DataTable } from '#shared/knowledge/tables.ts'
import { describeTables, findTables, fitRows } from './tables.rules.ts'

function tableOf(id: string, columns: number): DataTable {
  return {
    _id: id as Id<'tables'>,
    knowledgeSpaceId: 'space' as Id<'knowledgeSpaces'>,
    name: `${id}.csv`,
    format: 'csv',
    sizeBytes: 1,
    sheet: null,
    status: 'ready',
    errorReason: null,
    warnings: [],
    reading: {},
    columns: Array.from({ length: columns }, (_, at) => ({
      name: `Column ${at}`,
      type: 'text',
      samples: ['x'.repeat(80), 'y', 'z'],
      unfit: 0,
    })),
    rows: 1,
    isAnalyzed: true,
    importedColumn: null,
    chunks: { total: null, ready: 0, failed: 0 },
    tags: [],
    validFrom: null,
    validUntil: null,
    language: null,
    chosenLanguage: null,
    uploadedAt: 0,
  }
}

describe('tables', () => {
  it('are described by columns with their numbers, types and short samples', () => {
    const { known, text } = describeTables([tableOf('a', 1)])
    expect(known).toHaveLength(1)
    expect(JSON.parse(text)).toEqual({
      table: 'a',
      name: 'a.csv',
      rows: 1,
      columns: [{ column: 1, name: 'Column 0', type: 'text', samples: [`${'x'.repeat(39)}…`, 'y', 'z'] }],
    })
  })

  it('of a workbook say which sheet they are', () => {
    expect(JSON.parse(describeTables([{ ...tableOf('a', 1), sheet: 'Stock' }]).text)).toMatchObject({ sheet: 'Stock' })
  })

  it('are all described, those that the question is about first, then the newest', () => {
    const tables = Array.from({ length: 60 }, (_, at) => ({ ...tableOf(`t${at}`, 8), name: `Склад ${at}.csv` }))
    const wanted = { ...tableOf('wanted', 8), name: 'Прайс на матрасы.csv' }
    const { known, unlisted, text } = describeTables([wanted, ...tables], 'Сколько стоит матрас?')
    expect([known.length, unlisted.length]).toEqual([61, 0])
    expect(known.slice(0, 2).map(({ _id }) => _id)).toEqual(['wanted', 't59'])
    for (const { _id } of [wanted, ...tables]) expect(text).toContain(`"table":"${_id}"`)
    expect(text.length).toBeLessThan(23_000)
  })

  it('that are far too many say how many can only be found by search', () => {
    const tables = Array.from({ length: 500 }, (_, at) => tableOf(`t${at}`, 8))
    const { known, unlisted, text } = describeTables(tables)
    expect(known.length + unlisted.length).toBe(500)
    expect(text).toContain(`${unlisted.length} more tables are found by find_tables only.`)
    const odd = { ...tableOf('odd', 2), name: 'Прайс на матрасы.csv' }
    expect(findTables([odd, ...tables], 'матрас', 5).found.map((found) => JSON.parse(found).table)).toEqual(['odd'])
    expect(findTables([odd, ...tables], 'крокодил', 5)).toEqual({ found: [], others: [], leftOut: 0 })
    const { found, others, leftOut } = findTables([odd, ...tables], 'csv', 5)
    expect([found.length, others.length, leftOut]).toEqual([5, 20, 476])
    const spoken = { ...tableOf('spoken', 2), name: 'Wi-Fi тарифтері, жеткізу.csv' }
    for (const words of ['вайфай', 'wifi тарифтери', 'жеткизу']) {
      const spokenOf = findTables([spoken, ...tables], words, 5).found
      expect(spokenOf.map((found) => JSON.parse(found).table)).toEqual(['spoken'])
    }
  })

  it.each(['видео наблюдение', 'видеонаблюденея', 'шино монтаж', 'шеномонтаж', 'шиномонтажь'])(
    'are found by words that are mistyped or divided otherwise, as %s',
    (words) => {
      const tables = [
        ...Array.from({ length: 60 }, (_, at) => tableOf(`t${at}`, 3)),
        { ...tableOf('video', 2), name: 'Видеонаблюдение.csv' },
        { ...tableOf('tyres', 2), name: 'Шиномонтаж.csv' },
      ]
      const found = findTables(tables, words, 5).found.map((each) => JSON.parse(each).table)
      expect(found).toEqual([words.startsWith('в') ? 'video' : 'tyres'])
    },
  )

  it('say what of their file they do not hold', () => {
    const [column] = tableOf('a', 1).columns
    const columns = column ? [{ ...column, unfit: 7 }] : []
    const warnings: DataTable['warnings'] = [
      { kind: 'rows_left_out', kept: 50_000 },
      { kind: 'sheets_left_out', count: 2 },
      { kind: 'encoding_guessed', encoding: 'windows-1251' },
    ]
    expect(JSON.parse(describeTables([{ ...tableOf('a', 1), columns, warnings }]).text)).toMatchObject({
      missing: [
        'the file has more rows: only the first 50000 are known',
        'the file has 2 more tables or sheets, which are not known',
      ],
      columns: [{ cellsOfAnotherType: 7 }],
    })
  })

  it('say of what their numbers are', () => {
    const [column] = tableOf('a', 1).columns
    const columns: DataTable['columns'] = column ? [{ ...column, type: 'number', unit: 'кг' }, column] : []
    const described = JSON.parse(describeTables([{ ...tableOf('a', 1), columns }]).text)
    expect(described.columns[0]).toMatchObject({ type: 'number', unit: 'кг' })
    expect(described.columns[1]).not.toHaveProperty('unit')
  })

  it('that are wide are described without samples, and those that do not fit in short', () => {
    const wide = describeTables([tableOf('a', 100), tableOf('b', 100)])
    expect(wide.text.includes('samples')).toBe(false)
    expect(wide.known).toHaveLength(2)
    const many = describeTables(Array.from({ length: 10 }, (_, at) => tableOf(`t${at}`, 100)))
    expect(many.known).toHaveLength(10)
    expect(many.text.length).toBeLessThan(23_000)
  })
})

describe('rows of a result', () => {
  const row = (number: number, ...cells: string[]) => ({ number, cells })

  it('are cut where their cells or their number would be too large', () => {
    expect(fitRows([row(1, 'a', 'b'.repeat(1000))])).toEqual([row(1, 'a', `${'b'.repeat(199)}…`)])
    expect(fitRows(Array.from({ length: 50 }, (_, at) => row(at, ...Array(10).fill('c'.repeat(100)))))).toHaveLength(8)
    expect(fitRows([row(1, ...Array(100).fill('c'.repeat(200)))])).toHaveLength(1)
    expect(fitRows([])).toEqual([])
  })
})
