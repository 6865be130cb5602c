// Test sets: which hit counts as the expected passage, and the scores.
import { describe, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { SourceKind } from '#shared/knowledge/chunks.ts'
import { isExpected } from '#shared/knowledge/knowledge-cases.ts'
import { rankOf, scoresOf } from './retrieval-test-cases.rules.ts'

const TEXT = 'Вернуть товар можно в течение 14 дней, если сохранились чек и упаковка.'
const found = (
  content: string,
  over: { documentId?: string; sourceKind?: SourceKind; isNeighbour?: boolean; firstRow?: number } = {},
) => ({
  documentId: over.documentId ?? 'd',
  content,
  isNeighbour: over.isNeighbour ?? false,
  metadata: { sourceKind: over.sourceKind ?? 'document', firstRow: over.firstRow ?? null },
})
const passage = { sourceId: 'd', source: 'Правила.md', excerpt: TEXT }

describe('the expected passage', () => {
  it('is recognised after its document was cut again', () => {
    expect(isExpected(found(TEXT), passage)).toBe(true)
    expect(isExpected(found(`Возврат. ${TEXT} Доставка платная.`), passage)).toBe(true)
    expect(isExpected(found('Вернуть товар можно в течение 14 дней.'), passage)).toBe(true)
  })

  it('is neither another passage of the document nor the same text elsewhere', () => {
    expect(isExpected(found('Доставка по городу занимает два дня.'), passage)).toBe(false)
    expect(isExpected(found(TEXT, { documentId: 'other' }), passage)).toBe(false)
    expect(isExpected(found(''), passage)).toBe(false)
  })

  it('is not one that is worded alike', () => {
    const tariff = (name: string, gigabytes: number, minutes: number) =>
      `Тариф «${name}»: ${gigabytes} ГБ интернета и ${minutes} минут в месяц. Подключить можно в приложении.`
    const start = { ...passage, excerpt: tariff('Старт', 10, 300) }
    expect(isExpected(found(tariff('Старт', 10, 300)), start)).toBe(true)
    expect(isExpected(found(tariff('Бизнес', 50, 2000)), start)).toBe(false)
  })

  it('is known again when half of it was cut off, or a word was changed', () => {
    const delivery = 'Курьер привозит заказ на следующий день после оплаты и звонит за час до приезда.'
    expect(isExpected(found(`${TEXT} ${delivery}`), { ...passage, excerpt: `Скидок нет. ${TEXT}` })).toBe(true)
    expect(isExpected(found(TEXT.replace('14 дней', '30 дней')), passage)).toBe(true)
    expect(isExpected(found('Да'), { ...passage, excerpt: 'Да' })).toBe(true)
  })

  it('is the row of a table, not a neighbouring one', () => {
    const row = (name: string, price: number) => `Цвет: белый; Цена: ${price}; В наличии: да\nТовар: ${name}`
    const inTable = (content: string, firstRow: number) => found(content, { sourceKind: 'table', firstRow })
    const chair = { ...passage, excerpt: row('Стул', 45), firstRow: 3 }
    expect(isExpected(inTable(row('Стул', 45), 3), chair)).toBe(true)
    expect(isExpected(inTable(row('Стол', 450), 4), chair)).toBe(false)
    expect(isExpected(inTable(row('Стул', 60), 3), chair)).toBe(true) // its price was changed
    expect(isExpected(inTable(row('Стул', 45), 7), chair)).toBe(true) // the file was read again in another order
    const { firstRow: _, ...unplaced } = chair
    expect(isExpected(inTable(row('Стул', 45), 3), unplaced)).toBe(true)
    expect(isExpected(inTable(row('Стол', 450), 3), unplaced)).toBe(false)
  })

  it('is the note itself, whatever it says now', () => {
    expect(isExpected(found('Совсем другое.', { sourceKind: 'fragment' }), passage)).toBe(true)
  })
})

describe('the place of a question', () => {
  it('is that of the first passage that answers, neighbours left out', () => {
    const results = [found('Иное.'), found(TEXT, { isNeighbour: true }), found(TEXT)]
    expect(rankOf(results, [passage])).toBe(2)
    expect(rankOf(results.slice(0, 2), [passage])).toBe(null)
  })
})

describe('the scores of a test set', () => {
  it('are shares of its questions', () => {
    const ranks = [1, 2, 10, null].map((rank, at) => ({ caseId: String(at) as Id<'knowledgeCases'>, rank }))
    expect(scoresOf(ranks)).toEqual({
      cases: ranks,
      recallAt1: 0.25,
      recallAt5: 0.5,
      recallAt10: 0.75,
      mrr: (1 + 1 / 2 + 1 / 10) / 4,
    })
  })

  it('are zero for an empty one', () => {
    expect(scoresOf([])).toMatchObject({ recallAt1: 0, recallAt10: 0, mrr: 0 })
  })
})
