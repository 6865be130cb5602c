// Puts the models together: the built-in one, which always answers, and those of the configured providers.
import type { Config } from '#server/config.ts'
import type { Logger } from '#server/lib/logger.ts'
import { appErrorData } from '#shared/errors.ts'
import { EXTRACTIVE_MODEL, type ModelInfo } from '#shared/models.ts'
import { MODEL_LIMITS, type ModelLimits } from './deadline.ts'
import { generateExtractive } from './extractive.ts'
import { generateWithModel } from './generate.ts'
import type { Llm } from './llm.ts'
import { createProviders, type Providers } from './providers.ts'
import { cheapestOf, EXTRACTIVE_LABEL, hasTemperature, MODELS, type ModelEntry, nameOf } from './registry.ts'
import { createRetryBudget } from './retries.ts'

/** The models of this installation. Nothing is called until `generate`. */
export function createLlm(
  config: Pick<Config, 'openai' | 'anthropic' | 'google'>,
  log: Logger,
  limits: ModelLimits = MODEL_LIMITS,
): Llm {
  const providers = createProviders(config)
  const tools = { limits, retries: createRetryBudget(), log }
  return {
    models: () => [...MODELS.map((entry) => describe(entry, providers)), EXTRACTIVE_INFO],
    defaultModel() {
      const entry = MODELS.find(({ provider }) => providers.isConfigured(provider))
      return entry ? nameOf(entry) : EXTRACTIVE_MODEL
    },
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

function describe(entry: ModelEntry, providers: Providers): ModelInfo {
  const name = nameOf(entry)
  return {
    name,
    provider: entry.provider,
    label: entry.label,
    isConfigured: providers.isConfigured(entry.provider),
    hasTemperature: hasTemperature(name),
    inputUsdPerMillion: entry.price?.input ?? null,
    outputUsdPerMillion: entry.price?.output ?? null,
  }
}
