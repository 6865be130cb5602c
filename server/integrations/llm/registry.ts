// The one table of models: which exist, what they can, what they cost. No model name is written anywhere else.
import type { ModelProvider } from '#shared/agents/agent-keys.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'

export type ProviderName = ModelProvider

/** US dollars per million tokens, which is millionths of a dollar per token. */
export type Price = {
  input: number
  output: number
  /** Tokens read from the provider's cache. Missing: counted as `input`, so that a cost is never too low. */
  cachedInput?: number
  /** Longer prompts are charged otherwise: their cost is unknown. */
  maxInputTokens?: number
}

export type ModelEntry = {
  provider: ProviderName
  /** As the provider calls it. */
  id: string
  label: string
  /** Null: not known for certain. */
  price: Price | null
}

/** Changes whenever a price does; stored with every cost. */
export const PRICE_VERSION = '2026-11-01'

/** Listed in this order; the first of a provider is its default. List prices of the providers' own endpoints. */
export const MODELS: readonly ModelEntry[] = [
  openai('gpt-5-mini', 'GPT-5 mini', { input: 0.25, output: 2, cachedInput: 0.025 }),
  openai('gpt-5', 'GPT-5', { input: 1.25, output: 10, cachedInput: 0.125 }),
  openai('gpt-5-nano', 'GPT-5 nano', { input: 0.05, output: 0.4, cachedInput: 0.005 }),
  openai('gpt-5.1', 'GPT-5.1', { input: 1.25, output: 10, cachedInput: 0.125 }),
  openai('gpt-4.1', 'GPT-4.1', { input: 2, output: 8, cachedInput: 0.5 }),
  openai('gpt-4.1-mini', 'GPT-4.1 mini', { input: 0.4, output: 1.6, cachedInput: 0.1 }),
  openai('gpt-4.1-nano', 'GPT-4.1 nano', { input: 0.1, output: 0.4, cachedInput: 0.025 }),
  openai('gpt-4o', 'GPT-4o', { input: 2.5, output: 10, cachedInput: 1.25 }),
  openai('gpt-4o-mini', 'GPT-4o mini', { input: 0.15, output: 0.6, cachedInput: 0.075 }),
  openai('gpt-5.4', 'GPT-5.4', null),
  openai('gpt-5.4-mini', 'GPT-5.4 mini', null),
  anthropic('claude-haiku-4-5', 'Claude Haiku 4.5', { input: 1, output: 5 }),
  anthropic('claude-sonnet-4-5', 'Claude Sonnet 4.5', { input: 3, output: 15, maxInputTokens: 200_000 }),
  anthropic('claude-opus-4-5', 'Claude Opus 4.5', { input: 5, output: 25 }),
  anthropic('claude-sonnet-5', 'Claude Sonnet 5', null),
  anthropic('claude-opus-5', 'Claude Opus 5', null),
  google('gemini-2.5-flash', 'Gemini 2.5 Flash', { input: 0.3, output: 2.5 }),
  google('gemini-2.5-pro', 'Gemini 2.5 Pro', { input: 1.25, output: 10, maxInputTokens: 200_000 }),
  google('gemini-2.5-flash-lite', 'Gemini 2.5 Flash-Lite', { input: 0.1, output: 0.4 }),
]

/** The built-in model costs nothing, and that is known. */
export const EXTRACTIVE_LABEL = 'Parley Extractive'

/** The entry of `provider/model`, undefined when the name is not in the table. */
export function findModel(name: string): ModelEntry | undefined {
  return BY_NAME.get(name)
}

/** The entry of a provider whose output costs least. */
export function cheapestOf(provider: ProviderName): ModelEntry {
  const [first, ...others] = MODELS.filter((entry) => entry.provider === provider)
  if (!first) throw new Error(`no model of ${provider} is listed`)
  const costOf = ({ price }: ModelEntry) => price?.output ?? Number.POSITIVE_INFINITY
  return others.reduce((best, entry) => (costOf(entry) < costOf(best) ? entry : best), first)
}

/** The full name of an entry. */
export function nameOf(entry: ModelEntry): string {
  return `${entry.provider}/${entry.id}`
}

/** Whether a temperature may be sent. Reasoning models and the newest Claude models refuse it; the built-in one has none. */
export function hasTemperature(name: string): boolean {
  if (name === EXTRACTIVE_MODEL) return false
  return !isReasoningModel(name) && !/(^|\/)claude-((opus|sonnet|haiku|fable)-[5-9]|opus-4-[78])/.test(name)
}

/** OpenAI's o and GPT-5 families and later think before they answer, which is counted as output. */
export function isReasoningModel(name: string): boolean {
  return /(^|\/)(o\d|gpt-([5-9]|\d\d))/.test(name) && !name.includes('-chat')
}

export type TokenCounts = { input: number; output: number; cachedInput: number }

/** The cost in whole millionths of a dollar; null when the price, for so many tokens, is not known. */
export function costMicroUsd(price: Price | null, tokens: TokenCounts): number | null {
  if (!price || tokens.input > (price.maxInputTokens ?? Number.POSITIVE_INFINITY)) return null
  const cached = Math.min(tokens.cachedInput, tokens.input)
  const thousandths =
    (tokens.input - cached) * milli(price.input) +
    cached * milli(price.cachedInput ?? price.input) +
    tokens.output * milli(price.output)
  return Math.round(thousandths / 1000)
}

/** Prices have at most three decimals: whole thousandths keep the sum exact. */
function milli(usdPerMillion: number): number {
  return Math.round(usdPerMillion * 1000)
}

function openai(id: string, label: string, price: Price | null): ModelEntry {
  return { provider: 'openai', id, label, price }
}
function anthropic(id: string, label: string, price: Price | null): ModelEntry {
  return { provider: 'anthropic', id, label, price }
}
function google(id: string, label: string, price: Price | null): ModelEntry {
  return { provider: 'google', id, label, price }
}

const BY_NAME: ReadonlyMap<string, ModelEntry> = new Map(MODELS.map((entry) => [nameOf(entry), entry]))
