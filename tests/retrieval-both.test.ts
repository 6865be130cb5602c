// Words and meaning together are never worse than the better of the two. The fixture is a small collection with recorded vectors, made by
// hand to be right about topics and unsure about names, numbers and what is mistyped, as embedding models are; blurred, they are those of a
// model that knows little.
import { describe, expect, it } from 'vitest'
import { figures, methodsOf } from '../scripts/eval/methods.ts'
import { type Query, readSet, type Vectors, withTypo } from '../scripts/eval/sets.ts'
import { seededRandom } from './random.ts'

const FOLDER = 'scripts/eval/fixture'
const set = readSet('support', { folder: FOLDER, vectors: FOLDER, file: 'support' })
const methods = new Map(methodsOf(set))
const measure = (method: string, queries: Query[]) => figures(queries, methods.get(method) ?? (() => []))
const mistyped = (queries: Query[]) => queries.map((each) => ({ ...each, query: withTypo(each.query) }))
const ofKind = (kind: string) => set.queries.filter((query) => query.kind === kind)
/** Of one kind there are few questions: one of them, found one place lower. */
const ONE_PLACE = 0.03

describe.each(['ru', 'en'])('questions of all kinds, %s', (language) => {
  const asked = set.queries.filter(({ id }) => id.startsWith(language))

  it.each([
    ['as they are', asked],
    ['mistyped', mistyped(asked)],
  ])('%s', async (_, queries) => {
    const [words, meaning, both] = await Promise.all(['words', 'meaning', 'both'].map((each) => measure(each, queries)))
    expect(both?.mrr).toBeGreaterThanOrEqual(Math.max(words?.mrr ?? 1, meaning?.mrr ?? 1))
    expect(both?.at5).toBeGreaterThanOrEqual(Math.max(words?.at5 ?? 1, meaning?.at5 ?? 1))
  })
})

it.each(['words', 'other words', 'names'])(
  'keeps what the better one knows of questions of one kind: %s',
  async (kind) => {
    for (const queries of [ofKind(kind), mistyped(ofKind(kind))]) {
      const [words, meaning, both] = await Promise.all(
        ['words', 'meaning', 'both'].map((each) => measure(each, queries)),
      )
      expect(both?.mrr).toBeGreaterThanOrEqual(Math.max(words?.mrr ?? 1, meaning?.mrr ?? 1) - ONE_PLACE)
      expect(both?.at5).toBeGreaterThanOrEqual(Math.max(words?.at5 ?? 1, meaning?.at5 ?? 1))
    }
  },
)

describe.each(['ru', 'en'])('a model that is seldom right, %s', (language) => {
  const asked = set.queries.filter(({ id }) => id.startsWith(language))

  it.each([
    ['questions as they are', asked],
    ['mistyped questions', mistyped(asked)],
  ])('takes nothing from what words find: %s', async (_, queries) => {
    const mrr = { words: 0, meaning: 0, both: 0 }
    for (const seed of [1, 2, 3, 4, 5]) {
      const finders = new Map(methodsOf({ ...set, vectors: blurred(set.vectors, seed) }))
      for (const method of ['words', 'meaning', 'both'] as const) {
        mrr[method] += (await figures(queries, finders.get(method) ?? (() => []))).mrr
      }
    }
    expect(mrr.meaning).toBeLessThan(mrr.words * 0.6)
    expect(mrr.both).toBeGreaterThanOrEqual(mrr.words)
  })
})

it('is measured where each part alone is weak', async () => {
  const mrr = async (method: string, kind: string) => (await measure(method, ofKind(kind))).mrr
  expect(await mrr('words', 'other words')).toBeLessThan(await mrr('meaning', 'other words'))
  expect(await mrr('meaning', 'names')).toBeLessThan(await mrr('words', 'names'))
})

const BLUR = 0.6

/** Each vector for the most part replaced by noise of its own length. */
function blurred(vectors: Vectors | null, seed: number): Vectors {
  if (!vectors) throw new Error('The vectors of the fixture are missing.')
  const random = seededRandom(seed)
  const noise = () => (random.below(1_000_001) / 1_000_000) * 2 - 1
  const blur = (all: Map<string, Float32Array>) =>
    new Map(
      Array.from(all, ([id, vector]) => {
        const spread = Math.hypot(...vector) * Math.sqrt(3 / vector.length)
        return [id, vector.map((value) => value * (1 - BLUR) + noise() * spread * BLUR)]
      }),
    )
  return { passages: blur(vectors.passages), queries: blur(vectors.queries) }
}
