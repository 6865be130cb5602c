// Everyday questions to small tables of a salon, a hotel and a bank, as the built-in model asks them: of the right column and between both ends.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { askTable } from '#server/domain/knowledge/tables/tables.query.store.ts'
import { tablesTool } from '#server/domain/messaging/replies/tools/tables.ts'
import { answerFromTables } from '#server/integrations/llm/extractive/extractive-tables.ts'
import type { AnswerLanguage } from '#server/integrations/llm/language.ts'
import type { DataTable } from '#shared/knowledge/tables.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'

const TABLES = {
  salon:
    'Услуга;Цена, тг;Мастер\nЖенская стрижка;6 000;Айгуль\nМужская стрижка;4 000;Ерлан\nДетская стрижка;3 000;Айгуль\nМаникюр;7 000;Сауле\nПедикюр;9 000;Сауле\n',
  hotel:
    'Номер;Категория;Мест;Цена за ночь\n101;Стандарт;2;25 000\n201;Люкс;2;52 000\n202;Семейный;4;60 000\n301;Эконом;1;15 000\n',
  bank: 'Продукт;Ставка;Сумма до\nИпотека;7%;100 млн тг\nАвтокредит;4,9%;30 млн тг\nРассрочка;0%;500 000 тг\n',
}

let app: TestApp
let person: Person
const tables = new Map<string, DataTable>()

beforeAll(async () => {
  app = await startApp()
  person = await app.signUp()
  for (const [name, body] of Object.entries(TABLES)) {
    const { _id: knowledgeSpaceId } = await person.http.mutation(api.knowledge.spaces.create, { name })
    const query = new URLSearchParams({ knowledgeSpaceId, name: `${name}.csv` })
    const headers = { authorization: `Bearer ${await person.token()}` }
    await fetch(`${app.url}/api/files/tables?${query}`, { method: 'POST', body, headers })
    await app.settle()
    const paginationOpts = { numItems: 1, cursor: null }
    const { page } = await person.http.query(api.knowledge.tables.list, { knowledgeSpaceId, paginationOpts })
    tables.set(name, page[0] as DataTable)
  }
})
afterAll(() => app.close())

/** The names of the rows that are spoken of. */
async function answerTo(name: keyof typeof TABLES, question: string, language: AnswerLanguage): Promise<string> {
  const known = [tables.get(name) as DataTable]
  const { _id: organizationId } = person.organization
  const tool = tablesTool(
    known,
    (plan) => app.database.organization(organizationId, (db) => askTable({ db, organizationId }, plan)),
    new Map(),
    { tool: () => undefined },
  )
  const { signal } = new AbortController()
  const answer = await answerFromTables(question, { tables: { known, probe: tool }, tools: [tool], signal }, language)
  return answer !== null && typeof answer === 'object' ? answer.text : String(answer)
}

it.each([
  ['salon', 'что стоит от 4000 до 7000', ['Мужская стрижка', 'Женская стрижка', 'Маникюр']],
  ['salon', 'услуги от 4 до 6 тысяч', ['Мужская стрижка', 'Женская стрижка']],
  ['salon', 'что стоит не меньше 7000', ['Маникюр', 'Педикюр']],
  ['salon', 'ең арзан қызмет', ['Детская стрижка']],
  ['salon', 'ен кымбат кызмет', ['Педикюр']],
  ['salon', 'педикюр багасы', ['Педикюр']],
  ['salon', 'cheapest service', ['Детская стрижка']],
  ['hotel', 'самый дешевый номер', ['Эконом']],
  ['hotel', 'самый дорогой номер', ['Семейный']],
  ['hotel', 'номера до 30000', ['Эконом', 'Стандарт']],
  ['bank', 'самая низкая ставка', ['Рассрочка']],
] as const)('of %s: «%s»', async (name, question, rows) => {
  const language = question.startsWith('cheap') ? 'en' : 'ru'
  const text = await answerTo(name, question, language)
  expect([...text.matchAll(/[«“]([^»”]+)[»”] – /g)].map(([, row]) => row)).toEqual(rows)
})

it('says a unit once', async () => {
  expect(await answerTo('bank', 'какая ставка по автокредиту', 'ru')).toContain('Ставка: 4,9%;')
})
