// What `npm run eval:retrieval` says of words and meaning together: the models it makes, and when it calls them worse.
import { describe, expect, it } from 'vitest'
import { besideBetter } from '../scripts/eval/beside.ts'
import { trainLatent } from '../scripts/eval/latent.ts'
import { madeModels } from '../scripts/eval/made-models.ts'
import { methodsOf, ranksOf } from '../scripts/eval/methods.ts'
import { readSet, withTypo } from '../scripts/eval/sets.ts'

const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)

describe('both beside the better one', () => {
  const first = Array.from({ length: 40 }, () => 1)
  const nowhere = first.map(() => 0)

  it('is worse when many questions lose their place', () => {
    const both = first.map((rank, at) => (at < 10 ? 2 : rank))
    const { difference, isWorse } = besideBetter('mrr', { words: first, meaning: nowhere, both })
    expect(difference).toBeCloseTo(-0.125)
    expect(isWorse).toBe(true)
  })

  it('is not called worse for one question of forty, which chance does', () => {
    const both = first.map((rank, at) => (at === 0 ? 2 : rank))
    expect(besideBetter('mrr', { words: nowhere, meaning: first, both }).isWorse).toBe(false)
  })

  it('is not worse where nothing differs', () => {
    expect(besideBetter('at1', { words: first, meaning: first, both: first })).toEqual({
      difference: 0,
      error: 0,
      isWorse: false,
    })
  })
})

it('a latent model holds words alike that stand in the same passages', () => {
  const vectorOf = trainLatent(['courier parcel', 'parcel delivery', 'cake flour', 'flour sugar'], 2)
  expect(cosine(vectorOf('courier'), vectorOf('delivery'))).toBeGreaterThan(0.9)
  expect(cosine(vectorOf('courier'), vectorOf('sugar'))).toBeLessThan(0.1)
  expect([...vectorOf('nobody')]).toEqual([0, 0])
})

const set = readSet('support', { folder: 'scripts/eval/fixture', vectors: 'scripts/eval/fixture', file: 'support' })
const mistyped = set.queries.map((each) => ({ ...each, query: withTypo(each.query) }))

it.each([
  ['as they are', set.queries],
  ['mistyped', mistyped],
])(
  'finds no less by both than by the better one, with models made from the passages; questions %s',
  async (_, asked) => {
    for (const model of madeModels('support', set.passages)) {
      const methods = new Map(methodsOf({ ...set, vectors: model.vectorsFor(asked) }))
      const places = (method: string) => ranksOf(asked, methods.get(method) ?? (() => []))
      const ranks = { words: await places('words'), meaning: await places('meaning'), both: await places('both') }
      for (const figure of ['at1', 'at5', 'at10', 'mrr'] as const)
        expect(besideBetter(figure, ranks).isWorse).toBe(false)
    }
  },
)
