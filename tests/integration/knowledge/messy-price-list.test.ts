// A messy price list of sixty rows, asked by the tool that agents have and by the built-in model: every number is the one that the list
// means, or what is not counted is named.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askTable } from '#server/domain/knowledge/tables/tables.query.store.ts'
import { tablesTool } from '#server/domain/messaging/replies/tools/tables.ts'
import { answerFromTables } from '#server/integrations/llm/extractive/extractive-tables.ts'
import type { Tool } from '#server/integrations/llm/tool.ts'
import type { Id } from '#shared/ids.ts'
import type { DataTable } from '#shared/knowledge/tables.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { MESSY, type MessyItem, messyFile } from './messy-price-list.ts'

let app: TestApp
let person: Person
let goods: DataTable
let services: DataTable
let tool: Tool

beforeAll(async () => {
  app = await startApp()
  person = await app.signUp()
  const { _id: knowledgeSpaceId } = await person.http.mutation(api.knowledge.spaces.create, { name: 'Дом и сад' })
  await upload(knowledgeSpaceId)
  const { page } = await person.http.query(api.knowledge.tables.list, {
    knowledgeSpaceId,
    paginationOpts: { numItems: 10, cursor: null },
  })
  goods = page.find(({ rows }) => rows === MESSY.length) as DataTable
  services = page.find(({ rows }) => rows === 3) as DataTable
  const { _id: organizationId } = person.organization
  tool = tablesTool(
    [goods, services],
    (plan) => app.database.organization(organizationId, (db) => askTable({ db, organizationId }, plan)),
    new Map(),
    { tool: () => undefined },
  )
})
afterAll(() => app.close())

async function upload(knowledgeSpaceId: Id<'knowledgeSpaces'>): Promise<void> {
  const query = new URLSearchParams({ knowledgeSpaceId, name: 'Прайс.csv' })
  const headers = { authorization: `Bearer ${await person.token()}` }
  const answer = await fetch(`${app.url}/api/files/tables?${query}`, { method: 'POST', body: messyFile(), headers })
  expect(answer.status).toBe(201)
  await app.settle()
}

type Answer = {
  matchedRows: number
  computed: Record<string, number>[]
  rows: { cells: string[] }[]
  cellsOfAnotherType?: { column: string; cells: number }[]
  notExact?: string[]
  near?: { values: string[] }[]
}

const NAME = 1
const PRICE = 3
const STOCK = 4
const WEIGHT = 5
const SECTION = 6

async function ask(question: object, table = goods): Promise<Answer> {
  return (await tool.run({ table: table._id, ...question }, new AbortController().signal)) as Answer
}
const names = ({ rows }: Answer) => rows.map(({ cells }) => cells[0])
const value = ({ computed }: Answer) => Object.values(computed[0] ?? {})[0]
const inSection = (section: string) => ({ column: SECTION, operator: 'eq', value: section })
const called = (text: string, operator = 'contains') => ({ column: NAME, operator, value: text })
const compute = (name: string, column: number, ...filters: object[]) =>
  ask({ filters, aggregates: [{ function: name, column }] })
const sum = (items: MessyItem[], of: 'price' | 'stock') =>
  items.reduce((total, item) => Math.round((total + (item[of] ?? 0)) * 100) / 100, 0)
const priced = MESSY.filter(({ price }) => price !== null)
const of = (section: string) => MESSY.filter((item) => item.section === section)
const byPrice = priced.toSorted((a, b) => (a.price ?? 0) - (b.price ?? 0))

it('reads both tables of the file, the columns, and what is no item', () => {
  expect(goods.columns.map(({ name, type }) => [name, type])).toEqual([
    ['Наименование', 'text'],
    ['Артикул', 'text'],
    ['Цена, тг', 'number'],
    ['Склад, Остаток', 'number'],
    ['Склад, Вес, кг', 'number'],
    ['Раздел', 'text'],
  ])
  expect(goods.warnings).toEqual([
    { kind: 'totals_left_out', count: 1 },
    { kind: 'notes_left_out', count: 2, texts: ['* Акция до 1 июня', 'Цены указаны с НДС.'] },
    { kind: 'headers_left_out', count: 2 },
    {
      kind: 'sections',
      count: 5,
      column: 'Раздел',
      names: ['Столы', 'Стулья и кресла', 'Крепёж', 'Освещение', 'Текстиль'],
    },
  ])
  expect(services.columns.map(({ name }) => name)).toEqual(['Услуга', 'Срок', 'Стоимость, тг', 'Срок: единица'])
})

const QUESTIONS: [question: string, ask: () => Promise<unknown>, right: unknown][] = [
  ['Сколько всего товаров?', async () => (await ask({ aggregates: [{ function: 'count' }] })).matchedRows, 60],
  ['Сколько столов?', async () => (await ask({ filters: [inSection('столы')] })).matchedRows, 12],
  [
    'Самый дешёвый товар?',
    async () => names(await ask({ sort: { column: PRICE, direction: 'asc' }, limit: 1 })),
    [byPrice[0]?.name],
  ],
  [
    'Самый дорогой?',
    async () => names(await ask({ sort: { column: PRICE, direction: 'desc' }, limit: 1 })),
    [byPrice.at(-1)?.name],
  ],
  [
    'Сколько стоит кресло офисное?',
    async () => (await ask({ filters: [called('кресло офисное', 'eq')] })).rows[0]?.cells[2]?.replace(/\D/g, ''),
    String(MESSY[15]?.price),
  ],
  [
    'Сколько стоит саморез 3.5x35?',
    async () => names(await ask({ filters: [called('саморез 3.5x35', 'eq')] })),
    ['Саморез 3,5х35'],
  ],
  [
    'Что есть на M8 латиницей?',
    async () => names(await ask({ filters: [called('m8')] })),
    ['Болт М8', 'Гайка М8', 'Шайба М8'],
  ],
  [
    'Что дешевле 20 тенге?',
    async () => (await ask({ filters: [{ column: PRICE, operator: 'lt', value: 20 }] })).matchedRows,
    priced.filter(({ price }) => (price ?? 0) < 20).length,
  ],
  [
    'Что дороже 25 тысяч?',
    async () => (await ask({ filters: [{ column: PRICE, operator: 'gt', value: 25_000 }] })).matchedRows,
    priced.filter(({ price }) => (price ?? 0) > 25_000).length,
  ],
  ['Сумма всех цен?', async () => value(await compute('sum', PRICE)), sum(MESSY, 'price')],
  [
    'Средняя цена текстиля?',
    async () => Number(value(await compute('avg', PRICE, inSection('Текстиль'))))?.toFixed(4),
    (sum(of('Текстиль'), 'price') / of('Текстиль').filter(({ price }) => price !== null).length).toFixed(4),
  ],
  [
    'Самая дешёвая лампа?',
    async () => value(await compute('min', PRICE, called('лампа'))),
    Math.min(...MESSY.filter(({ name }) => /лампа/i.test(name)).map(({ price }) => price ?? Number.POSITIVE_INFINITY)),
  ],
  ['Сколько всего на складе?', async () => value(await compute('sum', STOCK)), sum(MESSY, 'stock')],
  [
    'Чего нет на складе?',
    async () => names(await ask({ filters: [{ column: STOCK, operator: 'eq', value: 0 }] })),
    MESSY.filter(({ stock }) => stock === 0).map(({ name }) => name),
  ],
  [
    'Чего больше всего?',
    async () => names(await ask({ sort: { column: STOCK, direction: 'desc' }, limit: 1 })),
    [MESSY.find(({ isMore }) => isMore)?.name],
  ],
  [
    'Сколько в каждом разделе?',
    async () => (await ask({ groupBy: SECTION })).computed.map((group) => group['number of rows']),
    [12, 12, 12, 12, 12],
  ],
  ['Остаток крепежа?', async () => value(await compute('sum', STOCK, inSection('крепёж'))), sum(of('Крепёж'), 'stock')],
  ['Самое тяжёлое?', async () => value(await compute('max', WEIGHT)), Math.max(...MESSY.map(({ weight }) => weight))],
  [
    'Сколько стоит сборка?',
    async () =>
      (await ask({ filters: [{ column: 1, operator: 'contains', value: 'сборка' }] }, services)).rows[0]?.cells[2],
    '4 000',
  ],
  [
    'Самая дешёвая услуга?',
    async () => (await ask({ sort: { column: 3, direction: 'asc' }, limit: 1 }, services)).rows[0]?.cells[0],
    'Подъём на этаж',
  ],
  [
    'Сколько товаров без цены?',
    async () => (await ask({ filters: [{ column: PRICE, operator: 'is_empty' }] })).matchedRows,
    MESSY.length - priced.length,
  ],
]

it.each(QUESTIONS)('%s', async (_, answer, right) => {
  expect(await answer()).toEqual(right)
})

it('names with a number which cells are not counted, and which are no exact numbers', async () => {
  const answer = await compute('sum', PRICE)
  expect(answer.cellsOfAnotherType).toEqual([{ column: 'Цена, тг', cells: 3 }])
  expect(answer.notExact).toEqual([
    'Цена, тг: 1 cells are least values, the true ones may be larger: "от 9 900" in row 17',
    'Цена, тг: 1 cells have the mark of a footnote: "3 200 *" in row 58',
  ])
})

it('offers near values where no row has a text', async () => {
  expect(await ask({ filters: [called('саморез 3,5х55', 'eq')] })).toMatchObject({
    matchedRows: 0,
    near: [{ column: 'Наименование', values: expect.arrayContaining(['Саморез 3,5х35', 'Саморез 3,5х45']) }],
  })
})

describe('the built-in model', () => {
  const say = async (question: string, language: 'ru' | 'en' = 'ru', known = [goods, services]) => {
    const answer = await answerFromTables(
      question,
      { tables: { known, probe: tool }, tools: [tool], signal: new AbortController().signal },
      language,
    )
    return answer !== null && typeof answer === 'object' ? answer.text : answer
  }
  const cell = (row: number) =>
    messyFile()
      .split('\r\n')
      .find((line) => line.startsWith(`${MESSY[row - 1]?.name};`))
      ?.split(';')[2]

  it('names the row whose price it quotes', async () => {
    expect(await say('Сколько стоит кресло офисное?')).toBe(
      `«Кресло офисное» – Цена, тг: ${cell(16)} ₸\nИсточник: ${goods.name}, строка 16`,
    )
    expect(await say('какая цена у болта M8')).toContain('«Болт М8»')
    expect(await say('how much is Сборка мебели?', 'en')).toContain('“Сборка мебели”')
  })

  it.each([
    ['Какой самый дорогой товар?', 'Люстра'],
    ['Сколько всего услуг?', ': 3.'],
    ['Какая средняя цена текстиля?', 'Среднее по столбцу «Цена, тг»'],
    ['Что из текстиля дешевле 2000?', '«Плед шерстяной»'],
  ])('computes what it can tell for certain: %s', async (question, part) => {
    expect(await say(question)).toContain(part)
  })

  it('declines to compute where more tables may be meant than it asks', async () => {
    const others = Array.from({ length: 8 }, (_, at) => ({ ...goods, name: `Товар ${at}`, columns: [] }))
    expect(await say('Какой самый дорогой товар?', 'ru', [goods, services, ...others])).toBe('declined')
    expect(await say('Сколько стоит кресло офисное?', 'ru', [goods, services, ...others])).toContain('«Кресло офисное»')
  })

  it.each(['Какая средняя цена крокодилов?', 'What costs less than 10,000?', 'Какая средняя цена?'])(
    'declines where the question does not say of what: %s',
    async (question) => {
      expect(await say(question)).toBe('declined')
    },
  )

  it.each(['Какой у вас адрес?', 'Спасибо!', 'Когда вы работаете?'])(
    'leaves other questions to documents: %s',
    async (question) => {
      expect(await say(question)).toBeNull()
    },
  )
})
