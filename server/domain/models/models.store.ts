// SQL of what administrators have set about models.
import type { StoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import type { ModelPrice, SetModelPrice } from '#shared/organizations/model-settings.ts'

/** A price from a moment on; null: the list price. */
export type PriceRow = { id: Id<'modelPrices'>; model: string; price: ModelPrice | null; from: number }
export type ModelRule = { model: string; isOffered: boolean; isDefault: boolean }

type PriceColumns = {
  input_usd: number | null
  output_usd: number | null
  cached_input_usd: number | null
  max_input_tokens: number | null
}

const PRICE = ['input_usd', 'output_usd', 'cached_input_usd', 'max_input_tokens'] as const

/** All prices, of every time: a few for each model. */
export async function listPrices({ db }: StoreContext): Promise<PriceRow[]> {
  const rows = await db
    .selectFrom('model_prices')
    .select(['id', 'model', 'from_at', ...PRICE])
    .orderBy('from_at')
    .execute()
  return rows.map((row) => ({ id: row.id, model: row.model, price: priceOf(row), from: row.from_at.getTime() }))
}

/** Prices of one model with who set them, the latest first. */
export async function listPricesOf({ db }: StoreContext, model: string): Promise<SetModelPrice[]> {
  const rows = await db
    .selectFrom('model_prices')
    .leftJoin('users', 'users.id', 'model_prices.author_id')
    .where('model_prices.model', '=', model)
    .select(['from_at', 'users.name as author', ...PRICE])
    .orderBy('from_at', 'desc')
    .execute()
  return rows.map((row) => ({ price: priceOf(row), from: row.from_at.getTime(), author: row.author }))
}

/** Sets a price. One that was set from the same moment is replaced. */
export async function insertPrice(
  { db }: StoreContext,
  { model, price, from, authorId }: { model: string; price: ModelPrice | null; from: Date; authorId: Id<'users'> },
  now: Date,
): Promise<void> {
  const values = {
    input_usd: price?.input ?? null,
    output_usd: price?.output ?? null,
    cached_input_usd: price?.cachedInput ?? null,
    max_input_tokens: price?.maxInputTokens ?? null,
    author_id: authorId,
    created_at: now,
  }
  await db
    .insertInto('model_prices')
    .values({ id: newId('modelPrices'), model, from_at: from, ...values })
    .onConflict((conflict) => conflict.columns(['model', 'from_at']).doUpdateSet(values))
    .execute()
}

/** Models that differ from the others. */
export async function listRules({ db }: StoreContext): Promise<ModelRule[]> {
  const rows = await db.selectFrom('model_rules').select(['model', 'is_offered', 'is_default']).execute()
  return rows.map((row) => ({ model: row.model, isOffered: row.is_offered, isDefault: row.is_default }))
}

/** Offers a model, or does not any more. */
export async function setOffered({ db }: StoreContext, model: string, isOffered: boolean): Promise<void> {
  await db
    .insertInto('model_rules')
    .values({ model, is_offered: isOffered, is_default: false })
    .onConflict((conflict) => conflict.column('model').doUpdateSet({ is_offered: isOffered }))
    .execute()
}

/** Makes a model the one of new agents; null: none is. */
export async function setDefault({ db }: StoreContext, model: string | null): Promise<void> {
  await db.updateTable('model_rules').set({ is_default: false }).where('is_default', '=', true).execute()
  if (model === null) return
  await db
    .insertInto('model_rules')
    .values({ model, is_offered: true, is_default: true })
    .onConflict((conflict) => conflict.column('model').doUpdateSet({ is_default: true }))
    .execute()
}

function priceOf(row: PriceColumns): ModelPrice | null {
  const { input_usd: input, output_usd: output } = row
  if (input === null || output === null) return null
  return { input, output, cachedInput: row.cached_input_usd, maxInputTokens: row.max_input_tokens }
}
