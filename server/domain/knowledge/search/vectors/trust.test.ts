// What shows that an embedding model knows nothing of a space.
import { describe, expect, it } from 'vitest'
import { seededRandom } from '#tests/random.ts'
import { quantise } from './quantised.ts'
import { trustOf, trustQuestions } from './trust.ts'

const DIMENSIONS = 64
const random = seededRandom(1)
const anyVector = () => Float32Array.from({ length: DIMENSIONS }, () => random.below(2_001) / 1_000 - 1)
const bodies = Array.from({ length: 100 }, (_, at) => `Passage ${at} tells of thing${at} and of matter${at} alone`)
const questions = trustQuestions(bodies)
const vectors = bodies.map(anyVector)
const quantised = vectors.map(quantise)
/** Each question lies with its passage, `noise` to one away from it. */
const asked = (noise: number) =>
  questions.map(({ at }) => {
    const away = anyVector()
    return { at, vector: (vectors[at] ?? away).map((value, place) => value + noise * (away[place] ?? 0)) }
  })

describe('questions', () => {
  it('are words that follow each other in one passage alone, the same each time', () => {
    expect(questions.length).toBeGreaterThan(40)
    for (const { at, text } of questions) {
      expect(text.split(' ')).toHaveLength(4)
      expect(bodies.filter((body) => body.includes(text))).toEqual([bodies[at]])
    }
    expect(trustQuestions(bodies)).toEqual(questions)
  })

  it('are not asked where passages are few, alike or empty', () => {
    expect(trustQuestions(bodies.slice(0, 19))).toEqual([])
    expect(trustQuestions(bodies.map(() => 'the same words in all of them'))).toEqual([])
    expect(trustQuestions(bodies.map(() => ''))).toEqual([])
  })
})

describe('trust', () => {
  it('is full where each question leads to its passage, less the more it is blurred, and none where nothing is known', () => {
    const trusts = [0, 1.5, 3, 1_000].map((noise) => trustOf(quantised, asked(noise)) ?? Number.NaN)
    expect(trusts[0]).toBe(1)
    expect(trusts[1]).toBeGreaterThan(trusts[2] ?? 1)
    expect(trusts[2]).toBeGreaterThan(trusts[3] ?? 1)
    expect(trusts[3]).toBeLessThan(0.05)
  })

  it('is not known where the model takes none of the questions, or too few', () => {
    expect(trustOf(quantised, [])).toBeNull()
    expect(trustOf([], [])).toBeNull()
    const refused = asked(0).map(({ at, vector }, number) => ({ at, vector: number < 10 ? vector : null }))
    expect(trustOf(quantised, refused)).toBeNull()
  })

  it('is measured without the passages that have no vector', () => {
    const gaps = quantised.map((vector, at) => (at % 2 === 0 ? vector : new Int8Array()))
    const trust = trustOf(
      gaps,
      asked(0).filter(({ at }) => at % 2 === 0),
    )
    expect(trust).toBe(1)
  })
})
