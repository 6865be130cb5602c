// Groups of rows that a spreadsheet folds up: their sums are left out, their names stay.
import { CFB, utils, write } from '@e965/xlsx'
import { describe, expect, it } from 'vitest'
import { PARSE_LIMITS } from '../limits.ts'
import { outlineOf } from './outline.ts'
import { parseTable } from './parse-table.ts'

type Row = [level: number, ...cells: (string | number)[]]

const EXPORT: Row[] = [
  [0, 'Остатки на складе'],
  [0, 'Номенклатура', 'Цена', 'Остаток', 'Сумма'],
  [0, 'Бытовая техника', '', 18, 18000],
  [1, 'Чайники', '', 15, 15000],
  [2, 'Чайник А', 1000, 10, 10000],
  [2, 'Чайник Б', 1000, 5, 5000],
  [1, 'Утюг', 1000, 3, 3000],
  [0, 'Посуда', '', 2, 100],
  [1, 'Чашка', 50, 2, 100],
  [0, 'Пакет', 5, 7, 35],
  [0, 'Итого', '', 27, 18135],
]

function xlsx(rows: Row[]): Uint8Array {
  const sheet = utils.aoa_to_sheet(rows.map(([, ...cells]) => cells))
  sheet['!rows'] = rows.map(([level]) => ({ level }))
  return new Uint8Array(write(utils.book_new(sheet, 'Остатки'), { type: 'array', bookType: 'xlsx' }))
}

/** An old Excel file; its writer knows no levels: they are put behind the dimensions of the sheet, where Excel has them. */
function xls(rows: Row[]): Uint8Array {
  const sheet = utils.aoa_to_sheet(rows.map(([, ...cells]) => cells))
  const book = CFB.read(write(utils.book_new(sheet, 'Остатки'), { type: 'buffer', bookType: 'biff8' }), {
    type: 'buffer',
  })
  const entry = CFB.find(book, '/Workbook')
  const stream = Buffer.from(entry.content)
  let at = 0
  while (stream.readUInt16LE(at) !== 0x0200) at += 4 + stream.readUInt16LE(at + 2)
  at += 4 + stream.readUInt16LE(at + 2)
  const records = rows.map(([level], row) => {
    const record = Buffer.alloc(20)
    record.writeUInt16LE(0x0208, 0)
    record.writeUInt16LE(16, 2)
    record.writeUInt16LE(row, 4)
    record.writeUInt8(level, 16)
    return record
  })
  entry.content = Buffer.concat([stream.subarray(0, at), ...records, stream.subarray(at)])
  entry.size = entry.content.length
  return new Uint8Array(CFB.write(book, { type: 'buffer' }))
}

describe('an export with groups', () => {
  it.each([
    ['xlsx', xlsx],
    ['xls', xls],
  ] as const)(
    'as %s leaves out the rows that add up others, says so, and names the group of each row',
    async (format, make) => {
      const { columns, rows, warnings } = await parseTable(make(EXPORT), format, PARSE_LIMITS)
      expect(columns.map(({ name, type }) => [name, type])).toEqual([
        ['Номенклатура', 'text'],
        ['Цена', 'number'],
        ['Остаток', 'number'],
        ['Сумма', 'number'],
        ['Группа', 'text'],
      ])
      expect(rows.map(({ cells }) => [cells[0], cells[3], cells[4]])).toEqual([
        ['Чайник А', '10000', 'Бытовая техника / Чайники'],
        ['Чайник Б', '5000', 'Бытовая техника / Чайники'],
        ['Утюг', '3000', 'Бытовая техника'],
        ['Чашка', '100', 'Посуда'],
        ['Пакет', '35', ''],
      ])
      expect(warnings).toEqual([{ kind: 'totals_left_out', count: 4 }])
    },
  )

  it('of which the sheet does not say that they are groups is taken as it stands', async () => {
    const flat = EXPORT.map(([, ...cells]): Row => [0, ...cells])
    const { columns, rows } = await parseTable(xlsx(flat), 'xlsx', PARSE_LIMITS)
    expect(columns).toHaveLength(4)
    expect(rows.map(({ cells }) => cells[0])).toContain('Бытовая техника')
  })
})

describe('rows that can be folded up', () => {
  const summaries = (rows: Row[]) => {
    const cells = rows.map(([, ...texts]) => texts.map(String))
    const levels = rows.map(([level]) => level)
    const { summaries: found, groups } = outlineOf(cells, levels)
    return { found: [...found], groups }
  }

  it('may be added up below them', () => {
    expect(
      summaries([
        [1, 'a', 1.1],
        [1, 'b', 2.2],
        [0, 'A', 3.3],
        [1, 'c', 4],
        [0, 'C', 4],
        [0, 'd', 9],
      ]),
    ).toEqual({
      found: [4, 2],
      groups: ['A', 'A', '', 'C', '', ''],
    })
  })

  it('may stand below a heading that says no numbers', () => {
    expect(
      summaries([
        [0, 'Столы'],
        [1, 'a', 1],
        [1, 'b', 2],
      ]),
    ).toMatchObject({ found: [0], groups: ['', 'Столы', 'Столы'] })
  })

  it('may be variants of a thing that has numbers of its own: it stays', () => {
    expect(
      summaries([
        [0, 'Стол', 1000, 0],
        [1, 'белый', 1100, 0],
        [1, 'синий', 1200, 0],
      ]),
    ).toEqual({
      found: [],
      groups: ['', '', ''],
    })
  })
})
