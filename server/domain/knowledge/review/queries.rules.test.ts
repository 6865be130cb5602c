// The log of questions: what is logged, and which questions count as equal.
import { describe, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { TraceSearch, TraceToolCall } from '#shared/messaging/trace.ts'
import { gistOf, queriesOf } from './queries.rules.ts'

const result = { id: 'c' as Id<'chunks'>, documentId: 'd', source: 'Terms.pdf', page: 2, score: 1, excerpt: 'text' }
const search = (query: string, isWeak: boolean): TraceSearch => ({ query, isWeak, results: isWeak ? [] : [result] })
const littleFound = (searches: TraceSearch[], tools: TraceToolCall[] = []) =>
  queriesOf({ kind: 'reply', outcome: 'replied', searches, tools }).map((logged) => logged.hasFoundLittle)

describe('the gist of a question', () => {
  it.each([
    ['Как оплатить заказ?', 'а как ОПЛАТИТЬ заказы'],
    ['Where can I park my cars', 'parking: car?'],
    ['есть доставка в Алматы', 'В Алматы доставки есть?'],
  ])('is the same for %j and %j', (one, other) => {
    expect(gistOf(one)).toBe(gistOf(other))
  })

  it('differs where a word that matters differs', () => {
    expect(gistOf('Доставка в Алматы')).not.toBe(gistOf('Доставка в Астану'))
  })

  it('is made of stop words where there is nothing else', () => {
    expect(gistOf('где?')).not.toBe('')
  })
})

describe('the log of a turn', () => {
  it('keeps what was asked with the sources that were found, the best first', () => {
    expect(queriesOf({ kind: 'reply', outcome: 'replied', searches: [search('Returns?', false)], tools: [] })).toEqual([
      {
        position: 0,
        query: 'Returns?',
        gist: gistOf('Returns?'),
        isWeak: false,
        found: [{ chunkId: 'c', documentId: 'd', source: 'Terms.pdf', page: 2, score: 1 }],
        hasFoundLittle: false,
      },
    ])
  })

  it('leaves out chunks that were only neighbours, and adds none in their place', () => {
    const results = [0, 0.2, 0, 0.4, 0, 0.3, 0.1, 1, 0.05].map((score, at) => ({ ...result, page: at, score }))
    const [logged] = queriesOf({
      ...{ kind: 'reply', outcome: 'replied', tools: [] },
      searches: [{ query: 'Returns?', isWeak: false, results }],
    })
    expect(logged?.found.map(({ score }) => score)).toEqual([1, 0.4, 0.3, 0.2, 0.1])
  })

  it('counts a question as unanswered only when no search for its answer found enough', () => {
    expect(littleFound([search('Гарантия?', true)])).toEqual([true])
    expect(littleFound([search('Гарантия?', true), search('срок гарантии', false)])).toEqual([false, false])
    expect(littleFound([search('Гарантия?', true), search('срок гарантии', true)])).toEqual([true, false])
  })

  it('counts it as answered when a table or the web held something, not when it was asked in vain or a person was called', () => {
    const call = (name: string, over: Partial<TraceToolCall>) => [
      { name, hasFailed: false, arguments: '', result: '', durationMs: 1, ...over },
    ]
    expect(littleFound([search('Сколько стоит?', true)], call('query_table', { hasFound: true }))).toEqual([false])
    expect(littleFound([search('Сколько стоит?', true)], call('query_table', { hasFound: false }))).toEqual([true])
    expect(littleFound([search('Сколько стоит?', true)], call('query_table', { hasFailed: true }))).toEqual([true])
    expect(littleFound([search('Сколько стоит?', true)], call('hand_off', {}))).toEqual([true])
  })

  it('takes no greeting for a question', () => {
    expect(littleFound([search('Здравствуйте!', true)])).toEqual([false])
  })

  it('leaves out follow-ups, and turns whose question is asked again by the next one', () => {
    const searches = [search('Returns?', true)]
    expect(queriesOf({ kind: 'follow_up', outcome: 'replied', searches, tools: [] })).toEqual([])
    expect(queriesOf({ kind: 'reply', outcome: 'superseded', searches, tools: [] })).toEqual([])
  })
})
