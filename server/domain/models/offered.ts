// Which models an organization may choose, and what they cost, after what administrators of the installation have set.
import type { Llm } from '#server/integrations/llm/llm.ts'
import type { StoreContext } from '#server/platform/db/database.ts'
import type { ModelInfo } from '#shared/agents/models.ts'
import { AppError } from '#shared/errors.ts'
import * as store from './models.store.ts'

type ModelsContext = StoreContext & { models: Pick<Llm, 'models' | 'defaultModel' | 'assertKnown'> }

/** The models of the installation with their prices of now. Those that are not offered any more are marked: agents may have them. */
export async function listOffered(ctx: ModelsContext, now: number): Promise<ModelInfo[]> {
  const prices = await store.listPrices(ctx)
  const withdrawn = new Set((await store.listRules(ctx)).filter((rule) => !rule.isOffered).map(({ model }) => model))
  return ctx.models.models().map((model) => {
    const set = prices.findLast(({ model: name, from }) => name === model.name && from <= now)?.price
    return {
      ...model,
      ...(set && { inputUsdPerMillion: set.input, outputUsdPerMillion: set.output }),
      ...(withdrawn.has(model.name) && { isWithdrawn: true as const }),
    }
  })
}

/** The model of a new agent: the one that administrators have chosen, else the first that can be used and is offered. */
export async function defaultModel(ctx: ModelsContext, now: number): Promise<string> {
  const chosen = (await store.listRules(ctx)).find(({ isDefault }) => isDefault)
  if (chosen) return chosen.model
  const offered = (await listOffered(ctx, now)).find(({ isConfigured, isWithdrawn }) => isConfigured && !isWithdrawn)
  return offered?.name ?? ctx.models.defaultModel()
}

/** Checks models that an organization chooses. @throws AppError model_unknown, model_not_offered */
export async function requireOffered(ctx: ModelsContext, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  for (const name of names) ctx.models.assertKnown(name)
  const withdrawn = (await store.listRules(ctx)).find(({ model, isOffered }) => !isOffered && names.includes(model))
  if (withdrawn) throw new AppError('model_not_offered', { model: withdrawn.model })
}
