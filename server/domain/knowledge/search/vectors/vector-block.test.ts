// Nearest vectors: exact in a small block, prefiltered by signs in a large one.
import { describe, expect, it } from 'vitest'
import { seededRandom } from '#tests/random.ts'
import { quantise } from './quantised.ts'
import { VectorBlock } from './vector-block.ts'

const DIMENSIONS = 64
const seeded = seededRandom(7)
const random = () => seeded.below(1_000_000) / 1_000_000
const direction = () => Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5)
const closeTo = (vector: Float32Array) => vector.map((value) => value + (random() - 0.5) * 0.3)

function blockOf(vectors: Float32Array[]): VectorBlock {
  const block = new VectorBlock(DIMENSIONS, vectors.length)
  for (const vector of vectors) block.add(quantise(vector))
  return block
}

describe('a block of vectors', () => {
  it('names the nearest first, with the cosine of the angle', () => {
    const asked = direction()
    const block = blockOf([direction(), asked.map((value) => -value), asked.map((value) => value * 3)])
    const nearest = block.nearest(asked, 3)
    expect(nearest.map(({ at }) => at)).toEqual([2, 0, 1])
    expect(nearest[0]?.similarity).toBeCloseTo(1, 2)
    expect(nearest[2]?.similarity).toBeCloseTo(-1, 2)
  })

  it('finds in a large block what a comparison with every vector finds', () => {
    const asked = direction()
    const far = Array.from({ length: 6_000 }, direction)
    const near = Array.from({ length: 10 }, () => closeTo(asked))
    const found = blockOf([...far, ...near]).nearest(asked, 10)
    expect(found.map(({ at }) => at).sort()).toEqual(near.map((_, at) => 6_000 + at))
  })

  it('leaves out what is hidden, in a large block as well', () => {
    const asked = direction()
    const near = Array.from({ length: 500 }, () => closeTo(asked))
    const block = blockOf([...near, ...Array.from({ length: 5_000 }, direction), closeTo(asked)])
    const isHidden = Uint8Array.from({ length: 5_501 }, (_, at) => (at < near.length ? 1 : 0))
    expect(block.nearest(asked, 1, isHidden)[0]?.at).toBe(5_500)
    expect(block.nearest(asked, 1, isHidden.fill(1, 0, 5_500)).map(({ at }) => at)).toEqual([5_500])
  })

  it('finds nothing for a question of other dimensions, nor in an empty block', () => {
    expect(blockOf([direction()]).nearest(new Float32Array(DIMENSIONS + 1), 5)).toEqual([])
    expect(new VectorBlock(0, 0).nearest(direction(), 5)).toEqual([])
  })
})
