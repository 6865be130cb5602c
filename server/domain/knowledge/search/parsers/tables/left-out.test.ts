// What a table leaves out because its author has hidden or outdated it, and what other tables write in place of plain numbers.
import { utils, write } from '@e965/xlsx'
import { describe, expect, it } from 'vitest'
import { oldWorkbook } from '#tests/old-workbook.ts'
import { bytes, column, lines, read, valuesOf } from '#tests/read-tables.ts'
import { PARSE_LIMITS } from '../limits.ts'
import { parseTable } from './parse-table.ts'

describe('what is struck through', () => {
  const struck = (value: string | number) => ({ value, isStruck: true })
  const rows = [
    ['Товар', 'Цена'],
    ['Чай', { value: '1 000 700', runs: [0, 5] as [number, number] }],
    [struck('Кофе'), struck(900)],
    ['Какао', 500],
    ['Сок', struck(300)],
  ]

  it('is not read as a price, in an old workbook or in HTML: the new price is, and the owner learns how much', async () => {
    const html = `<table><tr><th>Товар</th><th>Цена</th></tr><tr><td>Чай</td><td><s>1 000</s> 700</td></tr>
      <tr><td><del>Кофе</del><td><del>900</del><tr><td>Какао<td>500
      <tr><td>Сок</td><td><span style="text-decoration: line-through">300</span></td></tr></table>`
    for (const file of [oldWorkbook([{ name: 'Прайс', rows }]), bytes(html)]) {
      const table = await parseTable(file, 'xls', PARSE_LIMITS)
      expect(table.rows.map(({ cells, typed }) => [cells[0], typed[1]])).toEqual([
        ['Чай', 700],
        ['Какао', 500],
        ['Сок', null],
      ])
      expect(table.columns[1]?.type).toBe('number')
      expect(table.warnings).toEqual([{ kind: 'struck_left_out', count: 4 }])
    }
  })
})

describe('sheets that the author has hidden', () => {
  const prices = { name: 'Прайс', rows: [['Товар', 'Цена'], ['Чай', 100], ['Сок', 200]] } // biome-ignore format: one row is one line
  const costs = { ...prices, name: 'Закупка', isHidden: true }

  it('are left out, with their number, unless one was chosen before', async () => {
    const file = oldWorkbook([costs, prices])
    const table = await parseTable(file, 'xls', PARSE_LIMITS)
    expect([table.sheet, table.sheets]).toEqual(['Прайс', ['Прайс']])
    expect(table.warnings).toEqual([{ kind: 'hidden_sheets_left_out', count: 1 }])
    expect((await parseTable(file, 'xls', PARSE_LIMITS, { sheet: 'Закупка' })).rows).toHaveLength(2)
  })

  it.each<1 | 2>([1, 2])('are left out of new workbooks, too: state %i', async (Hidden) => {
    const book = utils.book_new(utils.aoa_to_sheet(costs.rows), 'Закупка')
    utils.book_append_sheet(book, utils.aoa_to_sheet(prices.rows), 'Прайс')
    book.Workbook = { Sheets: [{ Hidden }, {}] }
    const table = await parseTable(new Uint8Array(write(book, { type: 'array' })), 'xlsx', PARSE_LIMITS)
    expect([table.sheet, table.sheets]).toEqual(['Прайс', ['Прайс']])
    expect(table.warnings).toEqual([{ kind: 'hidden_sheets_left_out', count: 1 }])
  })
})

describe('what other tables write', () => {
  it('a price without hundredths, an interest a year, and "from" in Kazakh', async () => {
    expect(await valuesOf(column(['2 200,-', '1 500.-', '900=', '700,– ₸'], 'Цена'), 'Цена')).toEqual([
      2200, 1500, 900, 700,
    ])
    const rates = await column(['14,5%', 'до 15,2% годовых', '10 % годовых', '12%'], 'Ставка')
    expect(rates.columns[1]).toMatchObject({ type: 'number', unit: '%' })
    expect(rates.rows.map(({ typed }) => typed[1])).toEqual([14.5, null, 10, 12])
    const from = await column(['2500 тг', '7000 теңгеден', '5000 тг-ден', '10-нан көп'], 'Бағасы')
    expect(from.rows.map(({ typed }) => typed[1])).toEqual([2500, 7000, 5000, 10])
    expect(from.columns[1]?.notes).toMatchObject([{ kind: 'at_least', count: 3 }])
  })

  it('parts of a whole, millions of a site, prices for an hour, and a dash for a minus', async () => {
    const valuesIn = async (cells: string[], name: string) => valuesOf(column(cells, name), name)
    expect(await valuesIn(['½', '1 ½', '2¼', '3'], 'Норма')).toEqual([0.5, 1.5, 2.25, 3])
    expect(await valuesIn(['½ кг', '1½ кг', '2 кг'], 'Вес')).toEqual([0.5, 1.5, 2])
    expect(await valuesIn(['1.2M', '800K', '3.5M'], 'Views')).toEqual([1_200_000, 800_000, 3_500_000])
    expect((await column(['5M', '12M', '15M'], 'Length')).columns[1]).toMatchObject({ type: 'number', unit: 'M' })
    const hours = await column(['2500 за час', '3000 за час', '1000'], 'Цена')
    expect(hours.rows.map(({ typed }) => typed.slice(1))).toEqual([
      [2500, '/ч'],
      [3000, '/ч'],
      [1000, null],
    ])
    expect(await valuesIn(['-10%', '−15%', '–20%'], 'Скидка')).toEqual([-10, -15, -20])
  })

  it('flats of one room and of two, which are no thousands', async () => {
    const table = await column(['1к', '2к', '3-к'], 'Комнат')
    expect(table.rows.map(({ typed }) => typed[1])).toEqual(['1к', '2к', '3-к'])
    expect(await valuesOf(column(['5к', '12к', '900'], 'Цена'), 'Цена')).toEqual([5000, 12_000, 900])
  })

  it('days with the Kazakh names of months', async () => {
    const days = await column(['1 желтоқсан 2025', '15 қаңтар 2026', '31 мамыр 2026'], 'Күні')
    expect(days.columns[1]).toMatchObject({ type: 'date' })
    expect(days.rows.map(({ typed }) => typed[1])).toEqual(['2025-12-01', '2026-01-15', '2026-05-31'])
    expect((await column(['1 желтоқсан', '15 желтоқсан'], 'Күні')).columns[1]).toMatchObject({ type: 'text' })
  })

  it('the frame of Markdown', async () => {
    const table = await read(lines('| Товар | Цена |', '|:---|---:|', '| Чай | 100 |', '| Сок |  |'))
    expect(table.columns.map(({ name }) => name)).toEqual(['Товар', 'Цена'])
    expect(table.rows.map(({ typed }) => typed)).toEqual([
      ['чай', 100],
      ['сок', null],
    ])
  })

  it('lakhs, and negative numbers in brackets or with the sign behind them where nothing is priced', async () => {
    expect(await valuesOf(column(['1,25,000', '12,50,000', '98,000', '750'], 'Price'), 'Price')).toEqual([
      125_000, 1_250_000, 98_000, 750,
    ])
    const balance = column(['(1 250)', '300', '(45,50)', '20,10-'], 'Сальдо')
    expect(await valuesOf(balance, 'Сальдо')).toEqual([-1250, 300, -45.5, -20.1])
    const prices = await column(['900', '(1 250)', '800', '700'], 'Цена')
    expect(prices.columns[1]).toMatchObject({ unfit: 1 })
    expect(prices.rows[1]?.typed[1]).toBe(null)
  })

  it('prices in currencies that another column names are of several units', async () => {
    const table = await read(lines('Тур;Цена;Валюта', 'Дубай;900;USD', 'Астана;45000;KZT', 'Рим;1200;EUR'))
    expect(table.columns[1]).toMatchObject({ type: 'number', units: { column: 3, values: ['USD', 'KZT', 'EUR'] } })
    const single = await read(lines('Tour;Price;Currency', 'Dubai;900;USD', 'Rome;1200;USD'))
    expect(single.columns[1]).toMatchObject({ type: 'number', unit: '$' })
    const other = await read(lines('Тур;Цена;Валюта', 'Дубай;900;любая', 'Рим;1200;USD'))
    expect(other.columns[1]).not.toHaveProperty('units')
  })

  it('taxes, averages and extremes below the items are no items; a tariff that is called so is one', async () => {
    const taxed = await read(
      lines('Item;Qty;Amount', 'Tea;2;300', 'Coffee;1;400', 'Subtotal;;700', 'VAT 12%;;84', 'Total;;784'),
    )
    expect(taxed.rows.map(({ cells }) => cells[0])).toEqual(['Tea', 'Coffee'])
    const local = await read(lines('Товар;Сумма', 'Чай;300', 'Сок;400', 'Итого:;700', 'в т.ч. НДС 12%;75'))
    expect(local.rows).toHaveLength(2)
    const months = await read(
      lines('Месяц;Выручка', 'Январь;100', 'Февраль;201', 'Среднее;150,5', 'Макс.;201', 'Минимум;100'),
    )
    expect(months.rows).toHaveLength(2)
    expect(months.warnings).toEqual([{ kind: 'totals_left_out', count: 3 }])
    const tariffs = await read(lines('Тариф;Цена', 'Минимум;2000', 'Средний;3000', 'Максимум;5000'))
    expect(tariffs.rows).toHaveLength(3)
  })

  it('sums of groups by their names, and a line for a signature', async () => {
    const sums = await read(
      lines('Товар;Сумма', 'Чай;100', 'Итого чай;100', 'Сок;200', 'Морс;300', 'Итого напитки;500', 'Подпись: ____'),
    )
    expect(sums.rows.map(({ cells }) => cells[0])).toEqual(['Чай', 'Сок', 'Морс'])
    const tours = await read(lines('Тур;Цена', 'Чай и сон;100', 'Всего хорошего;900', 'Итого Чайна;250'))
    expect(tours.rows).toHaveLength(3)
  })

  it('the first section above items without a header', async () => {
    const menu = await read(
      lines('МЕНЮ;;', 'САЛАТЫ;;', 'Цезарь;250 г;2 500', 'Греческий;220 г;2 200', 'СУПЫ;;', 'Борщ;300 г;1 800'),
    )
    expect(menu.rows.map(({ cells }) => [cells[0], cells[3]])).toEqual([
      ['Цезарь', 'САЛАТЫ'],
      ['Греческий', 'САЛАТЫ'],
      ['Борщ', 'СУПЫ'],
    ])
  })

  it('ranges alone, which stay texts that can be searched', async () => {
    expect((await column(['9-13', '14-18', '–'], 'Пн')).columns[1]).toMatchObject({ type: 'text' })
    expect((await column(['155-160', '160-165'], 'Рост')).rows[0]?.typed[1]).toBe('155-160')
  })

  it('numbered sections above items that count on from them', async () => {
    const table = await read(
      lines(
        '№ п/п;Услуга;Цена',
        '1;Терапия;',
        '1.1;Пломба;8000',
        '1.2;Чистка;9000',
        '2.;Хирургия;',
        '2.1;Удаление;7000',
      ),
    )
    expect(table.rows.map(({ cells }) => [cells[1], cells[3]])).toEqual([
      ['Пломба', 'Терапия'],
      ['Чистка', 'Терапия'],
      ['Удаление', 'Хирургия'],
    ])
    expect(table.warnings).toEqual([{ kind: 'sections', count: 2, column: 'Раздел', names: ['Терапия', 'Хирургия'] }])
  })

  it('notes that a raised figure begins', async () => {
    const table = await read(lines('Товар;Цена', 'Стол;10 000¹', 'Стул;5 000²', '¹ без сборки', '² до 01.12'))
    expect(table.rows).toHaveLength(2)
    expect(table.warnings).toEqual([{ kind: 'notes_left_out', count: 2, texts: ['¹ без сборки', '² до 01.12'] }])
  })

  it('links whose texts say nothing: their targets are kept, and names stay names', async () => {
    const sheet = utils.aoa_to_sheet([
      ['Товар', 'Фото', 'Паспорт'],
      ['Чай', 'смотреть', 'скачать'],
      ['Сок', 'смотреть', 'скачать'],
    ])
    for (const row of [2, 3]) {
      sheet[`A${row}`].l = { Target: `https://shop.example/${row}` }
      sheet[`B${row}`].l = { Target: `https://shop.example/${row}.jpg` }
      sheet[`C${row}`].f = `HYPERLINK("https://shop.example/${row}.pdf","скачать")`
    }
    const book = utils.book_new(sheet)
    for (const bookType of ['xlsx', 'biff8'] as const) {
      const file = new Uint8Array(write(book, { type: 'array', bookType }))
      const { rows } = await parseTable(file, bookType === 'xlsx' ? 'xlsx' : 'xls', PARSE_LIMITS)
      expect(rows[0]?.cells.slice(0, 2)).toEqual(['Чай', 'смотреть (https://shop.example/2.jpg)'])
      if (bookType === 'xlsx') expect(rows[1]?.cells[2]).toBe('скачать (https://shop.example/3.pdf)')
    }
  })

  it('durations of more than a day, which are no days of 1900', async () => {
    const sheet = utils.aoa_to_sheet([
      ['Работа', 'Длительность'],
      ['Монтаж', 1.5],
      ['Сушка', 2.25],
    ])
    for (const cell of ['B2', 'B3']) sheet[cell].z = '[h]:mm'
    const table = await parseTable(
      new Uint8Array(write(utils.book_new(sheet), { type: 'array' })),
      'xlsx',
      PARSE_LIMITS,
    )
    expect(table.columns[1]).toMatchObject({ type: 'text', numbers: 2 })
    expect(table.rows.map(({ cells }) => cells[1])).toEqual(['36:00', '54:00'])
  })

  it('times with a point, which are no decimal numbers', async () => {
    const times = ['9.00', '10.30', '18.00']
    for (const name of ['Начало', 'Время приёма', 'Start time', 'Басталуы', 'Закрытие']) {
      const { columns, rows } = await column(times, name)
      expect([columns[1]?.type, rows.map(({ cells }) => cells[1])]).toEqual(['text', times])
    }
    expect((await column(['9.00', '10.30', '18.00'], 'Цена')).columns[1]).toMatchObject({ type: 'number' })
  })

  it('telephones and other numbers that are names: texts, which are found however they are written', async () => {
    for (const name of ['Телефон', 'Тел. склада', 'WhatsApp', 'Phone', 'ИНН', 'БИН', 'Штрихкод', 'EAN']) {
      const { columns } = await column(['87015550011', '87015550012', '77025550013'], name)
      expect(columns[1]).toMatchObject({ name, type: 'text' })
    }
    expect((await column(['87015550011', '87015550012'], 'Выручка')).columns[1]).toMatchObject({ type: 'number' })
  })

  it('characters that show nothing within numbers', async () => {
    const cells = ['1\u200b200 ₸', '\u200e900 ₸', '\ufeff700\u2060₸', '\u202a8000\u202c']
    const table = await column(cells, 'Цена')
    expect(table.rows.map(({ typed }) => typed[1])).toEqual([1200, 900, 700, 8000])
  })

  it('sums in other languages, and one that only its number tells', async () => {
    for (const word of ['Jami', 'Жами:', 'Баары', 'Разом', 'Toplam']) {
      const table = await read(lines('Name;Amount', 'Tea;5000', 'Coffee;12000', 'Juice;3000', `${word};20000`))
      expect(table.rows.map(({ cells }) => cells[0])).toEqual(['Tea', 'Coffee', 'Juice'])
      expect(table.warnings).toEqual([{ kind: 'totals_left_out', count: 1 }])
    }
    const several = ['Tea;10', 'Coffee;20', 'Juice;30', 'Milk;40', 'Water;50']
    expect((await read(lines('Name;Amount', ...several, 'Balance due;150'))).rows).toHaveLength(5)
    expect((await read(lines('Name;Amount', ...several, 'Cake;140'))).rows).toHaveLength(6)
    expect((await read(lines('Name;Price', 'Tea;10', 'Coffee;20', 'Juice;30', 'All three;60'))).rows).toHaveLength(4)
  })

  it('words in a cell that has the format of a day', async () => {
    const sheet = utils.aoa_to_sheet([
      ['Событие', 'Когда'],
      ['Экскурсия', 'ежедневно'],
      ['Концерт', 46_000],
    ])
    for (const cell of ['B2', 'B3']) sheet[cell].z = 'dd.mm.yyyy'
    const table = await parseTable(
      new Uint8Array(write(utils.book_new(sheet), { type: 'array' })),
      'xlsx',
      PARSE_LIMITS,
    )
    expect(table.rows.map(({ cells }) => cells[1])).toEqual(['ежедневно', '2025-12-09'])
  })

  it('no header, where the first price could be a year: the owner is asked', async () => {
    const table = await read(lines('Стрижка мужская;2000', 'Стрижка женская;4000', 'Окрашивание;9000'))
    expect(table.rows).toHaveLength(3)
    expect(table.warnings).toEqual([{ kind: 'header_unsure' }])
    const years = await read(lines('Филиал;2024;2025', 'Алматы;4000;5000', 'Астана;9000;8000'))
    expect([years.rows.length, years.warnings]).toEqual([2, []])
  })

  it('a second table of words below one of prices', async () => {
    const text = lines(
      'Город;Цена;Срок',
      'Алматы;500;1 день',
      'Астана;900;2 дня',
      ';;',
      'Самовывоз;;',
      'Пункт;Адрес;Часы',
      'ЦУМ;Абая 5;10-20',
      'Mega;Розыбакиева 247;10-22',
    )
    const table = await read(text)
    expect(table.rows.map(({ typed }) => typed[1])).toEqual([500, 900])
    expect(table.sheets).toHaveLength(2)
    expect((await read(text, {}, table.sheets[1])).rows.map(({ cells }) => cells[1])).toEqual([
      'Абая 5',
      'Розыбакиева 247',
    ])
  })
})
