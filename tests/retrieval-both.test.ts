// Words and meaning combined never rank worse than the better of the two. The fixture is a small collection with recorded vectors, made by
// hand to be right about topics and unsure about names, numbers and typos, as embedding models are; blurred, they are those of a
// model that knows little.
import { describe, expect, it } from 'vitest'
import { compareWithBetter } from '../eval/compare-with-better.ts'
import { figures, methodsOf, ranksOf } from '../eval/methods.ts'
import { type Query, readSet, trustAmong, type Vectors, withTypo } from '../eval/sets.ts'
import { seededRandom } from './random.ts'

const FOLDER = 'eval/fixture'
const set = readSet('support', { folder: FOLDER, vectors: FOLDER, file: 'support' })
const methods = new Map(methodsOf(set))
const measure = (method: string, queries: Query[]) => figures(queries, methods.get(method) ?? (() => []))
const mistyped = (queries: Query[]) => queries.map((each) => ({ ...each, query: withTypo(each.query) }))
const ofKind = (kind: string) => set.queries.filter((query) => query.kind === kind)
/** Tolerance for kinds with few questions: one of them, found one rank lower. */
const ONE_PLACE = 0.03
/** How much of each vector is noise. */
const BLURS = [0.6, 0.7, 0.8, 0.9, 1]

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
  'keeps the results of the better one for questions of one kind: %s',
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

describe('a model that knows less and less', () => {
  const all = [...set.queries, ...mistyped(set.queries)]

  it.each(BLURS)('loses nothing that words find: %s of each vector is noise', async (blur) => {
    const { difference, isWorse } = await judge(all, blur, trusted)
    expect(isWorse).toBe(false)
    expect(difference).toBeGreaterThan(-0.01)
  })

  it('adds what it knows while it knows much', async () => {
    expect((await judge(all, 0.4, trusted)).difference).toBeGreaterThan(0.05)
  })

  it('would lose much if every model were trusted alike, or ranks were summed', async () => {
    const worst = async (way: Way) =>
      Math.min(...(await Promise.all(BLURS.map(async (blur) => (await judge(all, blur, way)).difference))))
    const isWorse = async (way: Way) =>
      (await Promise.all(BLURS.map((blur) => judge(all, blur, way)))).some((each) => each.isWorse)
    expect(await isWorse(alike)).toBe(true)
    expect(await worst(alike)).toBeLessThan(-0.02)
    expect(await isWorse(byPlaces)).toBe(true)
    expect(await worst(byPlaces)).toBeLessThan(-0.1)
  }, 240_000)
})

it('is measured where each part alone is weak', async () => {
  const mrr = async (method: string, kind: string) => (await measure(method, ofKind(kind))).mrr
  expect(await mrr('words', 'other words')).toBeLessThan(await mrr('meaning', 'other words'))
  expect(await mrr('meaning', 'names')).toBeLessThan(await mrr('words', 'names'))
})

/** The places of some questions, as two lists are made one. */
type Way = (queries: Query[], vectors: Vectors) => Promise<number[]>

const trusted: Way = (queries, vectors) =>
  placesBy('both', queries, { ...vectors, trust: trustAmong(vectors.passages, wordQuestions(vectors)) })
const alike: Way = (queries, vectors) => placesBy('both', queries, { ...vectors, trust: null })
/** Reciprocal rank fusion. */
const byPlaces: Way = (queries, vectors) => {
  const finders = new Map(methodsOf({ ...set, vectors }))
  return ranksOf(queries, async (query) => {
    const scores = new Map<string, number>()
    for (const method of ['words', 'meaning']) {
      const found = await finders.get(method)?.(query)
      for (const [at, id] of (found ?? []).entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (60 + at + 1))
    }
    return [...scores].sort(([, a], [, b]) => b - a).map(([id]) => id)
  })
}

/** Both combined next to the better one, over all seeds of a blur. */
async function judge(queries: Query[], blur: number, way: Way) {
  const places = { words: [] as number[], meaning: [] as number[], both: [] as number[] }
  for (const seed of [1, 2, 3, 4, 5]) {
    const vectors = blurred(set.vectors, blur, seed)
    places.words.push(...(await placesBy('words', queries, vectors)))
    places.meaning.push(...(await placesBy('meaning', queries, vectors)))
    places.both.push(...(await way(queries, vectors)))
  }
  return compareWithBetter('mrr', places)
}

function placesBy(method: string, queries: Query[], vectors: Vectors): Promise<number[]> {
  return ranksOf(queries, new Map(methodsOf({ ...set, vectors })).get(method) ?? (() => []))
}

/** Questions that share words with their passage, by which trust is measured. */
function wordQuestions({ queries }: Vectors): { id: string; vector: Float32Array }[] {
  return ofKind('words').map(({ id, relevant }) => {
    return { id: relevant[0] ?? '', vector: queries.get(id) ?? new Float32Array() }
  })
}

/** That share of each vector replaced by noise of its own length. */
function blurred(vectors: Vectors | null, blur: number, seed: number): Vectors {
  if (!vectors) throw new Error('The vectors of the fixture are missing.')
  const random = seededRandom(seed)
  const noise = () => (random.below(1_000_001) / 1_000_000) * 2 - 1
  const blurAll = (all: Map<string, Float32Array>) =>
    new Map(
      Array.from(all, ([id, vector]) => {
        const spread = Math.hypot(...vector) * Math.sqrt(3 / vector.length)
        return [id, vector.map((value) => value * (1 - blur) + noise() * spread * blur)]
      }),
    )
  return { passages: blurAll(vectors.passages), queries: blurAll(vectors.queries), trust: null }
}
