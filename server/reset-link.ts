// `npm run reset:password -- email`: prints a link that sets a new password for an account, for installations that send no mail. Servers on
// PostgreSQL may run meanwhile; the embedded database wants its server stopped.

import { dropEmptyVariables, loadEnvironment, readConfig } from './config.ts'
import { makeResetPath } from './platform/auth/password-reset.ts'
import { openDatabase } from './platform/db/engine/open.ts'
import { createLogger } from './platform/lib/logger.ts'
import { explainFailure } from './platform/lib/start-error.ts'

dropEmptyVariables()
const [, , file, email] = process.argv
try {
  if (!email) throw new Error('Name the account: npm run reset:password -- name@example.com')
  const config = readConfig(loadEnvironment(file))
  const database = await openDatabase(config, createLogger('warn'))
  try {
    const path = await makeResetPath(database, email)
    if (path === null) throw new Error(`No account has the address ${email}.`)
    console.log(`Good for an hour, and once. Hand it to the owner of ${email} alone:\n${config.publicUrl}${path}`)
  } finally {
    await database.close()
  }
} catch (error) {
  console.error(explainFailure(error))
  process.exitCode = 1
}
