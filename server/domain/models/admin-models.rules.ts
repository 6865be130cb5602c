// Models as administrators see them: the list of the program, what they have set, and what was used.
import type { ModelDay } from '#server/domain/admin/overview.read.store.ts'
import { findModel } from '#server/integrations/llm/registry.ts'
import type { ModelInfo } from '#shared/agents/models.ts'
import type { AdminModel, ModelPrice, ModelUse } from '#shared/organizations/model-settings.ts'
import type { ModelRule, PriceRow } from './models.store.ts'

type Facts = {
  listed: readonly ModelInfo[]
  /** The earliest first. */
  prices: readonly PriceRow[]
  rules: readonly ModelRule[]
  agents: ReadonlyMap<string, number>
  days: readonly ModelDay[]
  now: number
}
type Named = Pick<ModelInfo, 'name' | 'provider' | 'label' | 'isConfigured'> & { list: ModelPrice | null }

/** Listed models in their order, then the others that are used or were set, by name. */
export function adminModelsOf(facts: Facts): AdminModel[] {
  const { listed, prices, agents, days } = facts
  const known = new Set(listed.map(({ name }) => name))
  const used = [...days.map(({ name }) => name), ...prices.map(({ model }) => model), ...agents.keys()]
  const others = [...new Set(used)].filter((name) => name !== '' && !known.has(name)).toSorted()
  return [...listed.map(listedModel), ...others.map(otherModel)].map((model) => describe(model, facts))
}

function listedModel(model: ModelInfo): Named {
  const { name, provider, label, isConfigured, inputUsdPerMillion: input, outputUsdPerMillion: output } = model
  const { cachedInput = null, maxInputTokens = null } = findModel(name)?.price ?? {}
  const list = input === null || output === null ? null : { input, output, cachedInput, maxInputTokens }
  return { name, provider, label, isConfigured, list }
}

function otherModel(name: string): Named {
  const [provider = ''] = name.split('/')
  return { name, provider, label: name, isConfigured: true, list: null }
}

function describe({ list, ...model }: Named, { prices, rules, agents, days, now }: Facts): AdminModel {
  const own = prices.filter((row) => row.model === model.name)
  const set = own.findLast(({ from }) => from <= now)
  const next = own.find(({ from }) => from > now)
  const rule = rules.find((each) => each.model === model.name)
  return {
    ...model,
    isOffered: rule?.isOffered ?? true,
    isDefault: rule?.isDefault ?? false,
    price: set?.price ?? list,
    setFrom: set?.price ? set.from : null,
    next: next ? { price: next.price, from: next.from } : null,
    agents: agents.get(model.name) ?? 0,
    use: sumUse(days.filter(({ name }) => name === model.name)),
  }
}

function sumUse(days: readonly ModelDay[]): ModelUse {
  const use: ModelUse = { calls: 0, tokens: 0, costMicroUsd: 0, unpricedCalls: 0 }
  for (const day of days) {
    use.calls += day.calls
    use.tokens += day.tokens
    use.costMicroUsd += day.costMicroUsd
    use.unpricedCalls += day.unpricedCalls
  }
  return use
}
