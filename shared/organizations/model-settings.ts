// Models and their prices, as administrators of the installation set them.
import * as z from 'zod/mini'

/** US dollars per million tokens. */
const PRICE_MAX = 100_000
const MODEL_NAME_MAX = 200
/** Days of use that are shown with a model. */
export const MODEL_USE_DAYS = 30
/** How soon every server counts by a price that was set, milliseconds. */
export const PRICES_KNOWN_WITHIN_MS = 5_000

const model = z.string().check(z.trim(), z.maxLength(MODEL_NAME_MAX), z.regex(/^([a-z]+\/\S+|parley-extractive)$/))
/** The built-in model costs nothing, whatever is set. */
const pricedModel = z.string().check(z.trim(), z.maxLength(MODEL_NAME_MAX), z.regex(/^[a-z]+\/\S+$/))
/** A cost is counted in thousandths of a dollar per million tokens. */
const usd = z.number().check(
  z.minimum(0),
  z.maximum(PRICE_MAX),
  z.refine((value) => Math.abs(value * 1000 - Math.round(value * 1000)) < 1e-6),
)
const tokens = z.number().check(z.int(), z.minimum(1), z.maximum(100_000_000))

/** `cachedInput` null: as `input`. `maxInputTokens` null: for prompts of every length. */
export const modelPrice = z.strictObject({
  input: usd,
  output: usd,
  cachedInput: z.nullable(usd),
  maxInputTokens: z.nullable(tokens),
})
export type ModelPrice = z.output<typeof modelPrice>

/** `price` null: the list price again. `from`: milliseconds, not in the past; left out: now. */
export const setPriceInput = z.strictObject({
  model: pricedModel,
  price: z.nullable(modelPrice),
  from: z.optional(z.number()),
})
export const setOfferedInput = z.strictObject({ model, isOffered: z.boolean() })
/** `model` null: the first that can be used. */
export const setDefaultModelInput = z.strictObject({ model: z.nullable(model) })
export const modelPricesInput = z.strictObject({ model })

/** What was used of a model in the last days. `costMicroUsd`: of the calls whose price was known. */
export type ModelUse = { calls: number; tokens: number; costMicroUsd: number; unpricedCalls: number }

export type AdminModel = {
  name: string
  provider: string
  label: string
  isConfigured: boolean
  isOffered: boolean
  isDefault: boolean
  /** Null: unknown. */
  price: ModelPrice | null
  /** Since when the price was set by an administrator; null: it is the list price. */
  setFrom: number | null
  /** The next price that is set, with its moment; null: none. */
  next: { price: ModelPrice | null; from: number } | null
  /** Agents of all organizations that answer with it. */
  agents: number
  use: ModelUse
}

/** `models`: those that are listed, and every other that was used. */
export type AdminModels = { models: AdminModel[] }

/** A price of the past, of now or of later, the latest first. `author` null: unknown. */
export type SetModelPrice = { price: ModelPrice | null; from: number; author: string | null }
