// How `npm run eval:retrieval` compares words and meaning combined: the models it builds, and when it reports a regression.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createEmbeddings } from '#server/integrations/llm/embeddings.ts'
import { compareWithBetter } from '../eval/compare-with-better.ts'
import { trainLatent } from '../eval/latent.ts'
import { madeModels } from '../eval/made-models.ts'
import { methodsOf, ranksOf } from '../eval/methods.ts'
import { readSet, recordVectors, withTypo } from '../eval/sets.ts'
import { embeddingsConfig, startFakeEmbeddings } from './fakes/embeddings.ts'

const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)

describe('both compared with the better one', () => {
  const first = Array.from({ length: 40 }, () => 1)
  const nowhere = first.map(() => 0)

  it('is worse when many questions lose their rank', () => {
    const both = first.map((rank, at) => (at < 10 ? 2 : rank))
    const { difference, isWorse } = compareWithBetter('mrr', { words: first, meaning: nowhere, both })
    expect(difference).toBeCloseTo(-0.125)
    expect(isWorse).toBe(true)
  })

  it('is not reported as worse for one question of forty, which is noise', () => {
    const both = first.map((rank, at) => (at === 0 ? 2 : rank))
    expect(compareWithBetter('mrr', { words: nowhere, meaning: first, both }).isWorse).toBe(false)
  })

  it('is not worse where nothing differs', () => {
    expect(compareWithBetter('at1', { words: first, meaning: first, both: first })).toEqual({
      difference: 0,
      error: 0,
      isWorse: false,
    })
  })
})

it('a latent model treats words as alike that occur in the same passages', () => {
  const vectorOf = trainLatent(['courier parcel', 'parcel delivery', 'cake flour', 'flour sugar'], 2)
  expect(cosine(vectorOf('courier'), vectorOf('delivery'))).toBeGreaterThan(0.9)
  expect(cosine(vectorOf('courier'), vectorOf('sugar'))).toBeLessThan(0.1)
  expect([...vectorOf('nobody')]).toEqual([0, 0])
})

const read = (file: string) => readSet(file, { folder: 'eval/fixture', vectors: 'eval/fixture', file })

describe.each(['support', 'help.ru', 'help.en'])('models made from the passages of %s', (file) => {
  const set = read(file)
  const mistyped = set.queries.map((each) => ({ ...each, query: withTypo(each.query) }))

  it.each([
    ['as they are', set.queries],
    ['mistyped', mistyped],
  ])('find no less combined than by the better one; questions %s', async (_, asked) => {
    for (const model of madeModels(file, set.passages)) {
      const methods = new Map(methodsOf({ ...set, vectors: model.vectorsFor(asked) }))
      const places = (method: string) => ranksOf(asked, methods.get(method) ?? (() => []))
      const ranks = { words: await places('words'), meaning: await places('meaning'), both: await places('both') }
      for (const figure of ['at1', 'at5', 'at10', 'mrr'] as const)
        expect(compareWithBetter(figure, ranks).isWorse).toBe(false)
      if (model.name === 'knows nothing') {
        const found = (list: number[]) => list.filter((_, at) => ranks.words[at])
        expect(found(ranks.both)).toEqual(found(ranks.words))
      }
    }
  })
})

it('reads again what an endpoint gave for passages, questions and mistyped questions', async () => {
  const fake = await startFakeEmbeddings()
  try {
    const vectors = join(mkdtempSync(join(tmpdir(), 'parley-vectors-')), 'topics-small')
    const place = { folder: 'eval/fixture', vectors, file: 'help.ru' }
    await recordVectors(createEmbeddings(embeddingsConfig(fake)), place)
    const { passages, queries, vectors: recorded } = readSet('help ru', place)
    expect(recorded?.passages.size).toBe(passages.length)
    expect(recorded?.trust).toBeGreaterThan(0)
    const none = queries.find(({ query }) => query === 'плата за просрочку')?.id ?? ''
    const broken = queries.find(({ query }) => query === 'сломал ногу, нужно ли платить дальше')?.id ?? ''
    const spread = (id: string) => [...(recorded?.queries.get(id) ?? [])]
    expect(spread(none)).toEqual([127, 127, 127, 127, 127])
    expect(spread(broken)).toEqual([6, 6, 6, 127, 6])
    expect(recorded?.mistyped.size).toBe(queries.length)
    expect(fake.requests.flatMap(({ input }) => input)).toContain('плата за прсорочку')
  } finally {
    await fake.close()
  }
})
