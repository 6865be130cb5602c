// `npm run audit:check`: proves that the audit trail is as it was written, and prints how each chain ends: noted elsewhere, these hashes also
// show whether a whole end was taken off. Servers on PostgreSQL may run meanwhile; the embedded database wants its server stopped.

import { dropEmptyVariables, loadEnvironment, readConfig } from './config.ts'
import { type Flaw, proveChains } from './platform/audit/chains.ts'
import { openDatabase } from './platform/db/engine/open.ts'
import { createLogger } from './platform/lib/logger.ts'
import { explainFailure } from './platform/lib/start-error.ts'

dropEmptyVariables()
try {
  const database = await openDatabase(readConfig(loadEnvironment(process.argv[2])), createLogger('warn'))
  try {
    const { entries, chains, flaws, heads } = await database.system('audit: check', (db) => proveChains({ db }), {
      isolation: 'repeatable read',
      readOnly: true,
    })
    for (const { chain, length, hash } of heads)
      console.log(`${chain.padEnd(32)} ${String(length).padStart(8)} ${hash}`)
    for (const flaw of flaws) console.error(describe(flaw))
    console.log(`${entries} entries in ${chains} chains; ${flaws.length === 0 ? 'all as written.' : 'NOT as written.'}`)
    if (flaws.length > 0) process.exitCode = 1
  } finally {
    await database.close()
  }
} catch (error) {
  console.error(explainFailure(error))
  process.exitCode = 1
}

function describe({ chain, position, what }: Flaw): string {
  if (position === null) return `Chain ${chain}: entries are missing at its end.`
  return `Chain ${chain}: entry ${position} ${what === 'changed' ? 'was changed' : 'is missing'}.`
}
