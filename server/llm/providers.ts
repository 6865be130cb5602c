// The providers' clients, made once, and which of them serves a model name. Keys go only to the configured host of their provider.
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Config } from '#server/config.ts'
import { AppError } from '#shared/errors.ts'
import { findModel, hasTemperature, isReasoningModel, type Price, type ProviderName } from './registry.ts'

/** A model name with everything that a call needs. */
export type ResolvedModel = {
  /** Whose endpoint answers; failures and retries are counted by it. */
  provider: ProviderName
  /** As the agent's settings name it. */
  name: string
  client: LanguageModelV4
  price: Price | null
  hasTemperature: boolean
  /** Longest answer, tokens; reasoning included. */
  maxOutputTokens: number
}

export interface Providers {
  isConfigured(provider: ProviderName): boolean
  /** @throws AppError model_unknown | model_not_configured */
  resolve(name: string): ResolvedModel
}

type Connect = (modelId: string) => LanguageModelV4

/** An answer in a chat is short; the limit bounds what a runaway model can cost. */
const MAX_OUTPUT_TOKENS = 2048
const MAX_OUTPUT_TOKENS_REASONING = 8192

/** Makes the clients of all configured providers. Nothing is called. */
export function createProviders(config: Pick<Config, 'openai' | 'anthropic' | 'google'>): Providers {
  const connections = connect(config)
  const cache = new Map<string, ResolvedModel>()
  return {
    isConfigured: (provider) => connections[provider] !== null,
    resolve(name) {
      const known = cache.get(name)
      if (known) return known
      const target = place(name, connections, config.openai.baseUrl !== undefined)
      const resolved: ResolvedModel = {
        provider: target.provider,
        name,
        client: target.connect(target.modelId),
        price: findModel(name)?.price ?? null,
        hasTemperature: hasTemperature(name),
        maxOutputTokens: isReasoningModel(name) ? MAX_OUTPUT_TOKENS_REASONING : MAX_OUTPUT_TOKENS,
      }
      cache.set(name, resolved)
      return resolved
    },
  }
}

function connect(config: Pick<Config, 'openai' | 'anthropic' | 'google'>): Record<ProviderName, Connect | null> {
  const { openai, anthropic, google } = config
  return {
    openai: openai.baseUrl
      ? compatible(openai.baseUrl, openai.apiKey)
      : openai.apiKey
        ? createOpenAI({ apiKey: openai.apiKey, fetch: fetchWithoutRedirects }).chat
        : null,
    anthropic: anthropic.apiKey
      ? createAnthropic({ apiKey: anthropic.apiKey, ...baseUrl(anthropic.baseUrl), fetch: fetchWithoutRedirects })
      : null,
    google: google.apiKey
      ? createGoogle({ apiKey: google.apiKey, ...baseUrl(google.baseUrl), fetch: fetchWithoutRedirects })
      : null,
  }
}

function compatible(baseURL: string, apiKey: string | undefined): Connect {
  const provider = createOpenAICompatible({
    name: 'openai',
    baseURL,
    ...(apiKey && { apiKey }),
    includeUsage: true,
    fetch: fetchWithoutRedirects,
  })
  return (modelId) => provider.chatModel(modelId)
}

function baseUrl(url: string | undefined): { baseURL?: string } {
  return url ? { baseURL: url } : {}
}

/** A redirect would carry the key to another host. */
function fetchWithoutRedirects(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  return fetch(input, { ...init, redirect: 'error' })
}

/**
 * Who serves a name. `openai/x` is x at OpenAI or at OPENAI_BASE_URL. A name of another maker goes to that provider when it is
 * configured, else whole to OPENAI_BASE_URL, where gateways expect names such as `mistralai/mistral-small`.
 */
function place(
  name: string,
  connections: Record<ProviderName, Connect | null>,
  hasOpenAiBaseUrl: boolean,
): { provider: ProviderName; connect: Connect; modelId: string } {
  const slash = name.indexOf('/')
  const maker = name.slice(0, slash)
  const modelId = name.slice(slash + 1)
  if (slash < 1 || modelId === '') throw new AppError('model_unknown', { model: name })
  if (isProvider(maker)) {
    const own = connections[maker]
    if (own) return { provider: maker, connect: own, modelId }
  }
  const gateway = hasOpenAiBaseUrl ? connections.openai : null
  if (gateway) return { provider: 'openai', connect: gateway, modelId: name }
  throw new AppError(isProvider(maker) ? 'model_not_configured' : 'model_unknown', { model: name })
}

function isProvider(maker: string): maker is ProviderName {
  return maker === 'openai' || maker === 'anthropic' || maker === 'google'
}
