// Models: names and what a client may know of them. Prices and providers live in server/llm.

/** Answers without any key: it quotes the best sentences of the agent's knowledge. Not a language model, and named as such. */
export const EXTRACTIVE_MODEL = 'parley-extractive'

/** A model as the settings screen lists it. Prices in USD per million tokens; null when unknown. */
export type ModelInfo = {
  /** `provider/model`, or `parley-extractive`. */
  name: string
  provider: string
  label: string
  /** Whether a key or base URL for its provider is configured here. */
  isConfigured: boolean
  /** When false the temperature is fixed at 1.00. */
  hasTemperature: boolean
  inputUsdPerMillion: number | null
  outputUsdPerMillion: number | null
}
