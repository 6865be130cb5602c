// How a number compares with the one before.
import { expect, it } from 'vitest'
import { changeOf, shareOf } from './changes.rules.ts'

it('is a share of the number before', () => {
  expect(changeOf(15, 10)).toEqual({ direction: 'up', share: 0.5 })
  expect(changeOf(5, 10)).toEqual({ direction: 'down', share: 0.5 })
  expect(changeOf(10, 10)).toEqual({ direction: 'same', share: 0 })
})

it('is no share of nothing, and unknown where either is', () => {
  expect(changeOf(3, 0)).toEqual({ direction: 'up', share: null })
  expect([changeOf(null, 1), changeOf(1, null)]).toEqual([null, null])
  expect([shareOf(1, 4), shareOf(0, 0)]).toEqual([0.25, null])
})
