// Synthetic price lists and stocks in Russian and English: their known facts, and how people would have typed them.
import type { Random } from '#tests/random.ts'

/** The facts of a row. Prices in hundredths; null: the cell is empty, `'none'`: its text is no price. */
export type Goods = {
  name: string
  group: string | null
  price: number | null | 'none'
  quantity: number | null
  isThere: boolean | null
  day: string | null
}
export const FACTS = ['name', 'group', 'price', 'quantity', 'isThere', 'day'] as const
export type Fact = (typeof FACTS)[number]
export type Language = 'ru' | 'en'

/** A table with the facts of its columns in order, and rows both as facts and as typed. */
export type MadeTable = {
  file: string
  language: Language
  facts: Fact[]
  header: string[]
  goods: Goods[]
  cells: string[][]
}

const ROWS = 300
/** Some spellings of the same text are adjacent. */
const NAMES = {
  ru: [
    'Ёлка зелёная',
    'елка зеленая',
    'Стол  дубовый',
    'СТУЛ',
    'Шкаф-купе',
    'Полка 40 %',
    'Лампа "Уют"',
    'Тёрка; малая',
    'Щётка',
  ],
  en: [
    'Oak table',
    'OAK  TABLE',
    'Chair',
    'Lamp "Cosy"',
    'Shelf, small',
    'Café set',
    'Wardrobe_2',
    'Mirror 50%',
    'Brush',
  ],
}
const GROUPS = {
  ru: ['Мебель', 'мебель', 'Свет', 'Ёмкости', 'Емкости', 'Сад'],
  en: ['Furniture', 'furniture ', 'Light', 'Garden', 'Kitchen'],
}
const HEADERS = {
  ru: {
    name: 'Товар',
    group: 'Категория',
    price: 'Цена',
    quantity: 'Остаток',
    isThere: 'В наличии',
    day: 'Поступление',
  },
  en: { name: 'Item', group: 'Category', price: 'Price', quantity: 'Stock', isThere: 'Available', day: 'Arrived' },
}
const MONTHS = {
  ru: 'января февраля марта апреля мая июня июля августа сентября октября ноября декабря'.split(' '),
  en: 'January February March April May June July August September October November December'.split(' '),
}

export function makeTable(random: Random, kind: 'prices' | 'stock', language: Language): MadeTable {
  const facts: Fact[] = kind === 'prices' ? [...FACTS] : ['group', 'name', 'quantity', 'day', 'price', 'isThere']
  const goods = Array.from({ length: ROWS }, () => makeGoods(random, language))
  const cells = goods.map((each) => facts.map((fact) => typed(random, language, each, fact)))
  return {
    file: `${kind}-${language}.csv`,
    language,
    facts,
    header: facts.map((fact) => HEADERS[language][fact]),
    goods,
    cells,
  }
}

/** The file, with every cell quoted, so that no cell's text acts as a delimiter. */
export function csvOf({ header, cells }: MadeTable): string {
  const line = (row: string[]) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';')
  return [header, ...cells].map(line).join('\r\n')
}

function makeGoods(random: Random, language: Language): Goods {
  const maybe = <T>(value: T) => (random.chance(0.05) ? null : value)
  return {
    name: `${random.pick(NAMES[language])}${random.chance(0.5) ? ` ${random.below(20)}` : ''}`,
    group: maybe(random.pick(GROUPS[language])),
    price: random.chance(0.02)
      ? 'none'
      : maybe(random.chance(0.3) ? random.below(2000) * 10_000 : random.below(10_000_000)),
    quantity: maybe(random.chance(0.1) ? -random.below(50) : random.below(25_000)),
    isThere: maybe(random.chance(0.6)),
    day: maybe(`202${5 + random.below(2)}-${twoDigits(1 + random.below(12))}-${twoDigits(1 + random.below(28))}`),
  }
}

/** A cell as one of several people would have typed it. */
function typed(random: Random, language: Language, goods: Goods, fact: Fact): string {
  const value = goods[fact]
  if (value === null) return ''
  if (value === 'none') return language === 'ru' ? 'по запросу' : 'on request'
  if (fact === 'price') return typedPrice(random, language, Number(value))
  if (fact === 'quantity') return typedNumber(random, language, Number(value), 0)
  if (fact === 'isThere')
    return random.pick(
      language === 'ru' ? (value ? ['да', 'Да'] : ['нет', 'НЕТ']) : value ? ['yes', 'TRUE'] : ['no', 'False'],
    )
  if (fact === 'day') return typedDay(random, language, String(value))
  return String(value).trim()
}

export function typedPrice(random: Random, language: Language, hundredths: number): string {
  const number = typedNumber(random, language, hundredths, 2)
  return language === 'ru'
    ? random.pick([number, `${number} ₽`, `${number} руб.`])
    : random.pick([number, `$${number}`, `${number} USD`])
}

/** A number with this many decimals, given in units of its last decimal: with or without thousands separators and trailing zeros. */
function typedNumber(random: Random, language: Language, scaled: number, decimals: number): string {
  const digits = String(Math.abs(scaled)).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const rest = digits.slice(digits.length - decimals)
  const apart = language === 'ru' ? random.pick(['', ' ', '\u00a0']) : random.pick(['', ','])
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, apart)
  const shown = random.chance(0.5) ? rest : rest.replace(/0+$/, '')
  const point = language === 'ru' ? ',' : '.'
  return `${scaled < 0 ? random.pick(['-', '−']) : ''}${grouped}${shown && point + shown}`
}

function typedDay(random: Random, language: Language, day: string): string {
  const [year = '', month = '', date = ''] = day.split('-')
  const name = MONTHS[language][Number(month) - 1]
  return language === 'ru'
    ? random.pick([
        `${date}.${month}.${year}`,
        `${Number(date)}.${Number(month)}.${year}`,
        `${Number(date)} ${name} ${year} г.`,
      ])
    : random.pick([`${month}/${date}/${year}`, `${name} ${Number(date)}, ${year}`, `${Number(date)} ${name} ${year}`])
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
