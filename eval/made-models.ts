// The models of meaning that need no provider, for the measurement of a set. Latent ones are made from the passages and err where words err.
// Simulated ones know the right passage of each question, more or less blurred: they say nothing of any real model, but only they have
// what words lack. One knows nothing.
import { trustQuestions } from '#server/domain/knowledge/search/vectors/trust.ts'
import { seededRandom } from '#tests/random.ts'
import { trainLatent } from './latent.ts'
import { type Passage, type Query, titleOf, trustAmong, type Vectors } from './sets.ts'

/** Vectors for the questions as they are asked. */
export type MadeModel = { name: string; vectorsFor(asked: Query[]): Vectors }
/** `of`: the passage that is meant. */
type Asked = { id: string; text: string; of: string }
type Space = { passages: Map<string, Float32Array>; vectorOf(asked: Asked): Float32Array }

/** How many directions they tell apart: one that is seldom right and one that knows its passages. */
const LATENT = { weak: 40, better: 150 }
/** Noise for one part of the right passage, on average. */
const SIMULATED = { middling: 3, strong: 1.6 }
const SIMULATED_DIMENSIONS = 100

const made = new Map<string, MadeModel[]>()

/** Made once for a file of passages. */
export function madeModels(file: string, passages: Passage[]): MadeModel[] {
  const known = made.get(file) ?? makeModels(passages)
  made.set(file, known)
  return known
}

function makeModels(passages: Passage[]): MadeModel[] {
  const texts = passages.map((passage) => [titleOf(passage), passage.text].filter(Boolean).join('\n'))
  const latent = trainLatent(texts, LATENT.better)
  const full = new Map(passages.map(({ id }, at) => [id, latent(texts[at] ?? '')]))
  const cut = (dimensions: number) => new Map(Array.from(full, ([id, vector]) => [id, vector.slice(0, dimensions)]))
  return [
    modelOf('knows nothing', passages, {
      passages: new Map(passages.map(({ id }) => [id, noise(id, SIMULATED_DIMENSIONS)])),
      vectorOf: ({ id }) => noise(`question ${id}`, SIMULATED_DIMENSIONS),
    }),
    ...Object.entries(LATENT).map(([name, dimensions]) =>
      modelOf(`latent, ${name}`, passages, {
        passages: cut(dimensions),
        vectorOf: ({ text }) => latent(text).slice(0, dimensions),
      }),
    ),
    ...Object.entries(SIMULATED).map(([name, blur]) =>
      modelOf(`simulated, ${name}`, passages, blurred(cut(SIMULATED_DIMENSIONS), blur)),
    ),
  ]
}

function modelOf(name: string, passages: Passage[], space: Space): MadeModel {
  const questions = trustQuestions(passages.map(({ text }) => text)).map(({ at, text }) => {
    const of = passages[at]?.id ?? ''
    return { id: of, vector: space.vectorOf({ id: `words of ${of}`, text, of }) }
  })
  const trust = trustAmong(space.passages, questions)
  return {
    name,
    vectorsFor: (asked) => ({
      passages: space.passages,
      queries: new Map(
        asked.map(({ id, query, relevant }) => [id, space.vectorOf({ id, text: query, of: relevant[0] ?? '' })]),
      ),
      trust,
    }),
  }
}

/** Some questions more than others, the same whether mistyped or not. */
function blurred(passages: Map<string, Float32Array>, blur: number): Space {
  return {
    passages,
    vectorOf({ id, of }) {
      const passage = passages.get(of) ?? new Float32Array(SIMULATED_DIMENSIONS)
      const length = Math.hypot(...passage)
      const part = blur * (0.3 + (1.4 * seededRandom(numberOf(`hard ${id}`)).below(1_000)) / 1_000)
      const blurs = noise(`question ${id}`, passage.length)
      return passage.map((value, at) => value + length * part * (blurs[at] ?? 0))
    },
  }
}

/** Of length 1, the same for the same name. */
function noise(name: string, dimensions: number): Float32Array {
  const random = seededRandom(numberOf(name))
  const parts = Float32Array.from({ length: dimensions }, () => random.below(2_000_001) / 1_000_000 - 1)
  const length = Math.hypot(...parts)
  return parts.map((part) => part / length)
}

/** @source FNV-1a */
function numberOf(name: string): number {
  return [...name].reduce((sum, letter) => Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 16_777_619), 2_166_136_261)
}
