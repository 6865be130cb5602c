// Spreadsheets and JSON as documents: rows that say what their cells mean, and places to look them up.
import { utils, write } from '@e965/xlsx'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import type { DocumentFormat } from '#shared/knowledge/knowledge.ts'
import { oldWorkbook } from '#tests/old-workbook.ts'
import { jsonErrorAt } from '../json-error.ts'
import { PARSE_LIMITS, type ParseLimits } from '../limits.ts'
import { parse } from '../parse.ts'

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
  it('takes no row from the line by which Excel learns the delimiter', async () => {
    expect((await read('sep=;\r\nТовар;Цена\r\nЧай;120\r\n', 'csv')).bodies).toEqual(['Товар | Цена\nЧай | 120'])
  })

  it('keeps every digit: leading zeros, long numbers, the last zero of a price', async () => {
    const { bodies } = await read('Код;Штрихкод;Цена\n007;12345678901234567890;1,10\n', 'csv')
    expect(bodies).toEqual(['Код | Штрихкод | Цена\n007 | 12345678901234567890 | 1,10'])
  })

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
  const cell = (name: string, value: string, rest = '') => `<c r="${name}"${rest}><v>${value}</v></c>`
  const text = (name: string, value: string, rest = '') => `<c r="${name}" t="inlineStr"${rest}><is>${value}</is></c>`
  /** A workbook from the XML of its sheets: state, columns and rows. */
  const raw = (...sheets: { state?: string; cols?: string; rows: string }[]) =>
    zipSync(
      Object.fromEntries(
        Object.entries({
          '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>${sheets.map((_, at) => `<Override PartName="/xl/worksheets/sheet${at + 1}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`).join('')}<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`,
          '_rels/.rels':
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
          'xl/workbook.xml': `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>${sheets.map(({ state = 'visible' }, at) => `<sheet name="S${at + 1} &amp; co" sheetId="${at + 1}" r:id="rId${at + 1}" state="${state}"/>`).join('')}</sheets></workbook>`,
          'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${sheets.map((_, at) => `<Relationship Id="rId${at + 1}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`).join('')}<Relationship Id="st" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>`,
          'xl/styles.xml':
            '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts count="2"><font><sz val="11"/></font><font><strike/><sz val="11"/></font></fonts><fills><fill/></fills><borders><border/></borders><cellXfs count="3"><xf numFmtId="0" fontId="0"/><xf numFmtId="0" fontId="1"/><xf numFmtId="2" fontId="0" applyNumberFormat="1"/></cellXfs></styleSheet>',
          ...Object.fromEntries(
            sheets.map(({ cols = '', rows }, at) => [
              `xl/worksheets/sheet${at + 1}.xml`,
              `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cols>${cols}</cols><sheetData>${rows}</sheetData></worksheet>`,
            ]),
          ),
        }).map(([name, xml]) => [name, strToU8(xml)]),
      ),
    )
  const row = (number: number, cells: string, rest = '') => `<row r="${number}"${rest}>${cells}</row>`

  const book = raw(
    {
      cols: '<col min="1" max="2"/><col min="3" max="3" hidden="1"/>',
      rows:
        row(1, text('A1', '<t>Item</t>') + text('B1', '<t>Price</t>') + text('C1', '<t>Cost</t>')) +
        row(2, text('A2', '<t>Tea</t>') + cell('B2', '500') + cell('C2', '300')) +
        row(3, text('A3', '<t>Old</t>') + cell('B3', '1') + cell('C3', '1'), ' hidden="1"') +
        row(4, text('A4', '<t>Folded</t>') + cell('B4', '7') + cell('C4', '1'), ' hidden="1" outlineLevel="1"'),
    },
    { state: 'veryHidden', rows: row(1, text('A1', '<t>Margin</t>')) },
  )

  it('leaves out hidden rows, columns and sheets, says how much, and reads them where that is asked for', async () => {
    const { chunks, warnings } = await read(book, 'xlsx')
    expect(chunks).toMatchObject([{ body: 'Item | Price\nTea | 500\nFolded | 7', firstRow: 2, lastRow: 4 }])
    const counts = { rows: 1, columns: 1, sheets: 1 }
    expect(warnings).toEqual([{ kind: 'hidden', counts, isIncluded: false }])
    const all = await parse(book, 'xlsx', PARSE_LIMITS, { includeHidden: true })
    expect(all.chunks.map(({ body }) => body)).toEqual([
      'Item | Price | Cost\nTea | 500 | 300\nOld | 1 | 1\nFolded | 7 | 1',
      'Margin',
    ])
    expect(all.warnings).toEqual([{ kind: 'hidden', counts, isIncluded: true }])
  })

  it('marks struck cells and parts of cells as old', async () => {
    const rich =
      '<r><t xml:space="preserve">Tea </t></r><r><rPr><strike/></rPr><t>1000</t></r><r><t xml:space="preserve"> 700</t></r>'
    const rows = row(1, text('A1', rich) + cell('B1', '900', ' s="1"') + cell('C1', '500'))
    expect((await read(raw({ rows }), 'xlsx')).bodies).toEqual(['Tea (old price: 1000) 700 | (old price: 900) | 500'])
  })

  it('keeps every digit of a number, without powers of ten, with the zeros that it shows', async () => {
    const rows = row(
      1,
      cell('A1', '12345678901234567890') + cell('B1', '1.1', ' s="2"') + cell('C1', '1E+21') + cell('D1', '0.0000001'),
    )
    expect((await read(raw({ rows }), 'xlsx')).bodies).toEqual([
      '12345678901234567890 | 1.10 | 1000000000000000000000 | 0.0000001',
    ])
  })

  it('keeps the targets of links', async () => {
    const sheet = utils.aoa_to_sheet([
      ['Item', 'Link'],
      ['Tea', 'Order'],
    ])
    sheet.B2.l = { Target: 'https://wa.me/77010000001' }
    const linked = write({ SheetNames: ['A'], Sheets: { A: sheet } }, { type: 'array', bookType: 'xlsx' })
    expect((await read(new Uint8Array(linked), 'xlsx')).bodies).toEqual([
      'Item | Link\nTea | Order (https://wa.me/77010000001)',
    ])
    sheet.B2 = { t: 's', v: 'Order', f: 'HYPERLINK("https://wa.me/77010000002","Order")' }
    const computed = write({ SheetNames: ['A'], Sheets: { A: sheet } }, { type: 'array', bookType: 'xlsx' })
    expect((await read(new Uint8Array(computed), 'xlsx')).bodies.join()).toContain('(https://wa.me/77010000002)')
  })

  it('takes an old workbook, and HTML that calls itself one', async () => {
    const sheet = utils.aoa_to_sheet([
      ['Item', 'Price'],
      ['Tea', 500],
      ['Old', 1],
    ])
    sheet['!rows'] = [{}, {}, { hidden: true }]
    const old = new Uint8Array(
      write({ SheetNames: ['A'], Sheets: { A: sheet } }, { type: 'array', bookType: 'biff8', cellStyles: true }),
    )
    expect((await read(old, 'xls')).bodies[0]).toContain('Tea | 500')
    expect((await read('<table><tr><td>Item<td>Price<tr><td>Tea<td>500,10</table>', 'xls')).bodies).toEqual([
      'Item | Price\nTea | 500,10',
    ])
  })

  it('marks what is struck through in an old workbook, and leaves out what it hides but not what it folds up', async () => {
    const rich = { value: '1000 700 ₸', runs: [0, 4] as [number, number] }
    const rows = [
      ['Item', 'Price', 'Cost'],
      ['Tea', rich, 1],
      ['Mug', { value: 900, isStruck: true }, 2],
      ['Old', 1, 3],
      ['Folded', 7, 4],
    ]
    const sheet = { name: 'A', rows, hiddenRows: [3], foldedRows: [4], hiddenColumns: [2] }
    const secret = { name: 'B', rows: [['Margin']], isHidden: true }
    for (const cutAt of [undefined, 48, 61]) {
      const { bodies, warnings } = await read(oldWorkbook([sheet, secret], cutAt), 'xls')
      expect(bodies).toEqual(['Item | Price\nTea | (old price: 1000) 700 ₸\nMug | (old price: 900)\nFolded | 7'])
      expect(warnings).toEqual([{ kind: 'hidden', counts: { rows: 1, columns: 1, sheets: 1 }, isIncluded: false }])
    }
  })

  it('marks what is struck through in HTML and XML that call themselves a workbook, without their hidden rows', async () => {
    const html = `<table><tr><td>Item<td>Price</tr><tr><td>Tea</td><td><del>1000</del> 700</td></tr>
      <tr style='height:0;display:none'><td>Old</td><td>1</td></tr><tr><td>Mug</td><td style="text-decoration:line-through"><b>900</b></td></tr></table>`
    const xml = `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">
      <Styles><Style ss:ID="s1"><Font ss:StrikeThrough="1"/></Style></Styles><Worksheet ss:Name="A"><Table>
      <Row><Cell><Data ss:Type="String">Item</Data></Cell><Cell><Data ss:Type="String">Price</Data></Cell></Row>
      <Row><Cell><Data ss:Type="String">Tea</Data></Cell><Cell><ss:Data ss:Type="String" xmlns="http://www.w3.org/TR/REC-html40"><S>1000</S> 700</ss:Data></Cell></Row>
      <Row ss:Hidden="1"><Cell><Data ss:Type="String">Old</Data></Cell><Cell><Data ss:Type="Number">1</Data></Cell></Row>
      <Row><Cell><Data ss:Type="String">Mug</Data></Cell><Cell ss:StyleID="s1"><Data ss:Type="Number">900</Data></Cell></Row></Table></Worksheet></Workbook>`
    for (const [text, counts] of [
      [html, { texts: 1 }],
      [xml, { rows: 1 }],
    ] as const) {
      const { bodies, warnings } = await read(text, 'xls')
      expect(bodies).toEqual(['Item | Price\nTea | (old price: 1000) 700\nMug | (old price: 900)'])
      expect(warnings).toEqual([{ kind: 'hidden', counts, isIncluded: false }])
    }
  })

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
  it('keeps every digit of a number', async () => {
    const json = '[{"order": 12345678901234567890, "code": 9007199254740993, "price": 1.10, "share": 1e-7, "on": true}]'
    expect((await read(json, 'json')).bodies).toEqual([
      'order: 12345678901234567890\ncode: 9007199254740993\nprice: 1.10\nshare: 1e-7\non: true',
    ])
  })

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
