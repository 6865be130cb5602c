// Keeps the brand of the installation in memory, for the pages that everybody opens: no request reads it from the database.
import type { Database } from '#server/platform/db/database.ts'
import { readAfterCommits } from '#server/platform/db/read-after-commits.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import { BRAND_KNOWN_WITHIN_MS, type Brand, brandOf } from '#shared/organizations/branding.ts'
import { getBrand } from './branding.store.ts'

/** The brand as it was read last: the same object until it changes. */
export type KeptBrand = { brand: () => Brand; stop: () => void }

/** Reads it now, and after every change until it is stopped. While the database is away the last one holds. */
export async function keepBrand(
  database: Database,
  log: Pick<Logger, 'warn'>,
  everyMs = BRAND_KNOWN_WITHIN_MS / 2,
): Promise<KeptBrand> {
  const read = async () =>
    brandOf(await database.system('branding: read', (db) => getBrand({ db }, 'installation'), { readOnly: true }))
  let brand = await read()
  const stop = readAfterCommits(database, {
    everyMs,
    async read() {
      try {
        const next = await read()
        if (JSON.stringify(next) !== JSON.stringify(brand)) brand = next
        return true
      } catch (error) {
        log.warn({ error }, 'the brand of the installation was not read')
        return false
      }
    },
  })
  return { brand: () => brand, stop }
}
