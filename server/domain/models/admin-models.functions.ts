// Models of the installation: what they cost, which are offered, and which one new agents get. For its administrators.
import { findSummed, listModelDays, type ModelDay } from '#server/domain/admin/overview.read.store.ts'
import { spanOf } from '#server/domain/admin/overview.rules.ts'
import type { AdminMutationContext } from '#server/functions/context.ts'
import { adminMutation, adminQuery } from '#server/functions/define.ts'
import { AppError } from '#shared/errors.ts'
import {
  type AdminModels,
  MODEL_USE_DAYS,
  modelPricesInput,
  setDefaultModelInput,
  setOfferedInput,
  setPriceInput,
} from '#shared/organizations/model-settings.ts'
import { noArgs } from '#shared/schema.ts'
import { adminModelsOf } from './admin-models.rules.ts'
import * as store from './models.store.ts'
import { countAgentsByModel } from './use.read.store.ts'

/** A moment that is no longer ago than this is now: clocks differ. Milliseconds. */
const NOW_MS = 60_000

/** All models that are listed, and every other that was used, with what was used in the last days. Live, at most every five seconds. */
export const list = adminQuery({
  args: noArgs,
  restMs: 5_000,
  handler: async (ctx): Promise<AdminModels> => {
    const now = Date.now()
    const { middle, end } = spanOf(MODEL_USE_DAYS, now)
    const days: ModelDay[] = await listModelDays(ctx, { from: middle, until: end }, await findSummed(ctx))
    return {
      models: adminModelsOf({
        listed: ctx.models.models(),
        prices: await store.listPrices(ctx),
        rules: await store.listRules(ctx),
        agents: await countAgentsByModel(ctx),
        days,
        now,
      }),
    }
  },
})

/** Prices of a model over time, the latest first. */
export const prices = adminQuery({
  args: modelPricesInput,
  handler: (ctx, { model }) => store.listPricesOf(ctx, model),
})

/** Every server counts by it within seconds of its moment; what was counted before keeps its cost. @throws price_in_past */
export const setPrice = adminMutation({
  args: setPriceInput,
  isAudited: true,
  handler: async (ctx, { model, price, from = ctx.now.getTime() }) => {
    if (from < ctx.now.getTime() - NOW_MS) throw new AppError('price_in_past')
    const before = (await store.listPrices(ctx)).findLast((row) => row.model === model && row.from <= from)
    const fromAt = new Date(Math.max(from, ctx.now.getTime()))
    await store.insertPrice(ctx, { model, price, from: fromAt, authorId: ctx.caller.userId }, ctx.now)
    await ctx.audit({
      resource: { kind: 'model', id: model, name: model },
      before: { ...before?.price },
      after: { ...price, from: fromAt.toISOString() },
    })
  },
})

/** A model that is not offered can be chosen for no agent; those that have it keep it. @throws default_model_not_withdrawn */
export const setOffered = adminMutation({
  args: setOfferedInput,
  isAudited: true,
  handler: async (ctx, { model, isOffered }) => {
    const rule = await ruleOf(ctx, model)
    if (rule?.isDefault && !isOffered) throw new AppError('default_model_not_withdrawn')
    await store.setOffered(ctx, model, isOffered)
    await ctx.audit({
      resource: { kind: 'model', id: model, name: model },
      before: { isOffered: rule?.isOffered ?? true },
      after: { isOffered },
    })
  },
})

/** The model of new agents. @throws model_unknown, model_not_offered */
export const setDefault = adminMutation({
  args: setDefaultModelInput,
  isAudited: true,
  handler: async (ctx, { model }) => {
    if (model !== null) {
      ctx.models.assertKnown(model)
      if ((await ruleOf(ctx, model))?.isOffered === false) throw new AppError('model_not_offered', { model })
    }
    const before = (await store.listRules(ctx)).find(({ isDefault }) => isDefault)
    await store.setDefault(ctx, model)
    await ctx.audit({
      resource: { kind: 'model', id: model ?? '', name: model ?? '' },
      before: { model: before?.model ?? null },
      after: { model },
    })
  },
})

async function ruleOf(ctx: AdminMutationContext, model: string): Promise<store.ModelRule | undefined> {
  return (await store.listRules(ctx)).find((rule) => rule.model === model)
}
