// Columns and values parsed from spreadsheets.
import { utils, write } from '@e965/xlsx'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { readCsv } from '#shared/csv.ts'
import { PARSE_LIMITS } from '../limits.ts'
import { ParseFailure } from '../parse-failure.ts'
import { typeColumns } from './column-types.ts'
import { parseTable } from './parse-table.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('a column', () => {
  it.each<[string, string[], string, unknown[]]>([
    ['Цена', ['1 234,50', '99', '1\u00a0000'], 'number', [1234.5, 99, 1000]],
    ['Price', ['1,234.50', '99', '1,000'], 'number', [1234.5, 99, 1000]],
    ['Цена', ['1,234', '2,500'], 'number', [1234, 2500]],
    ['Price', ['1,234', '2,500'], 'number', [1234, 2500]],
    ['Price', ['1,5', '2,25'], 'number', [1.5, 2.25]],
    ['Цена', ['1.234,5', '10'], 'number', [1234.5, 10]],
    ['Цена', ['1 200 ₽', '90 руб.', '−5'], 'number', [1200, 90, -5]],
    ['Цена', ['1 234,50 р.', '500 р', '90 рублей'], 'number', [1234.5, 500, 90]],
    ['Опт', ['1 200', '—', '-', '–'], 'number', [1200, null, null, null]],
    ['Знак', ['-', '—'], 'text', ['-', '—']],
    ['Price', ['$1,200.10', '€90'], 'number', [1200.1, 90]],
    ['Код', ['007', '012'], 'text', ['007', '012']],
    ['Телефон', ['+77001234567', '+77007654321'], 'text', ['+77001234567', '+77007654321']],
    ['Номер', ['12345678901234567890'], 'text', ['12345678901234567890']],
    ['Дата', ['01.02.2026', '5.3.26'], 'date', ['2026-02-01', '2026-03-05']],
    ['Дата', ['02/03/2026', '04/05/2026'], 'date', ['2026-03-02', '2026-05-04']],
    ['Date', ['02/03/2026', '04/05/2026'], 'date', ['2026-02-03', '2026-04-05']],
    ['Date', ['23/03/2026', '24/05/2026'], 'date', ['2026-03-23', '2026-05-24']],
    ['Date', ['2026-02-01', '2026-02-01 10:30'], 'date', ['2026-02-01', '2026-02-01T10:30']],
    ['Дата', ['1 мая 2026 г.', '12 марта 2026'], 'date', ['2026-05-01', '2026-03-12']],
    ['Date', ['May 1, 2026', '12 Mar 2026'], 'date', ['2026-05-01', '2026-03-12']],
    ['Date', ['30.02.2026', '31.04.2026'], 'text', ['30.02.2026', '31.04.2026']],
    ['В наличии', ['да', 'Нет', ''], 'boolean', [true, false, null]],
    ['In stock', ['TRUE', 'no'], 'boolean', [true, false]],
    ['Имя', ['Ёлка  зелёная', 'Стол'], 'text', ['елка зеленая', 'стол']],
    ['Empty', ['', ''], 'text', [null, null]],
  ])('%s of %j is of type %s', (name, cells, type, values) => {
    const { columns, rows } = typeColumns(
      [name],
      cells.map((cell) => [cell]),
    )
    expect(columns[0]?.type).toBe(type)
    expect(rows.map((row) => row.typed[0])).toEqual(values)
    expect(rows.map((row) => row.cells[0])).toEqual(cells)
  })

  it('with a few cells of another kind says how many', () => {
    const cells = [...Array.from({ length: 19 }, (_, index) => [`${index + 1}`]), ['по запросу']]
    const { columns, rows } = typeColumns(['Цена'], cells)
    expect(columns[0]).toMatchObject({ type: 'number', unfit: 1, samples: ['1', '2', '3'] })
    expect(rows.at(-1)).toEqual({ cells: ['по запросу'], typed: [null] })
  })

  it('with dashes for empty cells does not report them as unfit', () => {
    const { columns } = typeColumns(['Опт'], [['10'], ['—'], ['20']])
    expect(columns[0]).toMatchObject({ type: 'number', unfit: 0 })
  })

  it('of mixed cells is text', () => {
    expect(typeColumns(['a'], [['1'], ['два'], ['3']]).columns[0]?.type).toBe('text')
  })
})

describe('CSV', () => {
  it.each([
    [
      'commas',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'semicolons and decimal commas',
      'a;b\n1,5;2,5\r\n',
      [
        ['a', 'b'],
        ['1,5', '2,5'],
      ],
    ],
    [
      'tabs',
      'a\tb\n1\t2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'quotes',
      'a,b\n"x, ""y""\nz",2',
      [
        ['a', 'b'],
        ['x, "y"\nz', '2'],
      ],
    ],
    [
      'line ends of an old Mac',
      'a;b\r1,5;2\r',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    ['one column', 'a\n1', [['a'], ['1']]],
  ])('with %s is divided into cells', (_, text, cells) => {
    expect(readCsv(text)).toEqual(cells)
  })
})

describe('a file', () => {
  const parse = (text: string) => parseTable(bytes(text), 'csv', PARSE_LIMITS)

  it('may have a title above its header, empty rows, and columns without a name or with the same', async () => {
    const { columns, rows, warnings } = await parse('Прайс на май;;\n;;\nТовар;Цена;Цена\nСтол;10;;x\n\nСтул;20;5\n')
    expect(columns.map(({ name }) => name)).toEqual(['Товар', 'Цена', 'Цена (2)', 'Column 4'])
    expect(rows.map(({ typed }) => typed)).toEqual([
      ['стол', null, null, 'x'],
      ['стул', 20, 5, null],
    ])
    expect(warnings).toEqual([{ kind: 'ragged_rows', count: 1, rows: [1] }, { kind: 'header_unsure' }])
  })

  it('may have several lines above its header that say of what it is', async () => {
    const report = `Ведомость по товарам;;;;\nПериод:;;01.01.2026 - 31.01.2026;;\nОрганизация:;;ООО «Ромашка»;;\n;;;;
Номенклатура;Артикул;Цена;Остаток;Сумма\nЧайник;А-101;1 000,50;10;10 005\nУтюг;А-102;999;5;4 995\nТостер;А-103;500;;\n`
    const { columns, rows } = await parse(report)
    expect(columns.map(({ name, type }) => [name, type])).toEqual([
      ['Номенклатура', 'text'],
      ['Артикул', 'text'],
      ['Цена', 'number'],
      ['Остаток', 'number'],
      ['Сумма', 'number'],
    ])
    expect(rows.map(({ typed }) => typed[2])).toEqual([1000.5, 999, 500])
  })

  it('that adds up its rows itself leaves the sums out, and says so: they would be counted in twice', async () => {
    const list =
      'Товар;Ед.;Цена;Сумма\nСтол;шт;10;20\nИтого по столам:;;;20\nСтул;шт;5;15\nТотал;шт;5;15\nИТОГО;;;50\n;;Всего:;50\n'
    const { rows, warnings } = await parse(list)
    expect(rows.map(({ cells }) => cells[0])).toEqual(['Стол', 'Стул', 'Тотал'])
    expect(warnings).toEqual([{ kind: 'totals_left_out', count: 3 }])
    expect((await parse('Показатель;Значение\nИтого;50\nОтказы;2\n')).rows).toHaveLength(2)
    expect((await parse('Расход;Сумма\nАренда;50\nСвязь;2\nИтого;52\n')).rows).toHaveLength(2)
  })

  it('is taken as far as the limits go, and says so', async () => {
    const limits = { ...PARSE_LIMITS, characters: 10 }
    const { rows, warnings } = await parseTable(bytes('a,b\n1234,x\n5678,y\n9,z\n'), 'csv', limits)
    expect(rows.map(({ cells }) => cells[0])).toEqual(['1234', '5678'])
    expect(warnings).toEqual([{ kind: 'rows_left_out', kept: 2 }])
  })

  it('of a spreadsheet program keeps numbers, dates and yes or no, and says which sheets there are', async () => {
    const sheet = utils.aoa_to_sheet(
      [
        ['Товар', 'Цена', 'Привоз', 'Есть'],
        ['Стол', 1234.5, new Date(Date.UTC(2026, 1, 1)), true],
        ['Стул', 20, new Date(Date.UTC(2026, 4, 9)), false],
      ],
      { UTC: true },
    )
    for (const bookType of ['xlsx', 'biff8'] as const) {
      const book = utils.book_new(sheet, 'Прайс')
      utils.book_append_sheet(
        book,
        utils.aoa_to_sheet([
          ['x', 'y'],
          [1, 2],
        ]),
        'Ещё',
      )
      const file = new Uint8Array(write(book, { type: 'array', bookType }))
      const format = bookType === 'xlsx' ? 'xlsx' : 'xls'
      const { columns, rows, ...read } = await parseTable(file, format, PARSE_LIMITS)
      expect(columns.map(({ type }) => type)).toEqual(['text', 'number', 'date', 'boolean'])
      expect(rows.map(({ typed }) => typed)).toEqual([
        ['стол', 1234.5, '2026-02-01', true],
        ['стул', 20, '2026-05-09', false],
      ])
      expect(read).toMatchObject({ warnings: [], sheet: 'Прайс', sheets: ['Прайс', 'Ещё'], siblings: [] })
      const other = await parseTable(file, format, PARSE_LIMITS, { sheet: 'Ещё' })
      expect(other).toMatchObject({
        sheet: 'Ещё',
        columns: [{ name: 'x' }, { name: 'y' }],
        rows: [{ cells: ['1', '2'] }],
      })
      await expect(parseTable(file, format, PARSE_LIMITS, { sheet: 'Третий' })).rejects.toMatchObject({
        reason: 'empty',
      })
    }
  })

  it('of a spreadsheet program begins at the first sheet of which a table can be made', async () => {
    const book = utils.book_new(utils.aoa_to_sheet([['Наша компания']]), 'Обложка')
    utils.book_append_sheet(
      book,
      utils.aoa_to_sheet([Array.from({ length: 101 }, (_, at) => `c${at}`), ['1']]),
      'Широкий',
    )
    utils.book_append_sheet(
      book,
      utils.aoa_to_sheet([
        ['Товар', 'Цена'],
        ['Стол', 5],
      ]),
      'Прайс',
    )
    const file = new Uint8Array(write(book, { type: 'array', bookType: 'xlsx' }))
    const { sheet, sheets, rows } = await parseTable(file, 'xlsx', PARSE_LIMITS)
    expect([sheet, sheets, rows.length]).toEqual(['Прайс', ['Обложка', 'Широкий', 'Прайс'], 1])
    for (const [name, reason] of [
      ['Обложка', 'empty'],
      ['Широкий', 'too_large'],
    ] as const) {
      await expect(parseTable(file, 'xlsx', PARSE_LIMITS, { sheet: name })).rejects.toMatchObject({ reason })
    }
  })

  it('of a spreadsheet program has as many columns as hold something, however many the program counts', async () => {
    const sheet = utils.aoa_to_sheet([['Товар', 'Цена'], ['Стол', 15], ['Стул']])
    sheet['!ref'] = 'A1:GZ40'
    const file = new Uint8Array(write(utils.book_new(sheet, 'Прайс'), { type: 'array', bookType: 'xlsx' }))
    const { columns, rows, warnings } = await parseTable(file, 'xlsx', PARSE_LIMITS)
    expect(columns.map(({ name }) => name)).toEqual(['Товар', 'Цена'])
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['Стол', '15'],
      ['Стул', ''],
    ])
    expect(warnings).toEqual([])
  })

  it('of a spreadsheet program says numbers as its sheet shows them, without the noise of a computation', async () => {
    const sheet = utils.aoa_to_sheet([
      ['Товар', 'Цена', 'Скидка', 'Код', 'Открыто с', 'Доля', 'Опт'],
      ['Стол', 149.39999999999998, 0.15, 7, 0.375, 1 / 3, 211.628571428571],
      ['Стул', 0.1 + 0.2, 0.075, 12, 0.75, 0.5, 99],
    ])
    for (const row of ['2', '3']) {
      for (const [column, format] of ['C0.0%', 'D00000', 'Eh:mm', 'G#,##0.00\\ "₽"'].map((each) => [
        each[0],
        each.slice(1),
      ])) {
        sheet[`${column}${row}`].z = format
      }
    }
    for (const bookType of ['xlsx', 'biff8'] as const) {
      const file = new Uint8Array(write(utils.book_new(sheet, 'Прайс'), { type: 'array', bookType }))
      const { columns, rows } = await parseTable(file, bookType === 'xlsx' ? 'xlsx' : 'xls', PARSE_LIMITS)
      expect(rows.map(({ cells }) => cells)).toEqual([
        ['Стол', '149.4', '15%', '00007', '09:00', '0.333333333333333', '211.63 ₽'],
        ['Стул', '0.3', '7.5%', '00012', '18:00', '0.5', '99 ₽'],
      ])
      expect(columns.map(({ type }) => type)).toEqual(['text', 'number', 'number', 'text', 'text', 'number', 'number'])
      expect(rows[0]?.typed).toEqual(['стол', 149.4, 15, '00007', '09:00', 0.333333333333333, 211.63])
    }
  })

  it('of a spreadsheet program repeats a merged cell in every row that it spans, and under every name below it', async () => {
    const sheet = utils.aoa_to_sheet([
      ['Прайс-лист на мебель'],
      ['Группа', 'Товар', 'Цена', '', 'Остаток'],
      ['', '', 'Розница', 'Опт', ''],
      ['Столы', 'Стол дубовый', 1200, 1000, 3],
      ['', 'Стол сосновый', 900, 800, 5],
      ['Стулья', 'Стул', 300, 250, 9],
    ])
    sheet['!merges'] = ['A1:E1', 'A2:A3', 'B2:B3', 'C2:D2', 'E2:E3', 'A4:A5'].map(utils.decode_range)
    for (const bookType of ['xlsx', 'biff8', 'html'] as const) {
      const written = write(utils.book_new(sheet, 'Прайс'), {
        type: bookType === 'html' ? 'string' : 'array',
        bookType,
      })
      const file = bookType === 'html' ? bytes(written) : new Uint8Array(written)
      const { columns, rows } = await parseTable(file, bookType === 'xlsx' ? 'xlsx' : 'xls', PARSE_LIMITS)
      expect(columns.map(({ name }) => name)).toEqual(['Группа', 'Товар', 'Цена, Розница', 'Цена, Опт', 'Остаток'])
      expect(rows.map(({ typed }) => typed)).toEqual([
        ['столы', 'стол дубовый', 1200, 1000, 3],
        ['столы', 'стол сосновый', 900, 800, 5],
        ['стулья', 'стул', 300, 250, 9],
      ])
    }
  })

  it('whose header names too few columns keeps its first row', async () => {
    const { columns, rows } = await parse('Товар;Цвет;\nСтол;белый;новый\nСтул;синий;старый\n')
    expect(columns.map(({ name }) => name)).toEqual(['Товар', 'Цвет', 'Column 3'])
    expect(rows).toHaveLength(2)
  })

  it('that is a web page saved as .xls is read', async () => {
    const page = '<html><table><tr><td>Товар</td><td>Цена</td></tr><tr><td>Стол</td><td>15</td></tr></table></html>'
    const { columns, rows } = await parseTable(bytes(page), 'xls', PARSE_LIMITS)
    expect(columns.map(({ name }) => name)).toEqual(['Товар', 'Цена'])
    expect(rows[0]?.typed).toEqual(['стол', 15])
  })

  it('that is a web page saved as .xls keeps its cells as they are written: commas, days, codes', async () => {
    const cells = [
      ['Товар', 'Цена', 'Опт', 'Поступил', 'Код'],
      ['Стол', '12,50', '1 234,50 ₽', '01.02.2026', '007'],
      ['Стул', '8,00', '5,5 ₽', '12.03.2026', '1-2'],
    ]
    const row = (texts: string[]) => `<tr>${texts.map((text) => `<td>${text}</td>`).join('')}</tr>`
    const page = `<html><table>${cells.map(row).join('')}</table></html>`
    const { columns, rows } = await parseTable(bytes(page), 'xls', PARSE_LIMITS)
    expect(columns.map(({ type }) => type)).toEqual(['text', 'number', 'number', 'date', 'text'])
    expect(rows.map(({ cells: read }) => read)).toEqual(cells.slice(1))
    expect(rows.map(({ typed }) => typed)).toEqual([
      ['стол', 12.5, 1234.5, '2026-02-01', '007'],
      ['стул', 8, 5.5, '2026-03-12', '1-2'],
    ])
  })

  it('of XML that a spreadsheet program saved as .xls keeps the types it names', async () => {
    const cell = (type: string, text: string) => `<Cell><Data ss:Type="${type}">${text}</Data></Cell>`
    const xml = `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"
      xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="Прайс"><Table>
      <Row>${cell('String', 'Товар')}${cell('String', 'Цена')}</Row>
      <Row>${cell('String', '007')}${cell('Number', '12.5')}</Row></Table></Worksheet></Workbook>`
    const { rows } = await parseTable(bytes(xml), 'xls', PARSE_LIMITS)
    expect(rows).toEqual([{ cells: ['007', '12.5'], typed: ['007', 12.5] }])
  })

  it.each([
    ['csv', 'a,b\n', 'empty'],
    ['csv', '', 'empty'],
    ['csv', 'PK\u0003\u0004', 'type_mismatch'],
    ['xlsx', 'a,b\n1,2', 'type_mismatch'],
    ['xls', 'a,b\n1,2', 'type_mismatch'],
    ['xlsx', 'PK\u0003\u0004 broken', 'damaged'],
    ['csv', `${'a,'.repeat(200)}\n${'1,'.repeat(200)}`, 'too_large'],
  ] as const)('%s with %j is refused as %s', async (format, text, reason) => {
    const failure = await parseTable(bytes(text), format, PARSE_LIMITS).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ParseFailure)
    expect(failure).toMatchObject({ reason })
  })

  it('that unpack to more than the budget are refused before they are unpacked', async () => {
    const bomb = zipSync({
      'xl/workbook.xml': strToU8('<workbook/>'),
      'xl/worksheets/sheet1.xml': [new Uint8Array(3_000_000), { level: 9 }],
    })
    await expect(parseTable(bomb, 'xlsx', PARSE_LIMITS)).rejects.toMatchObject({ reason: 'too_large' })
    const honest = zipSync({ '[Content_Types].xml': strToU8('<T/>'), 'word/document.xml': strToU8('<w/>') })
    await expect(parseTable(honest, 'xlsx', PARSE_LIMITS)).rejects.toMatchObject({ reason: 'type_mismatch' })
  })
})
