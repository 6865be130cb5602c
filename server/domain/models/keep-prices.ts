// Keeps the prices that a server counts by as they are set in the database.
import type { Prices } from '#server/integrations/llm/prices.ts'
import type { Database } from '#server/platform/db/database.ts'
import { readAfterCommits } from '#server/platform/db/read-after-commits.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import { PRICES_KNOWN_WITHIN_MS } from '#shared/organizations/model-settings.ts'
import { listPrices } from './models.store.ts'

/** Reads them now, and after every change until it is stopped. While the database is away the last ones hold. */
export async function keepPrices(
  database: Database,
  prices: Prices,
  log: Logger,
  everyMs = PRICES_KNOWN_WITHIN_MS / 2,
): Promise<() => void> {
  const read = async () => {
    const rows = await database.system('models: read prices', (db) => listPrices({ db }), { readOnly: true })
    prices.replace(rows.map(({ id, ...row }) => ({ ...row, price: row.price && plain(row.price), version: id })))
  }
  await read()
  return readAfterCommits(database, {
    everyMs,
    read: () =>
      read().then(
        () => true,
        (error: unknown) => {
          log.warn({ error }, 'prices of models not read')
          return false
        },
      ),
  })
}

function plain({
  input,
  output,
  cachedInput,
  maxInputTokens,
}: NonNullable<Awaited<ReturnType<typeof listPrices>>[number]['price']>) {
  return {
    input,
    output,
    ...(cachedInput !== null && { cachedInput }),
    ...(maxInputTokens !== null && { maxInputTokens }),
  }
}
