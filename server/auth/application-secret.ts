// The application secret: from the configuration, else made at the first start and kept with the data.
import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/database.ts'
import type { Logger } from '#server/lib/logger.ts'
import type { Secrets } from '#server/lib/secrets.ts'
import { StartError } from '#server/lib/start-error.ts'
import { decideOnce } from './installation.store.ts'

const CANARY = 'canary'

type SecretConfig = Pick<Config, 'appSecret' | 'databaseUrl' | 'dataDir'>

/** APP_SECRET; without it a file beside the embedded database, or a row of the shared PostgreSQL. */
export async function loadApplicationSecret(config: SecretConfig, database: Database, log: Logger): Promise<string> {
  if (config.appSecret) return config.appSecret
  if (config.databaseUrl === undefined) return readOrMakeFile(path.join(config.dataDir, 'secret.key'))
  log.warn('APP_SECRET is not set: the key that encrypts stored tokens lies in the same database as they do')
  return (await decideOnce(database.root, 'application-secret', makeSecret())).value
}

/**
 * Proves that the secret is the one with which this database was first opened.
 * @throws StartError when it is another
 */
export async function checkApplicationSecret(database: Database, secrets: Secrets): Promise<void> {
  const place = `installation_secrets|${CANARY}|value`
  const { value } = await decideOnce(database.root, CANARY, secrets.encrypt(CANARY, place))
  try {
    secrets.decrypt(value, place)
  } catch {
    throw new StartError(
      'The application secret is not the one this database was made with: stored tokens could not be read. ' +
        'Set APP_SECRET to the former value, or bring back the file secret.key of the data folder.',
    )
  }
}

function makeSecret(): string {
  return randomBytes(32).toString('base64url')
}

async function readOrMakeFile(file: string): Promise<string> {
  try {
    await fs.writeFile(file, makeSecret(), { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const secret = (await fs.readFile(file, 'utf8')).trim()
  if (secret.length < 32) throw new StartError(`${file} does not hold an application secret`)
  return secret
}
