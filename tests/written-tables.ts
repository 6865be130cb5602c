// Tables as people write them, made from rows that are known: every manner of delimiters, signs, currencies, sections, sums, notes and
// headers, in Russian, English and Kazakh. What a reader makes of them can be compared with what was meant.
import type { Random } from './random.ts'

/** What a row means. `price` and `stock` null: there is none; 'unknown': a word says that it is not known. */
export type MeantItem = {
  name: string
  group: string
  price: number | null
  currency: string
  stock: number | null
  isStockLeast: boolean
  /** How its price is written, where it is no plain number: that of a range is not known. */
  odd: 'from' | 'range' | 'scaled' | 'marked' | null
  weight: number
}
/** A table, the names of its columns as they are meant, and its items. A column that the table has not is null. */
export type MeantTable = {
  items: MeantItem[]
  names: { name: string; price: string; stock: string | null; weight: string | null }
  hasGroups: boolean
  currencies: string[]
}
export type WrittenFile = { text: string; tables: MeantTable[]; manner: string }

type Language = 'ru' | 'en' | 'kk'
type Manner = {
  language: Language
  delimiter: string
  apart: string
  point: string
  decimals: 0 | 2
  money: 'none' | 'header' | 'cells' | 'two'
  pieces: boolean
  groups: 'none' | 'column' | 'first' | 'sections'
  lines: 1 | 2 | 3
  hasStock: boolean
  hasWeight: boolean
  hasTitle: boolean
  hasContacts: boolean
  hasNumbering: boolean
  hasTotal: boolean
  hasNotes: boolean
  repeatsHeader: boolean
  padsRows: boolean
}

const WORDS = {
  ru: {
    names: [
      'Кеды',
      'Туфли',
      'Шуруп 3,5х35',
      'Кабель ВВГ 3х2,5',
      'Плитка 300x300',
      'Лампа «Уют»',
      'Чехол для A-17',
      'Сок 0,5 л',
      'Доска; обрезная',
      'Набор, 3 предмета',
    ],
    groups: ['Обувь', 'Крепёж', 'Свет', 'Сад и огород'],
    header: {
      name: ['Товар', 'Наименование'],
      group: ['Категория', 'Группа'],
      price: ['Цена', 'Стоимость'],
      stock: ['Остаток', 'Кол-во на складе'],
      weight: ['Вес, кг', 'Масса, кг'],
    },
    none: ['по запросу', 'договорная', 'уточняйте', '—', ''],
    gone: ['нет', 'нет в наличии', '–'],
    title: ['Прайс-лист', 'Прайс на май 2026 года'],
    contacts: ['ООО «Ромашка»', 'тел. +7 495 123-45-67', 'info@romashka.ru'],
    total: ['Итого', 'ИТОГО:', 'Всего'],
    notes: ['* Цены указаны без НДС', 'Цены действительны до 1 июня.', 'По всем вопросам: +7 701 123 45 67'],
    from: 'от ',
    unit: 'шт',
  },
  en: {
    names: [
      'Sneakers',
      'Boots',
      'Screw 3.5x35',
      'Cable 3x2.5',
      'Tile 300x300',
      'Lamp "Cosy"',
      'Case for A-17',
      'Juice 0.5 l',
      'Board; planed',
      'Set, 3 pieces',
    ],
    groups: ['Shoes', 'Fixings', 'Light', 'Garden'],
    header: {
      name: ['Item', 'Product'],
      group: ['Category', 'Group'],
      price: ['Price', 'Cost'],
      stock: ['Stock', 'Qty in stock'],
      weight: ['Weight, kg', 'Weight'],
    },
    none: ['on request', 'TBD', 'call us', '-', ''],
    gone: ['none', 'out of stock', '–'],
    title: ['Price list', 'Prices of May 2026'],
    contacts: ['Daisy Ltd', 'tel. +44 20 7946 0958', 'info@daisy.example'],
    total: ['Total', 'TOTAL:', 'Grand total'],
    notes: ['* Prices are without VAT', 'Prices are valid until 1 June.', 'Contact: sales@daisy.example'],
    from: 'from ',
    unit: 'pcs',
  },
  kk: {
    names: [
      'Кроссовка',
      'Етік',
      'Бұранда 3,5х35',
      'Кабель 3х2,5',
      'Плитка 300x300',
      'Шам «Жарық»',
      'A-17 қабы',
      'Шырын 0,5 л',
      'Тақтай; сүргіленген',
      'Жинақ, 3 дана',
    ],
    groups: ['Аяқ киім', 'Бекіткіш', 'Жарық', 'Бау-бақша'],
    header: {
      name: ['Тауар', 'Атауы'],
      group: ['Санаты', 'Топ'],
      price: ['Бағасы', 'Баға'],
      stock: ['Саны', 'Қалдық'],
      weight: ['Салмағы, кг', 'Салмағы'],
    },
    none: ['келісім бойынша', 'сұраныс бойынша', '—', ''],
    gone: ['жоқ', 'таусылды', '–'],
    title: ['Бағалар', '2026 жылғы мамыр бағалары'],
    contacts: ['«Ромашка» ЖШС', 'тел. +7 727 123 45 67', 'info@romashka.kz'],
    total: ['Барлығы', 'Жиыны:'],
    notes: ['* Бағалар ҚҚС-сыз', 'Ескерту: бағалар 1 маусымға дейін.'],
    from: '>',
    unit: 'дана',
  },
} as const

const CURRENCIES = {
  '₽': { before: [], after: ['₽', 'руб.', 'р.', 'RUB'], header: ['руб.', '₽'] },
  '₸': { before: [], after: ['₸', 'тг', 'тенге', 'KZT'], header: ['тг', '₸', 'тенге'] },
  $: { before: ['$'], after: ['USD', '$'], header: ['USD', '$'] },
  '€': { before: ['€'], after: ['€', 'EUR'], header: ['€', 'EUR'] },
} as const
type Currency = keyof typeof CURRENCIES

/** A file with one table, or with two of them, one below the other or side by side. */
export function writeFile(random: Random): WrittenFile {
  const manner = makeManner(random)
  const first = writeTable(random, manner)
  const layout = random.chance(0.8) ? 'one' : random.pick(['below', 'sideBySide'] as const)
  if (layout === 'one')
    return fileOf(manner, [...linesAbove(random, manner, first), ...first.rows], [first.meant], layout)
  const second = writeTable(random, {
    ...manner,
    hasStock: layout === 'sideBySide' ? manner.hasStock : !manner.hasStock,
    groups: 'none',
    hasTitle: layout === 'below',
  })
  if (layout === 'below') {
    const rows = [
      ...linesAbove(random, manner, first),
      ...first.rows,
      [],
      ...linesAbove(random, second.manner, second),
      ...second.rows,
    ]
    return fileOf(manner, rows, [first.meant, second.meant], layout)
  }
  const plain = writeTable(random, {
    ...manner,
    groups: 'none',
    lines: 1,
    hasTotal: false,
    hasNotes: false,
    repeatsHeader: false,
    hasNumbering: false,
  })
  const other = writeTable(random, { ...plain.manner })
  const width = Math.max(...plain.rows.map((row) => row.length))
  const rows = Array.from({ length: Math.max(plain.rows.length, other.rows.length) }, (_, at) => [
    ...padded(plain.rows[at] ?? [], width),
    '',
    ...(other.rows[at] ?? []),
  ])
  return fileOf(manner, rows, [plain.meant, other.meant], layout)
}

function makeManner(random: Random): Manner {
  const language = random.pick(['ru', 'en', 'kk'] as const)
  const point = random.pick(language === 'en' ? ['.', '.', '.', ','] : [',', ',', '.'])
  const apart = random.pick(['', ' ', '\u00a0', point === ',' ? '.' : ',', "'"])
  return {
    language,
    delimiter: random.pick([';', ';', ',', '\t', '|']),
    point,
    apart,
    decimals: random.pick([0, 2] as const),
    money: random.pick(['none', 'header', 'cells', 'cells', 'two'] as const),
    pieces: random.chance(0.3),
    groups: random.pick(['none', 'column', 'first', 'sections'] as const),
    lines: random.pick([1, 1, 1, 2, 3] as const),
    hasStock: random.chance(0.7),
    hasWeight: random.chance(0.4),
    hasTitle: random.chance(0.4),
    hasContacts: random.chance(0.3),
    hasNumbering: random.chance(0.15),
    hasTotal: random.chance(0.3),
    hasNotes: random.chance(0.3),
    repeatsHeader: random.chance(0.1),
    padsRows: random.chance(0.7),
  }
}

type Column = 'group' | 'name' | 'price' | 'stock' | 'weight'

function writeTable(random: Random, manner: Manner): { rows: string[][]; meant: MeantTable; manner: Manner } {
  const words = WORDS[manner.language]
  const own = random.pick(
    manner.language === 'en'
      ? (['$', '€'] as const)
      : manner.language === 'kk'
        ? (['₸'] as const)
        : (['₽', '₸'] as const),
  )
  const other = random.pick((['$', '€'] as const).filter((each) => each !== own))
  const items = makeItems(random, manner, { own, other })
  const columns: Column[] = [
    ...(manner.groups === 'column' || manner.groups === 'first' ? (['group'] as const) : []),
    'name',
    ...(random.chance(0.5)
      ? (['price', ...(manner.hasStock ? ['stock'] : [])] as Column[])
      : ([...(manner.hasStock ? ['stock'] : []), 'price'] as Column[])),
    ...(manner.hasWeight ? (['weight'] as const) : []),
  ]
  const names = Object.fromEntries(columns.map((column) => [column, random.pick(words.header[column])])) as Record<
    Column,
    string
  >
  if (manner.money === 'header') names.price += `, ${random.pick(CURRENCIES[own].header)}`
  const header = headerRows(manner, columns, names)
  const body = bodyRows(random, manner, columns, items)
  const rows = [
    ...header,
    ...(manner.hasNumbering && columns.length > 2 ? [columns.map((_, at) => String(at + 1))] : []),
    ...withHeaderAgain(random, manner, body, header),
    ...(manner.hasTotal && columns.length > 2 ? [totalRow(random, manner, columns, items)] : []),
    ...(manner.hasNotes ? notesBelow(random, manner) : []),
  ]
  const isTwo =
    manner.money === 'two' &&
    new Set(items.filter(({ price }) => price !== null).map(({ currency }) => currency)).size > 1
  const meant: MeantTable = {
    items,
    names: {
      name: fullName(manner, columns, names, 'name'),
      price: fullName(manner, columns, names, 'price'),
      stock: manner.hasStock ? fullName(manner, columns, names, 'stock') : null,
      weight: manner.hasWeight ? fullName(manner, columns, names, 'weight') : null,
    },
    hasGroups: manner.groups !== 'none',
    currencies: isTwo ? [own, other] : [own],
  }
  return { rows, meant, manner }
}

function makeItems(random: Random, manner: Manner, { own, other }: { own: Currency; other: Currency }): MeantItem[] {
  const words = WORDS[manner.language]
  const count = 4 + random.below(12)
  const groups = words.groups.slice(0, 1 + random.below(words.groups.length))
  const ends = groups.map((_, at) => Math.ceil(((at + 1) * count) / groups.length))
  const level = random.pick([1000, 30_000, 300_000, 3_000_000])
  return Array.from({ length: count }, (_, at) => {
    const odd = random.chance(0.06) ? random.pick(['from', 'range', 'scaled', 'marked'] as const) : null
    const exact = random.chance(0.08) ? null : 1 + random.below(level) + (manner.decimals ? random.below(100) / 100 : 0)
    const price = exact !== null && odd === 'scaled' ? Math.ceil(exact / 1000) * 1000 : odd === 'range' ? null : exact
    return {
      name: `${random.pick(words.names)} ${'абвгдежзиклмнопрст'[at]}${at}`,
      group: groups[ends.findIndex((end) => at < end)] ?? '',
      price: price === null ? null : Number(price.toFixed(2)),
      currency: manner.money === 'two' && random.chance(0.4) ? other : own,
      stock: random.chance(0.15) ? 0 : random.chance(0.05) ? null : 1 + random.below(random.pick([50, 5000])),
      isStockLeast: random.chance(0.05),
      odd,
      weight: (1 + random.below(40_000)) / 1000,
    }
  })
}

function headerRows(manner: Manner, columns: Column[], names: Record<Column, string>): string[][] {
  const top = columns.map((column) => names[column])
  if (manner.lines === 1) return [top]
  const units = columns.map((column) =>
    column === 'price' && manner.money !== 'two'
      ? unitOfPrice(manner)
      : column === 'stock'
        ? WORDS[manner.language].unit
        : '',
  )
  if (manner.lines === 2 || units.every((unit) => unit === '')) return [top, units].filter((row) => row.some(Boolean))
  const over = manner.language === 'en' ? 'Offer' : manner.language === 'ru' ? 'Предложение' : 'Ұсыныс'
  const at = columns.indexOf('price')
  const next = columns[at + 1]
  if (!next) return [top, units].filter((row) => row.some(Boolean))
  const first = top.map((name, index) => (index === at ? over : index === at + 1 ? '' : name))
  const second = top.map((name, index) => (index === at || index === at + 1 ? name : ''))
  return [first, second, units].filter((row) => row.some(Boolean))
}

/** Of the line of units: that of the currency, where all prices have the same and do not say so themselves. */
function unitOfPrice(manner: Manner): string {
  return manner.money === 'none' ? { ru: '', en: '', kk: '' }[manner.language] : ''
}

function fullName(manner: Manner, columns: Column[], names: Record<Column, string>, wanted: Column): string {
  const rows = headerRows(manner, columns, names)
  const at = columns.indexOf(wanted)
  const parts = rows.map((row) => row[at] ?? '').filter(Boolean)
  const isSpanned = rows.length > 1 && rows[0]?.[at] === '' && at > 0
  return (isSpanned ? [rows[0]?.[at - 1] ?? '', ...parts] : parts).join(', ')
}

function bodyRows(random: Random, manner: Manner, columns: Column[], items: MeantItem[]): string[][] {
  let above = ''
  return items.flatMap((item) => {
    const isFirst = item.group !== above
    above = item.group
    const row = columns.map((column) => cellOf(random, manner, item, column, isFirst))
    const section =
      manner.groups === 'sections' && isFirst ? [padded([item.group], manner.padsRows ? columns.length : 1)] : []
    return [...section, row]
  })
}

function cellOf(random: Random, manner: Manner, item: MeantItem, column: Column, isFirst: boolean): string {
  const words = WORDS[manner.language]
  switch (column) {
    case 'group':
      return manner.groups === 'column' || isFirst ? item.group : ''
    case 'name':
      return item.name
    case 'price':
      return (
        oddPrice(random, manner, item) ??
        (item.price === null ? random.pick(words.none) : priceCell(random, manner, item))
      )
    case 'stock':
      if (item.stock === null) return ''
      if (item.stock === 0) return random.pick([...words.gone, '0'])
      return (
        (item.isStockLeast ? '>' : '') +
        grouped(String(item.stock), manner.apart) +
        (manner.pieces ? ` ${words.unit}` : '')
      )
    case 'weight':
      return item.weight.toFixed(3).replace('.', manner.point)
    default:
      return column satisfies never
  }
}

/** Undefined for a price that is written as a plain number, and for none. */
function oddPrice(random: Random, manner: Manner, item: MeantItem): string | undefined {
  const words = WORDS[manner.language]
  const plain = (price: number) => priceCell(random, { ...manner, money: 'none' }, { ...item, price })
  const unit =
    manner.money === 'cells' || manner.money === 'two'
      ? ` ${random.pick(CURRENCIES[item.currency as Currency].after)}`
      : ''
  if (item.odd === 'range') return `${plain(500)}–${plain(900)}${unit}`
  if (item.price === null) return undefined
  if (item.odd === 'from') return words.from + plain(item.price) + unit
  if (item.odd === 'marked') return `${plain(item.price)}${unit} *`
  const thousand = { ru: 'тыс.', en: 'k', kk: 'мың' }[manner.language]
  return item.odd === 'scaled' ? `${item.price / 1000} ${thousand}${unit}` : undefined
}

function priceCell(random: Random, manner: Manner, { price, currency }: MeantItem): string {
  const [whole = '', rest = ''] = (price ?? 0).toFixed(manner.decimals).split('.')
  const number = grouped(whole, manner.apart) + (rest && manner.point + rest)
  if (manner.money !== 'cells' && manner.money !== 'two') return number
  const { before, after } = CURRENCIES[currency as Currency]
  return before.length > 0 && random.chance(0.5) ? `${random.pick(before)}${number}` : `${number} ${random.pick(after)}`
}

function grouped(whole: string, apart: string): string {
  return whole.replace(/\B(?=(\d{3})+$)/g, apart)
}

function totalRow(random: Random, manner: Manner, columns: Column[], items: MeantItem[]): string[] {
  const sum = items.reduce((total, { price }) => total + (price ?? 0), 0)
  const word = random.pick(WORDS[manner.language].total)
  return columns.map((column, at) =>
    at === 0
      ? word
      : column === 'price'
        ? priceCell(random, manner, { ...(items[0] as MeantItem), price: Number(sum.toFixed(2)) })
        : '',
  )
}

function notesBelow(random: Random, manner: Manner): string[][] {
  const notes = WORDS[manner.language].notes
  return [
    ...(random.chance(0.5) ? [[]] : []),
    [random.pick(notes)],
    ...(random.chance(0.3) ? [[random.pick(notes)]] : []),
  ]
}

function withHeaderAgain(random: Random, manner: Manner, body: string[][], header: string[][]): string[][] {
  if (!manner.repeatsHeader || header.length > 1 || manner.groups === 'first') return body
  const at = 2 + random.below(body.length - 2)
  return [...body.slice(0, at), header[0] ?? [], ...body.slice(at)]
}

function linesAbove(
  random: Random,
  { language, hasTitle, hasContacts }: Manner,
  { rows }: { rows: string[][] },
): string[][] {
  const words = WORDS[language]
  const width = Math.max(...rows.map((row) => row.length))
  return [
    ...(hasContacts ? [words.contacts.slice(0, Math.max(2, Math.min(3, width)))] : []),
    ...(hasTitle ? [[random.pick(words.title)], ...(random.chance(0.3) ? [[]] : [])] : []),
  ].map((row) => [...row])
}

function padded(row: string[], width: number): string[] {
  return Array.from({ length: width }, (_, column) => row[column] ?? '')
}

function fileOf(manner: Manner, rows: string[][], tables: MeantTable[], layout: string): WrittenFile {
  const width = Math.max(...rows.map((row) => row.length))
  const quoted = (cell: string) =>
    cell.includes(manner.delimiter) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell
  const text = rows
    .map((row) => (manner.padsRows ? padded(row, width) : row).map(quoted).join(manner.delimiter))
    .join('\r\n')
  return { text, tables, manner: JSON.stringify({ ...manner, layout }) }
}
