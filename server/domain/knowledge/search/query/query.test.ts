// Analysis of words, query groups, evidence and what happens to hits after the ranking.
import { describe, expect, it } from 'vitest'
import { editDistance } from '#server/platform/lib/text/word-distance.ts'
import type { Id } from '#shared/ids.ts'
import { NOWHERE, type SourceKind } from '#shared/knowledge/chunks.ts'
import { gramsOf } from '../analysis/grams.ts'
import { otherKeyboard } from '../analysis/spellings.ts'
import { stem } from '../analysis/stem.ts'
import { wordsOf } from '../analysis/words.ts'
import { buildSegment } from '../index/build-segment.ts'
import { IndexPart, OpenSegment, SearchedIndex } from '../index/searched-index.ts'
import { noneDeleted, openSegment } from '../index/segment.ts'
import { inReadingOrder, type RankedHit, select } from './after-ranking.ts'
import { readQuestion } from './query-groups.ts'
import { rank } from './ranking.ts'

function indexOf(...bodies: string[]): SearchedIndex {
  const chunks = bodies.map((body, number) => ({
    id: String(number).padStart(32, '0') as Id<'chunks'>,
    title: '',
    headingPath: [],
    alsoAskedAs: [],
    body,
  }))
  return new SearchedIndex([
    new IndexPart(new OpenSegment(openSegment(buildSegment(chunks))), noneDeleted(chunks.length)),
  ])
}
const groupsOf = (query: string, ...bodies: string[]) =>
  readQuestion(query, indexOf(...bodies)).groups.map(({ word, terms }) => [word, Object.fromEntries(terms)])

describe('words', () => {
  it.each([
    ['Ёлка, ЙОД и за́мок', ['елка', 'йод', 'и', 'замок']],
    ['артикул А-101/2', ['артикул', 'а', '101', '2', 'а1012']],
    ['ﬁle SH_1002', ['file', 'sh', '1002', 'sh1002']],
    ['on-line', ['on', 'line']],
  ])('of %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words)
  })

  it('are stemmed by their alphabet', () => {
    expect(['возвраты', 'returns', '2026'].map(stem)).toEqual(['возврат', 'return', '2026'])
  })

  it('give pieces of four characters with borders', () => {
    expect(gramsOf('по')).toEqual(['_по_'])
    expect(gramsOf('книга')).toEqual(['_кни', 'книг', 'нига', 'ига_'])
  })

  it('have a distance in which a swap of neighbours costs one', () => {
    expect(['дотсавка', 'доствка', 'доставка', 'поставки'].map((word) => editDistance('доставка', word))).toEqual([
      1, 1, 0, 2,
    ])
  })
})

describe('query groups', () => {
  it('take a known stem as it is, and its family for less', () => {
    expect(groupsOf('консультация', 'консультация консультанта')).toEqual([
      ['консультация', { консультац: 1, консультант: 0.4 }],
    ])
  })

  it('forgive typing errors in words that the dictionary does not know', () => {
    expect(groupsOf('дотсавка', 'доставка')).toEqual([['дотсавка', { доставк: 0.8 * (1 - 1 / 7) }]])
    expect(groupsOf('дом', 'том')).toEqual([])
  })

  it('do not mistake one article number for another', () => {
    expect(groupsOf('SH1002', 'sh1003')).toEqual([])
  })

  it('look for stop words and numbers only as they are', () => {
    expect(groupsOf('когда 2025', 'никогда 2026')).toEqual([])
    expect(readQuestion('когда', indexOf('когда')).groups[0]?.queryWeight).toBe(0.3)
  })

  it.each([
    ['телеграм', 'telegram', 0.9],
    ['докер', 'docker', 0.7],
    ['privet', 'привет', 0.9],
    ['ghbdtn', 'привет', 0.9],
    ['вотсап', 'whatsapp', 0.9],
    ['айфон', 'iphone', 0.9],
  ])('find %s written as %s', (asked, written, weight) => {
    expect(groupsOf(asked, written)).toEqual([[asked, { [stem(written)]: weight }]])
  })

  it('read a word in the other keyboard layout both ways', () => {
    expect([otherKeyboard('ghbdtn'), otherKeyboard('руддщ')]).toEqual(['привет', 'hello'])
  })
})

describe('evidence', () => {
  const index = indexOf('Доставка занимает два дня.', 'Оплата картой или наличными.', 'Гарантия один год.')

  it('is high when the best chunk holds what is asked and low when hardly anything is there', () => {
    expect(rank(index, 'сколько занимает доставка', 5).evidence).toBeGreaterThan(0.3)
    expect(rank(index, 'есть ли у вас парковка для самокатов или гардероб', 5).evidence).toBeLessThan(0.1)
    expect(rank(indexOf(), 'доставка', 5)).toEqual({ chunks: [], evidence: 0 })
  })

  it('is not held against a space of one chunk that a question brings words of its own', () => {
    const index = indexOf('Возврат товара возможен в течение 14 дней.')
    expect(rank(index, 'Здравствуйте, за сколько дней можно вернуть товар?', 5).evidence).toBeGreaterThan(0.1)
    expect(rank(index, 'Какая завтра погода в Париже?', 5).evidence).toBeLessThan(0.1)
  })
})

describe('after the ranking', () => {
  let nextId = 0
  function hit(
    score: number,
    body: string,
    kind: SourceKind = 'document',
    over: { sourceId?: string; ordinal?: number } = {},
  ): RankedHit {
    const id = String(nextId++) as Id<'chunks'>
    return {
      chunk: {
        chunkId: id,
        score,
        scores: { words: score, grams: score },
        matchedTerms: [],
      },
      hit: {
        id,
        spaceId: 's' as Id<'knowledgeSpaces'>,
        sourceId: id,
        sourceKind: kind,
        title: '',
        headingPath: [],
        body,
        ordinal: 0,
        ...NOWHERE,
        tokens: 10,
        contentHash: body,
        ...over,
      },
    }
  }
  const shown = (ranked: RankedHit[], selection: Parameters<typeof select>[1]) =>
    select(ranked, selection).map((each) => each.hit.body)

  it('shows one of two texts that say the same, unless their numbers differ', () => {
    const long = 'доставка в пределах города занимает два рабочих дня и оплачивается отдельно от заказа картой'
    expect(shown([hit(1, long), hit(0.9, long)], { limit: 5 })).toHaveLength(1)
    expect(shown([hit(1, long), hit(0.9, `${long}!`)], { limit: 5 })).toHaveLength(1)
    expect(shown([hit(1, `${long} 100`), hit(0.9, `${long} 200`)], { limit: 5 })).toHaveLength(2)
  })

  it('lets a note win over documents on the same question, but not one that hardly fits', () => {
    expect(shown([hit(1, 'документ'), hit(0.7, 'заметка', 'fragment')], { limit: 5 })).toEqual(['заметка', 'документ'])
    expect(shown([hit(1, 'документ'), hit(0.5, 'заметка', 'fragment')], { limit: 5 })).toEqual(['документ', 'заметка'])
  })

  it('keeps the limit and the token budget, the best hit in any case', () => {
    const ranked = [hit(1, 'а'), hit(0.9, 'б'), hit(0.8, 'в')]
    expect(shown(ranked, { limit: 2 })).toEqual(['а', 'б'])
    expect(shown(ranked, { limit: 5, tokenBudget: 20 })).toEqual(['а', 'б'])
    expect(shown(ranked, { limit: 5, tokenBudget: 1 })).toEqual(['а'])
  })

  it('puts the hits of one document in reading order when asked to', () => {
    const ranked = [
      hit(1, 'второй', 'document', { sourceId: 'x', ordinal: 1 }),
      hit(0.9, 'чужой', 'document', { sourceId: 'y', ordinal: 0 }),
      hit(0.8, 'первый', 'document', { sourceId: 'x', ordinal: 0 }),
    ]
    expect(inReadingOrder(select(ranked, { limit: 5 })).map((each) => each.hit.body)).toEqual([
      'первый',
      'второй',
      'чужой',
    ])
    expect(shown(ranked, { limit: 5 })).toEqual(['второй', 'чужой', 'первый'])
  })
})
