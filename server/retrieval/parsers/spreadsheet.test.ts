// Spreadsheets and JSON as documents: rows that say what their cells mean, and places to look them up.
import { utils, write } from '@e965/xlsx'
import { describe, expect, it } from 'vitest'
import type { DocumentFormat } from '#shared/knowledge.ts'
import { jsonErrorAt } from './json-error.ts'
import { PARSE_LIMITS, type ParseLimits } from './limits.ts'
import { parse } from './parse.ts'

async function read(content: string | Uint8Array, format: DocumentFormat, limits: ParseLimits = PARSE_LIMITS) {
  const document = await parse(typeof content === 'string' ? Buffer.from(content) : content, format, limits)
  return { ...document, bodies: document.chunks.map(({ body }) => body) }
}
const refusal = (content: string | Uint8Array, format: DocumentFormat) => expect(read(content, format)).rejects

function workbook(sheets: Record<string, unknown[][]>): Uint8Array {
  const book = utils.book_new()
  for (const [name, rows] of Object.entries(sheets)) utils.book_append_sheet(book, utils.aoa_to_sheet(rows), name)
  return new Uint8Array(write(book, { type: 'array', bookType: 'xlsx' }))
}

describe('CSV', () => {
  it('keeps rows under the names of their columns, with their numbers', async () => {
    const { chunks, rowCount, columnCount } = await read('Товар;Цена\nЧай;120\n\nКофе;"300;50"\n', 'csv')
    expect(chunks).toMatchObject([
      { body: 'Товар | Цена\nЧай | 120\nКофе | 300;50', firstRow: 2, lastRow: 4, sheet: null },
    ])
    expect({ rowCount, columnCount }).toEqual({ rowCount: 3, columnCount: 2 })
  })

  it('names the rows that have more cells than there are columns', async () => {
    const { warnings } = await read('a,b\n1,2\n1,2,3\n4,5\n6,7,8', 'csv')
    expect(warnings).toEqual([{ kind: 'ragged_rows', count: 2, rows: [3, 5] }])
  })

  it('leaves out rows beyond the limit, and says how many it has kept', async () => {
    const { warnings, rowCount } = await read('a,b\n1,2\n3,4\n5,6', 'csv', { ...PARSE_LIMITS, rows: 3 })
    expect(warnings).toEqual([{ kind: 'limit_reached', limit: 'rows', kept: 3 }])
    expect(rowCount).toBe(3)
  })

  it('takes a title above the table for text, and one column for lines', async () => {
    expect((await read('Прайс на июль\nТовар,Цена\nЧай,120', 'csv')).bodies).toEqual([
      'Прайс на июль',
      'Товар | Цена\nЧай | 120',
    ])
    const dated = 'Прайс-лист;;;\nДата:;01.03.2026;;\nТовар;Ед.;Цена;Остаток\nЧай;кг;120;5\nКофе;кг;900;\nСоль;кг;20;7'
    expect((await read(dated, 'csv')).bodies).toEqual([
      'Прайс-лист\nДата: | 01.03.2026',
      'Товар | Ед. | Цена | Остаток\nЧай | кг | 120 | 5\nКофе | кг | 900\nСоль | кг | 20 | 7',
    ])
    expect((await read('Первая\nВторая', 'csv')).bodies).toEqual(['Первая\nВторая'])
  })

  it('with nothing in it is empty', () => refusal('\n;;\n', 'csv').toMatchObject({ reason: 'empty' }))
})

describe('XLSX', () => {
  it('keeps the sheets apart and counts them', async () => {
    const book = workbook({
      Цены: [
        ['Товар', 'Цена'],
        ['Чай', 120],
      ],
      Пусто: [],
      Часы: [
        ['День', 'Время'],
        ['Пн', '9–18'],
      ],
    })
    const { chunks, sheetCount, rowCount } = await read(book, 'xlsx')
    expect(chunks).toMatchObject([
      { headingPath: ['Цены'], body: 'Товар | Цена\nЧай | 120', sheet: 'Цены', firstRow: 2, lastRow: 2 },
      { headingPath: ['Часы'], body: 'День | Время\nПн | 9–18', sheet: 'Часы', firstRow: 2, lastRow: 2 },
    ])
    expect({ sheetCount, rowCount }).toEqual({ sheetCount: 2, rowCount: 4 })
  })

  it('names a column by both rows of a header of two', async () => {
    const rows = [
      ['Товар', 'Остаток'],
      ['', 'Кол-во', 'Сумма'],
      ['Чай', 3, 360],
      ['Кофе', 2, 600],
    ]
    const { bodies } = await read(workbook({ Склад: rows }), 'xlsx')
    expect(bodies).toEqual(['Товар | Остаток, Кол-во | Остаток, Сумма\nЧай | 3 | 360\nКофе | 2 | 600'])
    expect((await read(workbook({ Склад: rows.slice(0, 2) }), 'xlsx')).bodies).toHaveLength(1)
  })

  it('is refused when it is something else', async () => {
    await refusal('text', 'xlsx').toMatchObject({ reason: 'type_mismatch' })
    await refusal(Buffer.from('504b0304aaaa', 'hex'), 'xlsx').toMatchObject({ reason: 'damaged' })
  })
})

describe('JSON', () => {
  it('keeps every record of a list together, as lines of path and value', async () => {
    const records = [
      { name: 'Чай', price: { rub: 120 }, tags: ['a', 'b'] },
      { name: 'Кофе', price: null },
    ]
    expect((await read(JSON.stringify(records), 'json')).bodies).toEqual([
      'name: Чай\nprice.rub: 120\ntags: a, b\nname: Кофе',
    ])
  })

  it('puts lists under their names', async () => {
    const { chunks } = await read(JSON.stringify({ shop: 'Лавка', items: [{ id: 1, name: 'Чай' }] }), 'json')
    expect(chunks.map(({ headingPath, body }) => [headingPath, body])).toEqual([
      [[], 'shop: Лавка'],
      [['items'], 'id: 1\nname: Чай'],
    ])
  })

  it('is refused with the place of the error', async () => {
    await refusal('{\n  "a": 1,\n  "b" 2\n}', 'json').toMatchObject({
      reason: 'invalid_json',
      at: { line: 3, column: 7 },
    })
  })

  it('is refused when it is nested without end, without exhausting the stack', () =>
    refusal(`${'[{"a":'.repeat(5_000)}1${'}]'.repeat(5_000)}`, 'json').toMatchObject({ reason: 'damaged' }))

  it.each([
    ['{"a": 1,}', 1, 9],
    ['[1, 2', 1, 6],
    ['[1 2]', 1, 4],
    ['{"a": tru}', 1, 7],
    ['{a: 1}', 1, 2],
    ['[]\n]', 2, 1],
    ['"open', 1, 1],
    ['[1,\n 01]', 2, 3],
  ])('%j stops being JSON at %i:%i', (text, line, column) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
    expect(jsonErrorAt(text)).toEqual({ line, column })
  })
})
