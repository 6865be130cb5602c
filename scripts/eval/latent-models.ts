// The models of meaning that need no provider, for the measurement of a set.
import { trainLatent } from './latent.ts'
import { type Passage, type Query, titleOf, type Vectors } from './sets.ts'

/** How many directions they tell apart: one that is seldom right and one that knows its passages. */
const DIMENSIONS = { weak: 40, better: 150 }

type LatentModels = { name: string; vectorsFor(asked: Query[]): Vectors }[]

const made = new Map<string, LatentModels>()

/** Each gives the vectors of the passages, and of the questions as they are asked, mistyped or not. Made once for a file of passages. */
export function latentModels(file: string, passages: Passage[]): LatentModels {
  const known = made.get(file) ?? train(passages)
  made.set(file, known)
  return known
}

function train(passages: Passage[]): LatentModels {
  const texts = passages.map((passage) => [titleOf(passage), passage.text].filter(Boolean).join('\n'))
  const vectorOf = trainLatent(texts, DIMENSIONS.better)
  const vectors = passages.map(({ id }, at): [string, Float32Array] => [id, vectorOf(texts[at] ?? '')])
  return Object.entries(DIMENSIONS).map(([name, dimensions]) => {
    const shortened = (all: [string, Float32Array][]) =>
      new Map(all.map(([id, vector]) => [id, vector.slice(0, dimensions)]))
    return {
      name: `latent, ${name}`,
      vectorsFor: (asked) => ({
        passages: shortened(vectors),
        queries: shortened(asked.map(({ id, query }) => [id, vectorOf(query)])),
      }),
    }
  })
}
