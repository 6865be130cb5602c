// The invented past of the demonstration holds together.
import { describe, expect, it } from 'vitest'
import { PARSE_LIMITS } from '#server/domain/knowledge/search/parsers/limits.ts'
import { parseTable } from '#server/domain/knowledge/search/parsers/tables/parse-table.ts'
import { planQuestion } from '#server/domain/knowledge/tables/tables.query.ts'
import type { Id } from '#shared/ids.ts'
import { tableQuestion } from '#shared/knowledge/table-questions.ts'
import { DIALOGUES } from './demo.dialogues.ts'
import { HISTORY_DAYS, inventHistory } from './demo.history.ts'
import { DEMO_SPACES } from './demo.knowledge.ts'

const NOW = new Date('2026-11-21T12:00:00Z')
const MODELS = { support: 'openai/gpt-5-mini', sales: 'openai/gpt-4.1-mini', booking: 'openai/gpt-5.4' }
const history = inventHistory(NOW, MODELS)

describe('the invented past', () => {
  it('is the same every time', () => {
    expect(inventHistory(NOW, MODELS)).toEqual(history)
  })

  it('lies within the last ninety days, in order, and never in the future', () => {
    const first = NOW.getTime() - (HISTORY_DAYS + 1) * 86_400_000
    for (const { messages } of history) {
      const times = messages.map((message) => message.at.getTime())
      expect(times).toEqual(times.toSorted((a, b) => a - b))
      expect(times.every((time) => time > first && time <= NOW.getTime())).toBe(true)
    }
  })

  it('leaves no word of a template open', () => {
    expect(history.flatMap(({ messages }) => messages).filter(({ text }) => /[{}]/.test(text))).toEqual([])
  })

  it('has a cost for answers of priced models and an unknown one for the others', () => {
    const costs = (agent: string) =>
      history
        .filter((each) => each.agent === agent)
        .flatMap(({ messages }) => messages.flatMap((m) => m.generation ?? []))
    expect(costs('support').every(({ costMicroUsd }) => (costMicroUsd ?? 0) > 0)).toBe(true)
    expect(costs('booking').every(({ costMicroUsd }) => costMicroUsd === null)).toBe(true)
  })

  it('holds every kind of conversation', () => {
    expect(new Set(history.map(({ status }) => status))).toEqual(new Set(['active', 'paused', 'ended']))
    expect(new Set(history.map(({ agent }) => agent)).size).toBe(3)
  })

  it('quotes only documents and notes that are in the knowledge of its language', () => {
    const names = ({ documents, tables, fragments }: typeof DEMO_SPACES.ru) =>
      [...documents, ...tables, ...fragments].map(({ name }) => name)
    for (const { language, turns } of DIALOGUES) {
      const quoted = turns.flatMap(({ source }) => source ?? [])
      expect(names(DEMO_SPACES[language])).toEqual(expect.arrayContaining(quoted))
    }
  })

  it('asks of tables what they can be asked, and names no price that does not stand there', async () => {
    const asked = DIALOGUES.flatMap(({ turns, language }) =>
      turns.flatMap(({ question, ...turn }) => (question ? [{ ...turn, question, language }] : [])),
    )
    expect(asked.length).toBeGreaterThan(0)
    for (const { language, source, question, text } of asked) {
      const table = DEMO_SPACES[language].tables.find(({ name }) => name === source)
      const { columns, warnings } = await parseTable(new TextEncoder().encode(table?.text), 'csv', PARSE_LIMITS)
      const _id = 'table' as Id<'tables'>
      expect(planQuestion({ _id, columns, warnings }, tableQuestion.parse({ table: _id, ...question }))).toBeDefined()
      const prices = text.match(/\d{3,}/g) ?? []
      expect(prices.filter((price) => price !== '500' && !table?.text.includes(price))).toEqual([])
    }
  })
})
