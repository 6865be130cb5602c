// The providers' clients, and which of them serves a model name. Keys go only to the configured host of their provider.
import { createHash } from 'node:crypto'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Config } from '#server/config.ts'
import { isModelProvider } from '#shared/agents/agent-keys.ts'
import { AppError } from '#shared/errors.ts'
import { adaptiveFetch, createParameterMemory } from './endpoint/adaptive-fetch.ts'
import { asAnswerEvents } from './endpoint/answer-events.ts'
import type { GenerateRequest } from './llm.ts'
import { modelFetch } from './model-fetch.ts'
import { type PriceNow, Prices } from './prices.ts'
import { hasTemperature, isReasoningModel, type ProviderName } from './registry.ts'

/** A model name with everything that a call needs. */
export type ResolvedModel = {
  /** Whose endpoint answers. */
  provider: ProviderName
  /** Who calls there, the installation or the owner of a key: second tries are rationed by it. */
  account: string
  /** The key that goes before the installation's; null: it is not used. Never to be logged. */
  ownKey: string | null
  /** As the agent's settings name it. */
  name: string
  client: LanguageModelV4
  /** What it costs at this moment. */
  priceNow(): PriceNow
  hasTemperature: boolean
  /** Longest answer, tokens; reasoning included. */
  maxOutputTokens: number
}

export interface Providers {
  isConfigured(provider: ProviderName): boolean
  /** @throws AppError model_unknown | model_not_configured, and what `keyOf` throws */
  resolve(name: string, keyOf?: KeyOf): ResolvedModel
}

type ProvidersConfig = Pick<Config, 'openai' | 'anthropic' | 'google'>
type KeyOf = NonNullable<GenerateRequest['keyOf']>
/** A client of one model, through one key or, where an endpoint asks for none, without. */
type Connect = (modelId: string) => LanguageModelV4
type Connector = (apiKey: string | undefined) => Connect
type Target = { provider: ProviderName; modelId: string; connect: Connect; ownKey: string | null }

/** An answer in a chat is short; the limit bounds what a runaway model can cost. */
const MAX_OUTPUT_TOKENS = 2048
const MAX_OUTPUT_TOKENS_REASONING = 8192

const noKeys: KeyOf = () => undefined

/** Makes the clients of all configured providers. Nothing is called. */
export function createProviders(config: ProvidersConfig, prices = new Prices()): Providers {
  const connectors = createConnectors(config)
  const installed = connectInstalled(config, connectors)
  const cache = new Map<string, ResolvedModel>()
  const describe = ({ provider, connect, modelId, ownKey }: Target, name: string): ResolvedModel => ({
    provider,
    account: ownKey === null ? provider : `${provider} ${digest(ownKey)}`,
    ownKey,
    name,
    client: connect(modelId),
    priceNow: () => prices.of(name, Date.now()),
    hasTemperature: hasTemperature(name),
    maxOutputTokens: isReasoningModel(name) ? MAX_OUTPUT_TOKENS_REASONING : MAX_OUTPUT_TOKENS,
  })
  return {
    isConfigured: (provider) => installed[provider] !== null,
    resolve(name, keyOf = noKeys) {
      const target = place(name, { connectors, installed, hasGateway: config.openai.baseUrl !== undefined }, keyOf)
      if (target.ownKey !== null) return describe(target, name)
      const known = cache.get(name) ?? describe(target, name)
      cache.set(name, known)
      return known
    },
  }
}

function createConnectors({ openai, anthropic, google }: ProvidersConfig): Record<ProviderName, Connector> {
  const asked = adaptiveFetch(modelFetch, createParameterMemory())
  const answered: typeof fetch = async (input, init) => asAnswerEvents(await asked(input, init))
  return {
    openai: (apiKey) =>
      openai.baseUrl
        ? compatible(openai.baseUrl, apiKey, answered)
        : createOpenAI({ ...key(apiKey), fetch: answered }).chat,
    anthropic: (apiKey) => createAnthropic({ ...key(apiKey), ...baseUrl(anthropic.baseUrl), fetch: asked }),
    google: (apiKey) => createGoogle({ ...key(apiKey), ...baseUrl(google.baseUrl), fetch: modelFetch }),
  }
}

/** Null: the installation has no key, and the endpoint wants one. */
function connectInstalled(
  config: ProvidersConfig,
  connectors: Record<ProviderName, Connector>,
): Record<ProviderName, Connect | null> {
  const { openai, anthropic, google } = config
  return {
    openai: openai.apiKey || openai.baseUrl ? connectors.openai(openai.apiKey) : null,
    anthropic: anthropic.apiKey ? connectors.anthropic(anthropic.apiKey) : null,
    google: google.apiKey ? connectors.google(google.apiKey) : null,
  }
}

function compatible(baseURL: string, apiKey: string | undefined, answered: typeof fetch): Connect {
  const provider = createOpenAICompatible({
    name: 'openai',
    baseURL,
    ...key(apiKey),
    includeUsage: true,
    transformRequestBody: withNewLimit,
    fetch: answered,
  })
  return (modelId) => provider.chatModel(modelId)
}

/** Reasoning models know their limit by its newer name alone. */
function withNewLimit(body: Record<string, unknown>): Record<string, unknown> {
  const { max_tokens: limit, ...rest } = body
  if (limit === undefined || !isReasoningModel(String(body.model))) return body
  return { ...rest, max_completion_tokens: limit }
}

function key(apiKey: string | undefined): { apiKey?: string } {
  return apiKey ? { apiKey } : {}
}

function baseUrl(url: string | undefined): { baseURL?: string } {
  return url ? { baseURL: url } : {}
}

type Connections = {
  connectors: Record<ProviderName, Connector>
  installed: Record<ProviderName, Connect | null>
  hasGateway: boolean
}

/**
 * Who serves a name. `openai/x` is x at OpenAI or at OPENAI_BASE_URL. A name of another maker goes to that provider when there is
 * a key of it, else whole to OPENAI_BASE_URL, where gateways expect names such as `mistralai/mistral-small`.
 */
function place(name: string, { connectors, installed, hasGateway }: Connections, keyOf: KeyOf): Target {
  const slash = name.indexOf('/')
  const maker = name.slice(0, slash)
  if (slash < 1 || slash === name.length - 1) throw new AppError('model_unknown', { model: name })
  const at = (provider: ProviderName, modelId: string): Target | null => {
    const ownKey = keyOf(provider) ?? null
    const connect = ownKey === null ? installed[provider] : connectors[provider](ownKey)
    return connect && { provider, modelId, connect, ownKey }
  }
  const target = (isModelProvider(maker) && at(maker, name.slice(slash + 1))) || (hasGateway && at('openai', name))
  if (target) return target
  throw new AppError(isModelProvider(maker) ? 'model_not_configured' : 'model_unknown', { model: name })
}

/** Tells keys apart where the key itself must not stand. */
function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('hex').slice(0, 16)
}
