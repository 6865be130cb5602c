// Tables as people write them: delimiters, signs of thousands, currencies, sections, notes, several tables in a sheet. No parsed number may
// differ from the one the person meant; ambiguities are asked about, not guessed.
import { utils, write } from '@e965/xlsx'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { oldWorkbook } from '#tests/old-workbook.ts'
import { bytes, column, kindsOf, lines, read, valuesOf } from '#tests/read-tables.ts'
import { PARSE_LIMITS } from '../limits.ts'
import { parseTable } from './parse-table.ts'

describe('the delimiter', () => {
  it.each([
    ['semicolons and decimal commas', 'Товар;Цена, руб.\nМука;45,50\nСоль;20,00\n'],
    ['quoted cells', '"Товар";"Цена, руб."\n"Мука";"45,50"\n"Соль";"20,00"\n'],
    ['tabs and decimal commas', 'Товар\tЦена, руб.\nМука\t45,50\nСоль\t20,00\n'],
    ['bars and decimal commas', 'Товар|Цена, руб.\nМука|45,50\nСоль|20,00\n'],
    ['a line that names them', 'sep=;\r\nТовар;Цена, руб.\nМука;45,50\nСоль;20,00\n'],
    ['commas with quoted decimals', 'Товар,"Цена, руб."\nМука,"45,50"\nСоль,"20,00"\n'],
  ])('is found with %s', async (_, text) => {
    const table = await read(text)
    expect(table.columns.map(({ name }) => name)).toEqual(['Товар', 'Цена, руб.'])
    expect(table.rows.map(({ typed }) => typed[1])).toEqual([45.5, 20])
    expect(table.warnings).toEqual([])
  })

  it('is a comma where semicolons only stand inside of cells', async () => {
    const { columns } = await read('name,colors,price\nShirt,red;blue,12.50\nPants,black;green,20\nSocks,white,5\n')
    expect(columns.map(({ name }) => name)).toEqual(['name', 'colors', 'price'])
  })

  it('is asked where two are as good, with what each of them gives', async () => {
    const text = 'a;b,c;d\n1;2,x;3\n4;5,y;6\n'
    const { warnings } = await read(text)
    expect(warnings).toMatchObject([
      { kind: 'delimiter_unsure', chosen: ';', readings: [{ delimiter: ';' }, { delimiter: ',' }] },
    ])
    const chosen = await read(text, { delimiter: ',' })
    expect(chosen.columns.map(({ name }) => name)).toEqual(['a;b', 'c;d'])
    expect(chosen.warnings.map(({ kind }) => kind)).not.toContain('delimiter_unsure')
  })
})

describe('a column of numbers', () => {
  it.each<[string, string[], unknown[], number]>([
    [
      'a price on request',
      ['9000', '12000', '800', '15000', '700', 'по запросу'],
      [9000, 12000, 800, 15000, 700, null],
      1,
    ],
    ['pieces', ['5', '12 шт', '3', '8 шт', '9 шт'], [5, 12, 3, 8, 9], 0],
    ['thousands in words', ['9000', '10 тыс.', '12,5 тыс', '800'], [9000, 10_000, 12_500, 800], 0],
    ['several dots', ['1.250.000', '900.000', '12000'], [1_250_000, 900_000, 12_000], 0],
    ['days of a month', ['9000', '12000', '05.12', '800', '700'], [9000, 12_000, null, 800, 700], 1],
    ['times', ['9000', '12000', '9:00', '800', '700'], [9000, 12_000, null, 800, 700], 1],
    ['ranges', ['9000', '500–700', '12000', '800', '700'], [9000, null, 12_000, 800, 700], 1],
    ['Kazakh words', ['9000 теңге', '12000 теңге', 'келісім бойынша'], [9000, 12_000, null], 1],
  ])('may hold %s', async (_, cells, values, unfit) => {
    const table = await column(cells, 'Цена')
    expect(table.columns[1]).toMatchObject({ type: 'number', unfit })
    expect(table.rows.map(({ typed }) => typed[1])).toEqual(values)
  })

  it('takes a price "from" for its least, and says so', async () => {
    const { columns, rows } = await column(['9000', 'от 900', '12000', '800+', '> 700'], 'Цена')
    expect(rows.map(({ typed }) => typed[1])).toEqual([9000, 900, 12_000, 800, 700])
    expect(columns[1]?.notes).toMatchObject([{ kind: 'at_least', count: 3, cells: [{ row: 2, cell: 'от 900' }, {}] }])
  })

  it('of texts says how many of them are numbers: they have no order', async () => {
    const { columns } = await column(['9000', 'много', '12 x 40', 'мало', '700', 'никак'], 'Размер')
    expect(columns[1]).toMatchObject({ type: 'text', numbers: 2 })
    expect((await column(['9:00', '10:30'], 'Начало')).columns[1]).toMatchObject({ type: 'text', numbers: 2 })
    expect((await column(['05.12', '10.03'], 'День')).columns[1]).toMatchObject({ type: 'text', numbers: 2 })
  })
})

describe('signs of thousands and decimals', () => {
  it.each<[string, string[], number[]]>([
    ['groups of three and whole numbers', ['18,200', '78,500', '900'], [18_200, 78_500, 900]],
    ['groups of three with dots', ['12.900', '45.000', '700'], [12_900, 45_000, 700]],
    ['a leading zero', ['0,250', '1,500', '12,125'], [0.25, 1.5, 12.125]],
    ['a leading zero with a dot', ['0.250', '1.500'], [0.25, 1.5]],
    ['two digits behind it', ['1.5', '12.250', '3.75'], [1.5, 12.25, 3.75]],
    ['both signs', ['1.234,50', '12.900', '7,5'], [1234.5, 12_900, 7.5]],
    ['both signs in English', ['1,234.50', '12,900', '7.5'], [1234.5, 12_900, 7.5]],
    ['three digits behind four', ['1234,500', '12,250'], [1234.5, 12.25]],
  ])('are known by %s', async (_, cells, values) => {
    for (const name of ['Вес', 'Weight']) {
      const table = await column(cells, name)
      expect(table.columns[1]).toMatchObject({ type: 'number', unfit: 0 })
      expect(table.columns[1]?.doubt).toBeUndefined()
      expect(table.rows.map(({ typed }) => typed[1])).toEqual(values)
    }
  })

  it('are asked where all cells may be either, and taken as a person says', async () => {
    const text = 'Товар;Вес, кг\nМука;12,125\nСоль;45,375\n'
    const unsure = await read(text)
    expect(unsure.columns[1]?.doubt).toMatchObject({
      kind: 'sign',
      sign: ',',
      examples: [{ cell: '12,125', thousands: 12_125, decimal: 12.125 }, {}],
    })
    for (const [sign, value] of [
      ['decimal', 12.125],
      ['thousands', 12_125],
    ] as const) {
      const table = await parseTable(bytes(text), 'csv', PARSE_LIMITS, {
        choices: [{ name: 'Вес, кг', signs: { ',': sign } }],
      })
      expect(table.columns[1]?.doubt).toBeUndefined()
      expect(table.rows[0]?.typed[1]).toBe(value)
    }
  })

  it('of prices are of thousands: money has no three decimals', async () => {
    expect(await valuesOf(column(['12.900', '45.000'], 'Цена, тг'), 'Цена, тг')).toEqual([12_900, 45_000])
  })

  it('of numbers that a spreadsheet holds as such are never in doubt', async () => {
    const sheet = utils.aoa_to_sheet([
      ['Товар', 'Вес'],
      ['Мука', 1.234],
      ['Соль', 12.125],
    ])
    const file = new Uint8Array(write(utils.book_new(sheet, 'Лист'), { type: 'array', bookType: 'xlsx' }))
    const table = await parseTable(file, 'xlsx', PARSE_LIMITS)
    expect(table.columns[1]?.doubt).toBeUndefined()
    expect(table.rows.map(({ typed }) => typed[1])).toEqual([1.234, 12.125])
  })
})

describe('currencies and units', () => {
  it('of which a column has two stand in a column of their own', async () => {
    const { columns, rows } = await column(['18 200 ₸', '950 $', '12 000 тг'], 'Цена')
    expect(columns.map(({ name }) => name)).toEqual(['Товар', 'Цена', 'Цена: единица'])
    expect(columns[1]).toMatchObject({ type: 'number', units: { column: 3, values: ['₸', '$'] } })
    expect(rows.map(({ typed }) => typed.slice(1))).toEqual([
      [18_200, '₸'],
      [950, '$'],
      [12_000, '₸'],
    ])
  })

  it('of one kind are the unit of the column', async () => {
    expect((await column(['18 200 ₸', '950 тг', '12 000 KZT'], 'Цена')).columns[1]).toMatchObject({ unit: '₸' })
    expect((await column(['18 200', '950'], 'Цена, ₸')).columns[1]).toMatchObject({ unit: '₸' })
  })

  it('of thousands belong to the unit: 12,5 is no twelve roubles', async () => {
    const { columns } = await column(['12,5', '900', '10 тыс.'], 'Выручка, тыс. руб.')
    expect(columns[1]).toMatchObject({ unit: 'тыс. ₽', unfit: 1 })
  })

  it('are seen where a spreadsheet only shows them', async () => {
    const sheet = utils.aoa_to_sheet([
      ['Товар', 'Цена'],
      ['Мука', 18200],
      ['Соль', 950],
    ])
    sheet.B2.z = '#,##0 "₸"'
    sheet.B3.z = '"$"#,##0'
    const file = new Uint8Array(write(utils.book_new(sheet, 'Лист'), { type: 'array', bookType: 'xlsx' }))
    const { columns } = await parseTable(file, 'xlsx', PARSE_LIMITS)
    expect(columns[1]).toMatchObject({ units: { values: ['₸', '$'] } })
  })
})

describe('rows that are no items', () => {
  it('which name a section become a column', async () => {
    const table = read(
      lines('Товар;Цвет;Цена', 'Обувь;;', 'Кеды;белый;100', 'Туфли;чёрный;200', 'Одежда;;', 'Шарф;синий;50'),
    )
    expect((await table).rows).toHaveLength(3)
    expect(await valuesOf(table, 'Раздел')).toEqual(['обувь', 'обувь', 'одежда'])
    expect((await table).warnings).toEqual([
      { kind: 'sections', count: 2, column: 'Раздел', names: ['Обувь', 'Одежда'] },
    ])
  })

  it('are left out: notes, sums, numbers of the columns, the header once more', async () => {
    const table = await read(
      lines(
        'Товар;Цвет;Цена',
        '1;2;3',
        'Кеды;белый;100',
        'Товар;Цвет;Цена',
        'Туфли;чёрный;200',
        'Итого;;300',
        '* Цены без НДС;;',
        'Цены действительны до 1 мая.;;',
      ),
    )
    expect(table.rows.map(({ cells }) => cells[0])).toEqual(['Кеды', 'Туфли'])
    expect(table.warnings).toEqual([
      { kind: 'totals_left_out', count: 1 },
      { kind: 'notes_left_out', count: 2, texts: ['* Цены без НДС', 'Цены действительны до 1 мая.'] },
      { kind: 'headers_left_out', count: 2 },
    ])
  })

  it('which the author has hidden are left out, hidden columns too', async () => {
    const sheet = utils.aoa_to_sheet([
      ['Товар', 'Закупка', 'Цена'],
      ['Кеды', 50, 100],
      ['Туфли', 90, 200],
      ['Шарф', 10, 50],
    ])
    sheet['!rows'] = [{}, {}, { hidden: true }]
    sheet['!cols'] = [{}, { hidden: true }]
    const file = new Uint8Array(
      write(utils.book_new(sheet, 'Лист'), { type: 'array', bookType: 'xlsx', cellStyles: true }),
    )
    const table = await parseTable(file, 'xlsx', PARSE_LIMITS)
    expect(table.columns.map(({ name }) => name)).toEqual(['Товар', 'Цена'])
    expect(table.rows.map(({ cells }) => cells[0])).toEqual(['Кеды', 'Шарф'])
    expect(table.warnings).toEqual([{ kind: 'hidden_left_out', rows: 1, columns: 1 }])
  })

  it('which are folded up in a group are taken, those of no width or height are not', async () => {
    const rows = [
      ['Товар', 'Цена', 'Закупка'],
      ['Кеды', 100, 50],
      ['Туфли', 200, 90],
      ['Шарф', 50, 10],
    ]
    const sheet = utils.aoa_to_sheet(rows)
    sheet['!rows'] = [{}, { hidden: true, level: 1 }, { hpt: 0.0001 }]
    const written = write(utils.book_new(sheet, 'Лист'), { type: 'array', bookType: 'xlsx', cellStyles: true })
    const parts = unzipSync(new Uint8Array(written))
    const name = 'xl/worksheets/sheet1.xml'
    const xml = strFromU8(parts[name] ?? new Uint8Array())
    const narrow = xml
      .replace(/(<row r="3")[^>]*/, '$1 ht="0" customHeight="1"')
      .replace('<sheetData', '<cols><col min="3" max="3" width="0" customWidth="1"/></cols><sheetData')
    for (const file of [
      zipSync({ ...parts, [name]: strToU8(narrow) }),
      oldWorkbook([{ name: 'Лист', rows, hiddenRows: [2], foldedRows: [1], hiddenColumns: [2] }]),
    ]) {
      const table = await parseTable(file, file[0] === 0x50 ? 'xlsx' : 'xls', PARSE_LIMITS)
      expect(table.columns.map((column) => column.name)).toEqual(['Товар', 'Цена'])
      expect(table.rows.map(({ cells }) => cells[0])).toEqual(['Кеды', 'Шарф'])
      expect(table.warnings).toEqual([{ kind: 'hidden_left_out', rows: 1, columns: 1 }])
    }
  })

  it('do not take a category away from the rows below it', async () => {
    const table = read(
      lines('Категория;Товар;Цена', 'Обувь;Кеды;100', ';Туфли;200', ';Сапоги;300', 'Одежда;Шарф;50', ';Шапка;70'),
    )
    expect(await valuesOf(table, 'Категория')).toEqual(['обувь', 'обувь', 'обувь', 'одежда', 'одежда'])
    expect(await kindsOf(table)).toEqual(['filled_down'])
  })

  it('an item without a price stays one below its category, in a short table too', async () => {
    const table = await read(
      lines('Группа;Товар;Цена', 'Обувь;Кеды;100', ';Туфли;', ';Сапоги;300', 'Итого;;400', '* Цены без НДС;;'),
    )
    expect(table.rows.map(({ cells }) => cells[1])).toEqual(['Кеды', 'Туфли', 'Сапоги'])
  })

  it('a mark that stands in some rows only is not filled down', async () => {
    const table = read(
      lines('Акция;Товар;Цена', 'Хит;Кеды;100', ';Туфли;200', 'Хит;Сапоги;300', ';Шарф;50', ';Шапка;70'),
    )
    expect(await valuesOf(table, 'Акция')).toEqual(['хит', null, 'хит', null, null])
  })

  it('an amount that is merged over several rows is counted once', async () => {
    const sheet = utils.aoa_to_sheet([
      ['Товар', 'Цвет', 'Сумма'],
      ['Кеды', 'белый', 100],
      ['Туфли', 'чёрный', ''],
      ['Шарф', 'синий', 50],
    ])
    sheet['!merges'] = [utils.decode_range('C2:C3')]
    const file = new Uint8Array(write(utils.book_new(sheet, 'Лист'), { type: 'array', bookType: 'xlsx' }))
    const table = await parseTable(file, 'xlsx', PARSE_LIMITS)
    expect(table.rows.map(({ typed }) => typed[2])).toEqual([100, null, 50])
    expect(table.columns[2]?.notes).toMatchObject([{ kind: 'merged', count: 1 }])
  })
})

describe('words of stock', () => {
  it('have their number, with a note', async () => {
    const table = await column(['5', 'нет', '–', '>100', '12'], 'Остаток')
    expect(table.rows.map(({ typed }) => typed[1])).toEqual([5, 0, 0, 100, 12])
    expect(table.columns[1]?.notes?.map(({ kind, count }) => [kind, count])).toEqual([
      ['zero', 2],
      ['at_least', 1],
    ])
  })

  it('without a known number are left out and counted as such', async () => {
    const table = await column(['5', 'в наличии', '12', '7', 'жоқ'], 'Остаток')
    expect(table.rows.map(({ typed }) => typed[1])).toEqual([5, null, 12, 7, 0])
    expect(table.columns[1]).toMatchObject({ unfit: 1, misfits: [{ row: 2, cell: 'в наличии' }] })
  })

  it('are no numbers of a price', async () => {
    expect(await valuesOf(column(['500', 'нет', '–', '800', '12', '90'], 'Цена'), 'Цена')).toEqual([
      500,
      null,
      null,
      800,
      12,
      90,
    ])
  })
})

it('a comment that mentions a telephone or a link is of its row', async () => {
  const comments = [
    'Всё хорошо',
    'Перезвоните: 8 701 555 00 11',
    'Спасибо',
    'Быстро',
    'См. https://shop.example',
    'Да',
    'Нет',
  ]
  const table = read(lines('Код;Отзыв', ...comments.map((comment, at) => `R${at};${comment}`)))
  expect(await valuesOf(table, 'Отзыв')).toHaveLength(comments.length)
})

describe('the header', () => {
  it('is not the line with the shop and its telephone', async () => {
    const text = lines(
      'ООО «Ромашка»;тел. +7 495 123-45-67;info@romashka.ru',
      'Товар;Цвет;Цена',
      'Кеды;белый;100',
      'Туфли;чёрный;200',
    )
    expect((await read(text)).columns.map(({ name }) => name)).toEqual(['Товар', 'Цвет', 'Цена'])
  })

  it.each([
    [
      'two lines, the lower beginning with a digit',
      ['Товар;Цена;;Остаток', ';1–9 шт;10+ шт;'],
      ['Товар', 'Цена, 1–9 шт', 'Цена, 10+ шт', 'Остаток'],
    ],
    ['years below', ['Товар;Продажи;;Остаток', ';2024;2025;'], ['Товар', 'Продажи, 2024', 'Продажи, 2025', 'Остаток']],
    [
      'units below',
      ['Товар;Цена;Цена опт;Остаток', ';руб.;руб.;шт'],
      ['Товар', 'Цена, руб.', 'Цена опт, руб.', 'Остаток, шт'],
    ],
    [
      'three lines',
      ['Товар;Цена;;Остаток', ';Розница;Опт;', ';руб.;руб.;шт'],
      ['Товар', 'Цена, Розница, руб.', 'Цена, Опт, руб.', 'Остаток, шт'],
    ],
  ])('may be of %s', async (_, header, names) => {
    const table = await read(lines(...header, 'Кеды;100;90;5', 'Туфли;200;180;7'))
    expect(table.columns.map(({ name }) => name)).toEqual(names)
    expect(table.rows.map(({ typed }) => typed)).toEqual([
      ['кеды', 100, 90, 5],
      ['туфли', 200, 180, 7],
    ])
  })

  it('is asked for where no row is one, and the first row stays an item', async () => {
    const table = await read(lines('Кеды;белый;100', 'Туфли;чёрный;200', 'Шарф;синий;50'))
    expect(table.rows).toHaveLength(3)
    expect(table.warnings.map(({ kind }) => kind)).toEqual(['header_unsure'])
  })

  it('is where a person says, and so is the end', async () => {
    const text = lines('Кеды;белый;100', 'Товар;Цвет;Цена', 'Туфли;чёрный;200', 'Шарф;синий;50', 'Шапка;белая;70')
    const table = await read(text, { headerRow: 2, headerRows: 1, lastRow: 4 })
    expect(table.columns.map(({ name }) => name)).toEqual(['Товар', 'Цвет', 'Цена'])
    expect(table.rows.map(({ cells }) => cells[0])).toEqual(['Туфли', 'Шарф'])
    expect(table.firstRows[1]).toEqual(['Товар', 'Цвет', 'Цена'])
  })
})

describe('several tables in a sheet', () => {
  const goods = ['Товар;Цвет;Цена', 'Кеды;белый;100', 'Туфли;чёрный;200']
  const services = ['Услуга;Срок;Стоимость', 'Доставка;1 день;500', 'Сборка;2 дня;900']

  it.each([
    ['below each other', [...goods, ';;', 'Услуги;;', ...services]],
    ['without a title', [...goods, ';;', ...services]],
    ['without an empty row', [...goods, ...services]],
  ])('%s are several', async (_, rows) => {
    const first = await read(lines(...rows))
    expect(first.rows.map(({ typed }) => typed[2])).toEqual([100, 200])
    expect(first.sheets).toHaveLength(2)
    expect(first.siblings).toEqual(first.sheets.slice(1))
    const second = await read(lines(...rows), {}, first.sheets[1])
    expect(second.columns.map(({ name }) => name)).toEqual(['Услуга', 'Срок', 'Стоимость'])
    expect(second.rows.map(({ typed }) => typed[2])).toEqual([500, 900])
  })

  it('side by side are several', async () => {
    const rows = ['Товар;Цена;;Товар;Цена', 'Кеды;100;;Шарф;50', 'Туфли;200;;Шапка;70', ';;;Варежки;30']
    const first = await read(lines(...rows))
    expect(first.rows.map(({ cells }) => cells)).toEqual([
      ['Кеды', '100'],
      ['Туфли', '200'],
    ])
    expect((await read(lines(...rows), {}, first.sheets[1])).rows).toHaveLength(3)
  })

  it('is found where its header has three lines, and no exact number stands soon below', async () => {
    const rows = [
      'Атауы\tБаға',
      'Жинақ\t500 тг',
      'Кабель\t700 тг',
      '',
      'Бағалар',
      'Тауар\tҰсыныс\t',
      '\tБағасы\tҚалдық',
      '\t\tдана',
    ]
    const items = ['Жинақ\t>14 673 тг\t37', 'Кабель\t\t8', 'Шырын\t19 251 тг\t25', 'Етік\t24 474 тг\t21']
    const first = await read(lines(...rows, ...items))
    expect(first.rows).toHaveLength(2)
    const second = await read(lines(...rows, ...items), {}, first.sheets[1])
    expect(second.rows.map(({ cells }) => cells[0])).toEqual(['Жинақ', 'Кабель', 'Шырын', 'Етік'])
    expect(second.columns.map(({ name }) => name).slice(0, 3)).toEqual([
      'Тауар',
      'Ұсыныс, Бағасы',
      'Ұсыныс, Қалдық, дана',
    ])
  })
})

it('of a workbook only the sheet that is meant is read as a person says', async () => {
  const rows = [
    ['Кеды', 'белый', 100],
    ['Туфли', 'чёрный', 200],
    ['Шарф', 'синий', 50],
  ]
  const book = utils.book_new(
    utils.aoa_to_sheet([
      ['Товар', 'Цена'],
      ['Стол', 10],
    ]),
    'Первый',
  )
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows), 'Второй')
  const file = new Uint8Array(write(book, { type: 'array', bookType: 'xlsx' }))
  const wishes = { sheet: 'Второй', reading: { headerRow: 3, headerRows: 1, lastRow: 3 } }
  await expect(parseTable(file, 'xlsx', PARSE_LIMITS, wishes)).rejects.toMatchObject({ reason: 'empty' })
  const table = await parseTable(file, 'xlsx', PARSE_LIMITS, { ...wishes, reading: { headerRow: 2 } })
  expect([table.sheets, table.rows.length, table.columns[0]?.name]).toEqual([['Первый', 'Второй'], 1, 'Туфли'])
})
