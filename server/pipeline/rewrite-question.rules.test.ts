// Wordings for the search, as models write them.
import { expect, it } from 'vitest'
import { wordingsIn } from './rewrite-question.rules.ts'

it('takes one wording a line, without numbers and bullets, each once', () => {
  expect(wordingsIn('1. How much is delivery?\n2) Price of a courier\n\n- courier, price\n• courier, price')).toEqual([
    'How much is delivery?',
    'Price of a courier',
    'courier, price',
  ])
})

it('keeps a number that belongs to the wording', () => {
  expect(wordingsIn('2026 prices')).toEqual(['2026 prices'])
})

it('takes at most four, and none that is no question', () => {
  expect(wordingsIn(['a', 'b', '---', 'x'.repeat(301), 'c', 'd', 'e'].join('\n'))).toEqual(['a', 'b', 'c', 'd'])
})
