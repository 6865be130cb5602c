// Passages that say the same, and sentences that say the same with other figures, among those that only look like it.
import { describe, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { type ComparedChunk, findPairs } from './duplicate-passages.rules.ts'

let count = 0
function chunk(documentId: string, body: string, headingPath: string[] = []): ComparedChunk {
  count += 1
  return { chunkId: `c${count}` as Id<'chunks'>, kind: 'document', documentId, name: documentId, headingPath, body }
}

const pairs = async (...chunks: ComparedChunk[]) =>
  (await findPairs(chunks, async () => undefined)).map(({ kind, first, second }) => [kind, first.text, second.text])

const LONG =
  'Goods of good quality can be exchanged within fourteen days if they were not used and kept their labels and look.'

describe('two sentences of different sources', () => {
  it.each([
    ['Delivery to Moscow costs 500 roubles.', 'The delivery to Moscow costs 700 roubles.'],
    ['Доставка по Москве стоит 500 рублей.', 'Доставка по Москве стоит 1 500 рублей.'],
  ])('contradict each other: "%s" "%s"', async (one, other) => {
    expect(await pairs(chunk('a', one), chunk('b', other))).toEqual([['contradiction', one, other]])
  })

  it.each([
    [
      'with one way of writing a number',
      'Доставка по Москве стоит 1 500 рублей.',
      'Доставка по Москве стоит 1500 рублей.',
    ],
    ['about different things', 'Delivery to Moscow costs 500 roubles.', 'Delivery to Kazan costs 700 roubles.'],
    [
      'of which one says more',
      'Delivery to Moscow costs 500 roubles.',
      'Delivery to Moscow costs 500 roubles, 2 days.',
    ],
    ['that say too little', 'Page 1', 'Page 2'],
  ])('do not when they are %s', async (_, one, other) => {
    expect(await pairs(chunk('a', one), chunk('b', other))).toEqual([])
  })

  it('do not below different headings', async () => {
    const body = 'The service costs 500 roubles.'
    const other = 'The service costs 700 roubles.'
    expect(await pairs(chunk('a', body, ['Manicure']), chunk('b', other, ['Haircut', 'Colouring']))).toEqual([])
  })
})

it('rows of one document contradict nothing', async () => {
  const rows = 'Delivery to Moscow costs 500 roubles. Delivery to Moscow costs 700 roubles.'
  expect(await pairs(chunk('a', rows), chunk('a', rows))).toEqual([])
})

describe('two passages of different sources', () => {
  it('say the same when hardly a word differs', async () => {
    const other = LONG.replace('Goods', 'All goods')
    expect(await pairs(chunk('a', LONG), chunk('b', other))).toEqual([['duplicate', LONG, other]])
  })

  it('do not when a number differs', async () => {
    const [one, other] = [`${LONG} Fee: 5.`, `${LONG} Fee: 9.`]
    expect((await pairs(chunk('a', one), chunk('b', other))).map(([kind]) => kind)).not.toContain('duplicate')
  })
})

it('many copies of one passage are a pair each, not each with each', async () => {
  const copies = Array.from({ length: 30 }, (_, at) => chunk(`d${at}`, LONG))
  expect(await pairs(...copies)).toHaveLength(29)
})

it('a pair is known again by its texts, whichever comes first', async () => {
  const [one, other] = [chunk('a', LONG), chunk('b', `${LONG}!`)]
  const [found] = await findPairs([one, other], async () => undefined)
  const [again] = await findPairs([other, one], async () => undefined)
  expect(again?.key).toBe(found?.key)
})
