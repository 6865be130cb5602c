// Whether this is a newer version of Parley than the one that ran here before: those who want to know are alerted, once.
import { readFileSync } from 'node:fs'
import type { Services } from '#server/functions/services.ts'
import { replaceDecided } from '#server/platform/auth/installation.store.ts'
import { isNewerVersion } from './alerts.rules.ts'
import { raiseVersion } from './news.store.ts'

const NAME = 'announced version'

/** The version of this program. */
export function ownVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/** Safe to repeat, and by several servers at once. The first version of an installation is no news. */
export async function announceVersion(database: Services['database'], version: string): Promise<void> {
  await database.system('alerts: announce a version', async (db) => {
    const before = await replaceDecided(db, NAME, version)
    if (before !== undefined && isNewerVersion(version, before)) await raiseVersion({ db }, version)
  })
}
