// Assembles the models: the built-in one, which always answers, and those of the configured providers.
import type { Config } from '#server/config.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import { EXTRACTIVE_MODEL, type ModelInfo } from '#shared/agents/models.ts'
import { appErrorData } from '#shared/errors.ts'
import { createStreamTrust } from './answer-view.ts'
import { MODEL_LIMITS, type ModelLimits } from './deadline.ts'
import { generateExtractive } from './extractive/extractive.ts'
import { generateWithModel } from './generate.ts'
import type { Llm } from './llm.ts'
import type { Prices } from './prices.ts'
import { createProviders, type Providers } from './providers.ts'
import { cheapestOf, EXTRACTIVE_LABEL, hasTemperature, MODELS, type ModelEntry, nameOf } from './registry.ts'
import { createRetryBudget } from './retries.ts'
import { createServedModels, isOpenAi, type ServedModels } from './served-models.ts'

/** `prices`: those set in this installation; left out: list prices alone. */
type LlmConfig = Pick<Config, 'openai' | 'anthropic' | 'google'> & { prices?: Prices }

/** The models of this installation. Nothing is called until `generate`. */
export function createLlm(config: LlmConfig, log: Logger, limits: ModelLimits = MODEL_LIMITS): Llm {
  const providers = createProviders(config, config.prices)
  const served = createServedModels(config.openai, log)
  const listed = () => listModels(config, providers, served)
  const tools = { limits, retries: createRetryBudget(), trust: createStreamTrust(), log }
  return {
    models: () => [...listed(), EXTRACTIVE_INFO],
    defaultModel: () => listed().find(({ isConfigured }) => isConfigured)?.name ?? EXTRACTIVE_MODEL,
    cheapestModel: (provider) => nameOf(cheapestOf(provider)),
    answerMs: limits.totalMs,
    assertKnown(model) {
      if (model === EXTRACTIVE_MODEL) return
      try {
        providers.resolve(model)
      } catch (error) {
        if (appErrorData(error)?.code !== 'model_not_configured') throw error
      }
    },
    async generate(request) {
      return request.model === EXTRACTIVE_MODEL
        ? generateExtractive(request)
        : generateWithModel(providers.resolve(request.model, request.keyOf), request, tools)
    },
  }
}

const EXTRACTIVE_INFO: ModelInfo = {
  name: EXTRACTIVE_MODEL,
  provider: 'parley',
  label: EXTRACTIVE_LABEL,
  isConfigured: true,
  hasTemperature: false,
  inputUsdPerMillion: 0,
  outputUsdPerMillion: 0,
}

/**
 * The known models and those that the operator's own server serves. Such a server without a key serves only the models that it lists. With
 * a key it is a gateway, which may accept more names than it lists.
 */
function listModels({ openai }: Pick<Config, 'openai'>, providers: Providers, served: ServedModels): ModelInfo[] {
  const ids = served.ids()?.map((id) => `openai/${id}`) ?? []
  const isOwnServer = openai.baseUrl !== undefined && !isOpenAi(openai.baseUrl) && !openai.apiKey
  const hasGateway = openai.baseUrl !== undefined && !isOpenAi(openai.baseUrl) && openai.apiKey !== undefined
  /** Follows the resolution of names: a name whose provider has no key goes whole to the operator's own server. */
  const isServed = (name: string) => hasGateway || (served.ids()?.includes(name) ?? false)
  const known = MODELS.map((entry) =>
    describe(entry, providers.isConfigured(entry.provider) || isServed(nameOf(entry))),
  )
  const offered = isOwnServer
    ? known.filter(({ provider, name }) => provider !== 'openai' || ids.includes(name))
    : known
  const names = new Set(offered.map(({ name }) => name))
  const own = ids.filter((name) => !names.has(name)).map(describeServed)
  return isOwnServer ? [...own, ...offered] : [...offered, ...own]
}

function describeServed(name: string): ModelInfo {
  return {
    name,
    provider: 'openai',
    label: name.slice(name.indexOf('/') + 1),
    isConfigured: true,
    hasTemperature: hasTemperature(name),
    inputUsdPerMillion: null,
    outputUsdPerMillion: null,
  }
}

function describe(entry: ModelEntry, isConfigured: boolean): ModelInfo {
  const name = nameOf(entry)
  return {
    name,
    provider: entry.provider,
    label: entry.label,
    isConfigured,
    hasTemperature: hasTemperature(name),
    inputUsdPerMillion: entry.price?.input ?? null,
    outputUsdPerMillion: entry.price?.output ?? null,
  }
}
