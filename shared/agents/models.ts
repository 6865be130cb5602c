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
  /** Administrators of the installation do not offer it any more; agents that have it keep it. */
  isWithdrawn?: true
  /** When false the temperature is fixed at 1.00. */
  hasTemperature: boolean
  inputUsdPerMillion: number | null
  outputUsdPerMillion: number | null
}

/** How a model call failed: `params.reason` of the error `model_failed`. */
export const MODEL_FAILURE_REASONS = [
  /** No answer, or not all of it, in the time allowed. */
  'timeout',
  /** Too many calls; `params.retryAfterMs` when the provider says how long to wait. */
  'rate_limited',
  /** The account of the key is out of money or quota. */
  'quota',
  /** Not reachable, or failing on its side. */
  'unavailable',
  'invalid_key',
  /** The provider does not accept the request, for example because it has no such model. */
  'refused',
  /** The conversation is longer than the model can read. */
  'too_long',
  /** Withheld by the provider's content filter, or refused by the model. */
  'filtered',
  /** Something that is not an answer of a chat model, or only the beginning of one. */
  'bad_answer',
  /** Cut by its greatest length before a whole sentence. */
  'cut',
  'empty',
  /** Kept calling tools, even when it was to answer without them. */
  'tool_loop',
] as const
export type ModelFailureReason = (typeof MODEL_FAILURE_REASONS)[number]
