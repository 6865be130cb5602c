// `npm run secrets:reencrypt`: encrypts everything stored again with the current APP_SECRET, after which the former one can be removed. Servers
// on PostgreSQL may run meanwhile; the embedded database wants its server stopped.

import { dropEmptyVariables, loadEnvironment, readConfig } from './config.ts'
import { loadApplicationSecret } from './platform/auth/application-secret.ts'
import { reencrypt } from './platform/auth/reencrypt.ts'
import { openDatabase } from './platform/db/engine/open.ts'
import { createLogger } from './platform/lib/logger.ts'
import { createSecrets } from './platform/lib/secrets.aes.ts'
import { explainFailure, StartError } from './platform/lib/start-error.ts'

dropEmptyVariables()
try {
  const config = readConfig(loadEnvironment(process.argv[2]))
  const log = createLogger('warn')
  const database = await openDatabase(config, log)
  try {
    const ring = await loadApplicationSecret(config, database, log)
    const secrets = createSecrets(ring.current, ring.previous)
    const onProgress = (what: string, count: number) => console.log(`  ${what}: ${count}`)
    const total = await reencrypt({ database, secrets, ring, onProgress })
    console.log(
      `Encrypted with the current secret: ${total}. APP_SECRET_PREVIOUS (or the file secret.key) can be removed.`,
    )
  } finally {
    await database.close()
  }
} catch (error) {
  const partly = 'Not everything was encrypted again; what was is kept, and the command goes on from there. '
  console.error((error instanceof StartError ? '' : partly) + explainFailure(error))
  process.exitCode = 1
}
