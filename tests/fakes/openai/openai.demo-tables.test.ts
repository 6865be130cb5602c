// The fake model of the demonstration asks the table tool for figures, and says what the tool has computed.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TablePlan } from '#server/domain/knowledge/tables/tables.query.ts'
import { tablesBlock, tablesTool } from '#server/domain/messaging/replies/tools/tables.ts'
import { createLlm } from '#server/integrations/llm/create.ts'
import { createLogger } from '#server/platform/lib/logger.ts'
import type { Id } from '#shared/ids.ts'
import type { DataTable } from '#shared/knowledge/tables.ts'
import { replyFromTable } from './openai.demo-tables.ts'
import { type FakeOpenAi, startFakeOpenAi } from './openai.ts'

let fake: FakeOpenAi
beforeAll(async () => {
  fake = await startFakeOpenAi({ reply: (request) => replyFromTable(request) ?? { text: 'Something else.' } })
})
afterAll(() => fake.close())

const column = (name: string, type: 'text' | 'number') => ({ name, type, samples: [], unfit: 0 })
const table: DataTable = {
  ...{ _id: 't1' as Id<'tables'>, knowledgeSpaceId: 's1' as Id<'knowledgeSpaces'>, name: 'Прайс.csv', format: 'csv' },
  ...{
    sizeBytes: 1,
    sheet: null,
    status: 'ready',
    errorReason: null,
    warnings: [],
    reading: {},
    rows: 16,
    isAnalyzed: true,
    importedColumn: null,
  },
  columns: [column('Услуга', 'text'), column('Цена', 'number')],
  ...{ chunks: { total: null, ready: 0, failed: 0 }, uploadedAt: 0 },
  ...{ tags: [], validFrom: null, validUntil: null, language: null, chosenLanguage: null },
}

/** The text of the answer, and the plans that the table received. */
async function ask(question: string): Promise<{ text: string; plans: TablePlan[] }> {
  const plans: TablePlan[] = []
  const compute = async (plan: TablePlan) => {
    plans.push(plan)
    const rows = [
      { number: 1, cells: ['Тюбинг', '250'] },
      { number: 2, cells: ['Коньки', '300'] },
    ]
    return {
      matched: 2,
      rows,
      groups: plan.aggregates.length > 0 ? [{ key: null, values: [412.5] }] : [],
      groupCount: 1,
    }
  }
  const block = tablesBlock([table], question)
  const none = { apiKey: undefined, baseUrl: undefined }
  const config = { openai: { apiKey: undefined, baseUrl: fake.url }, anthropic: none, google: none }
  const { text } = await createLlm(config, createLogger('silent')).generate({
    ...{ model: 'openai/gpt-5-mini', temperature: 1, system: 'Ты помощник.', isWeakEvidence: false },
    ...{ messages: [{ role: 'user', text: question }], passages: [], data: block ? [block] : [] },
    tools: [tablesTool([table], compute, new Map(), { tool: () => undefined })],
    signal: new AbortController().signal,
  })
  return { text, plans }
}

it.each([
  ['Что у вас есть дешевле 500 рублей?', 'Всего: 2.\n- Услуга: Тюбинг, Цена: 250\n- Услуга: Коньки, Цена: 300', 'lt'],
  ['How many services are over 200?', 'There are 2.\n- Услуга: Тюбинг', 'gt'],
])('%s is answered from a computed number', async (question, text, operator) => {
  const answer = await ask(question)
  expect(answer.text).toContain(text)
  expect(answer.plans).toMatchObject([{ filters: [{ operator }] }])
})

it('knows the cheapest by sorting and the average by computing, and asks nothing about anything else', async () => {
  expect((await ask('Что самое дешёвое?')).text).toBe('Услуга: Тюбинг, Цена: 250')
  expect((await ask('Какая средняя цена?')).text).toBe('В среднем: 412.5.')
  expect(await ask('Где вы находитесь?')).toEqual({ text: 'Something else.', plans: [] })
})
