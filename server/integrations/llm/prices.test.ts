// Prices of a model over time.
import { expect, it } from 'vitest'
import { Prices } from './prices.ts'
import { PRICE_VERSION } from './registry.ts'

const LIST = { input: 0.25, output: 2, cachedInput: 0.025 }

it('are those of the list until others are set, from their moment on, until the list holds again', () => {
  const prices = new Prices()
  const own = { input: 1, output: 4 }
  const model = 'openai/gpt-5-mini'
  prices.replace([
    { model, price: null, from: 300, version: 'c' },
    { model, price: own, from: 100, version: 'a' },
    { model, price: { input: 2, output: 8 }, from: 200, version: 'b' },
  ])
  expect([50, 100, 199].map((at) => prices.of(model, at))).toEqual([
    { price: LIST, version: PRICE_VERSION },
    { price: own, version: 'a' },
    { price: own, version: 'a' },
  ])
  expect(prices.of(model, 250)).toEqual({ price: { input: 2, output: 8 }, version: 'b' })
  expect(prices.of(model, 300)).toEqual({ price: LIST, version: PRICE_VERSION })
})

it('are unknown for a model without any', () => {
  const prices = new Prices()
  prices.replace([{ model: 'openai/own', price: { input: 1, output: 1 }, from: 100, version: 'a' }])
  expect(prices.of('openai/own', 99).price).toBeNull()
  expect(prices.of('openai/own', 100).price).toEqual({ input: 1, output: 1 })
  expect(prices.of('openai/other', 100).price).toBeNull()
})
