// What a call of a model costs now: the list prices of the registry, and those that administrators of the installation have set instead.
import { findModel, PRICE_VERSION, type Price } from './registry.ts'

/** A price of a model from a moment on, milliseconds. `price` null: the list price again. `version` is stored with every cost. */
export type SetPrice = { model: string; price: Price | null; from: number; version: string }
/** `price` null: unknown. */
export type PriceNow = { price: Price | null; version: string }

/** Replaced as a whole when the prices in the database have changed. */
export class Prices {
  #set = new Map<string, SetPrice[]>()

  replace(prices: readonly SetPrice[]): void {
    const latestFirst = prices.toSorted((a, b) => b.from - a.from)
    this.#set = Map.groupBy(latestFirst, ({ model }) => model)
  }

  /** What a model costs at a moment. A cost that was counted keeps its price. */
  of(model: string, now: number): PriceNow {
    const set = this.#set.get(model)?.find(({ from }) => from <= now)
    if (set?.price) return { price: set.price, version: set.version }
    return { price: findModel(model)?.price ?? null, version: PRICE_VERSION }
  }
}
