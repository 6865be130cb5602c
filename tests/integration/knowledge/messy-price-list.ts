// A price list of sixty rows as a small shop would keep it, with what each row means.

/** `price` and `stock` null: unknown. `isFrom`: the price is the least. */
export type MessyItem = {
  name: string
  section: string
  price: number | null
  isFrom?: boolean
  stock: number | null
  isMore?: boolean
  weight: number
}

const SECTIONS: [section: string, names: string[]][] = [
  [
    'Столы',
    'Стол дубовый|Стол сосновый|Стол раскладной «Уют»|Стол письменный, белый|Стол журнальный|Стол для кухни 120х80|Стол компьютерный|Стол детский|Стол барный|Столик кофейный|Стол-книжка|Стол садовый'.split(
      '|',
    ),
  ],
  [
    'Стулья и кресла',
    'Стул венский|Стул складной|Стул барный|Кресло офисное|Кресло-качалка|Кресло мешок|Табурет высокий|Табурет низкий|Стул детский|Пуф круглый|Скамья дубовая|Стул мягкий'.split(
      '|',
    ),
  ],
  [
    'Крепёж',
    'Саморез 3,5х35|Саморез 3,5х45|Саморез 4,2х70|Болт М8|Болт М10|Гайка М8|Гайка М10|Шайба М8|Дюбель 6х40|Дюбель 8х60|Уголок 40х40|Петля накладная'.split(
      '|',
    ),
  ],
  [
    'Освещение',
    'Лампа «Заря»|Лампа настольная|Люстра «Каскад»|Люстра хрустальная|Бра двойное|Торшер высокий|Ночник детский|Лента светодиодная 5 м|Прожектор 50 Вт|Светильник потолочный|Фонарь садовый|Гирлянда 10 м'.split(
      '|',
    ),
  ],
  [
    'Текстиль',
    'Плед шерстяной|Плед флисовый|Подушка 50х70|Подушка 70х70|Одеяло зимнее|Одеяло летнее|Штора льняная|Штора блэкаут|Скатерть льняная|Полотенце махровое|Коврик для ванной|Ковёр 2х3'.split(
      '|',
    ),
  ],
]
/** Cells that are written otherwise than a number, by the number of their row. */
const PRICES: Record<number, { cell: string; price: number | null; isFrom?: true }> = {
  4: { cell: 'по запросу', price: null },
  17: { cell: 'от 9 900', price: 9900, isFrom: true },
  22: { cell: 'договорная', price: null },
  39: { cell: '128,5 тыс.', price: 128_500 },
  46: { cell: '1 500–2 000', price: null },
  55: { cell: '—', price: null },
  58: { cell: '3 200 *', price: 3200 },
}
const STOCKS: Record<number, { cell: string; stock: number | null; isMore?: true }> = {
  2: { cell: 'нет', stock: 0 },
  8: { cell: '–', stock: 0 },
  13: { cell: '>100', stock: 100, isMore: true },
  20: { cell: 'в наличии', stock: null },
  31: { cell: '12 шт', stock: 12 },
  44: { cell: 'нет в наличии', stock: 0 },
}
/** In tenge, by section; the fastenings with kopecks' kin. */
const BASE: Record<string, number> = {
  Столы: 24_000,
  'Стулья и кресла': 6800,
  Крепёж: 12.5,
  Освещение: 3400,
  Текстиль: 1900,
}

export const MESSY: MessyItem[] = SECTIONS.flatMap(([section, names], group) =>
  names.map((name, at): MessyItem => {
    const row = group * 12 + at + 1
    const price =
      section === 'Крепёж' ? (BASE[section] ?? 0) + at * 1.75 : (BASE[section] ?? 0) + ((at * 7919) % 13) * 650
    return {
      name,
      section,
      price,
      stock: ((row * 37) % 83) + 1,
      weight: Number((0.25 + ((row * 131) % 977) / 40).toFixed(3)),
      ...(PRICES[row] && { price: PRICES[row].price, ...(PRICES[row].isFrom && { isFrom: true }) }),
      ...(STOCKS[row] && { stock: STOCKS[row].stock, ...(STOCKS[row].isMore && { isMore: true }) }),
    }
  }),
)

const SERVICES = [
  ['Доставка по городу', '1 день', '2 500'],
  ['Сборка мебели', '2 часа', '4 000'],
  ['Подъём на этаж', '1 час', '800'],
]

/** The file: a line with the telephone, a title, a header of two lines, sections, sums, notes, and a second table below. */
export function messyFile(): string {
  const rows: string[][] = [
    ['ТОО «Дом и сад»', 'тел. +7 727 123 45 67', 'shop@domisad.kz', '', ''],
    ['Прайс-лист на 1 мая 2026 г.', '', '', '', ''],
    [],
    ['Наименование', 'Артикул', 'Цена', 'Склад', ''],
    ['', '', 'тг', 'Остаток', 'Вес, кг'],
    ['1', '2', '3', '4', '5'],
  ]
  let section = ''
  for (const [at, item] of MESSY.entries()) {
    if (item.section !== section) rows.push([item.section, '', '', '', ''])
    section = item.section
    const price = PRICES[at + 1]?.cell ?? money(item.price ?? 0, at)
    const stock = STOCKS[at + 1]?.cell ?? String(item.stock)
    rows.push([item.name, `0${1000 + at}`, price, stock, item.weight.toFixed(3).replace('.', ',')])
    if (at === 29) rows.push(['Наименование', 'Артикул', 'Цена', 'Склад', ''])
  }
  rows.push(['Итого', '', money(total(), 0), '', ''])
  rows.push(['* Акция до 1 июня', '', '', '', ''], ['Цены указаны с НДС.', '', '', '', ''], [])
  rows.push(['Услуги'], ['Услуга', 'Срок', 'Стоимость, тг'], ...SERVICES)
  return rows.map((row) => row.map((cell) => (cell.includes(';') ? `"${cell}"` : cell)).join(';')).join('\r\n')
}

function money(value: number, at: number): string {
  const [whole = '', rest = ''] = value.toFixed(Number.isInteger(value) ? 0 : 2).split('.')
  const apart = ['\u00a0', ' ', ''][at % 3] ?? ''
  return whole.replace(/\B(?=(\d{3})+$)/g, apart) + (rest && `,${rest}`)
}

function total(): number {
  return MESSY.reduce((sum, { price }) => sum + (price ?? 0), 0)
}
