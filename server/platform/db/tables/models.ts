// What administrators of the installation have set about models.
import type { Id } from '#shared/ids.ts'
import type { GivenTimestamp } from './columns.ts'

/** Prices of a model over time: the one with the latest `from_at` that has come holds. */
export interface ModelPricesTable {
  id: Id<'modelPrices'>
  /** `provider/model` */
  model: string
  from_at: GivenTimestamp
  /** US dollars per million tokens, at most three decimals. Null: the list price holds again. */
  input_usd: number | null
  output_usd: number | null
  cached_input_usd: number | null
  /** Longer prompts are charged otherwise: their cost is unknown. */
  max_input_tokens: number | null
  author_id: Id<'users'> | null
  created_at: GivenTimestamp
}

/** Models that differ from the others: one that is not offered, and the one that new agents get. */
export interface ModelRulesTable {
  model: string
  is_offered: boolean
  is_default: boolean
}
