// Models as a person picks them: their order, which one is proposed, and what a model allows.
import type { AgentKey } from '#shared/agents/agent-keys.ts'
import { EXTRACTIVE_MODEL, type ModelInfo } from '#shared/agents/models.ts'
import { TEMPERATURE_FIXED } from '#shared/limits.ts'

/** Models of one provider, in the order of the registry. `isConfigured`: at least one of them can be used. */
export type ModelGroup = { provider: string; isConfigured: boolean; models: ModelInfo[] }

/**
 * The temperature that will be used, and whether the model leaves a choice.
 *
 * @param model undefined for a model that is not in the registry: the choice is left open then
 */
export function temperatureOf(model: ModelInfo | undefined, chosen: number): { value: number; isFixed: boolean } {
  return model && !model.hasTemperature
    ? { value: TEMPERATURE_FIXED, isFixed: true }
    : { value: chosen, isFixed: false }
}

/** The models as one agent may use them: a key of its own makes those of the provider usable. */
export function withOwnKeys(models: ModelInfo[], keys: AgentKey[]): ModelInfo[] {
  const own = new Set<string>(keys.map(({ provider }) => provider))
  return models.map((model) => (own.has(model.provider) ? { ...model, isConfigured: true } : model))
}

/** Models by provider: usable providers, then the built-in model, then those without a key; within that in the order of the registry. */
export function groupModels(models: ModelInfo[]): ModelGroup[] {
  const groups = new Map<string, ModelGroup>()
  for (const model of models) {
    const group = groups.get(model.provider)
    if (group) {
      group.models.push(model)
      group.isConfigured ||= model.isConfigured
    } else groups.set(model.provider, { provider: model.provider, isConfigured: model.isConfigured, models: [model] })
  }
  const rank = (group: ModelGroup) => (isBuiltIn(group) ? 1 : group.isConfigured ? 0 : 2)
  return [...groups.values()].sort((a, b) => rank(a) - rank(b))
}

/** The model proposed for a new agent: the first that can be used, the built-in one when no provider is configured. */
export function proposedModel(models: ModelInfo[]): string | undefined {
  return groupModels(models)
    .flatMap((group) => group.models)
    .find((model) => model.isConfigured)?.name
}

/** Whether the group holds the model that needs no key. */
export function isBuiltIn(group: ModelGroup): boolean {
  return group.models.some((model) => model.name === EXTRACTIVE_MODEL)
}
