// The application secret: from the configuration, else made at the first start and kept with the data; and those that were in its place.
import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import { deriveKey } from '#server/platform/lib/secrets.aes.ts'
import type { Secrets } from '#server/platform/lib/secrets.ts'
import { StartError } from '#server/platform/lib/start-error.ts'
import { decideOnce, findDecided } from './installation.store.ts'
import { countForeign } from './sealed.store.ts'

/** The place of the text that proves the ring of keys. */
const CANARY = 'canary'
/** The place of the key by which push services know the installation. */
const PUSH_KEY = 'web-push'
const GENERATED = 'application-secret'
const GENERATED_FILE = 'secret.key'

/** `current` encrypts and signs; what any of `previous` has encrypted or signed is still good. */
export type SecretRing = { current: string; previous: string[] }
type SecretConfig = Pick<Config, 'appSecret' | 'previousAppSecrets' | 'databaseUrl' | 'dataDir'>

/**
 * APP_SECRET with APP_SECRET_PREVIOUS; without one a file next to the embedded database, or a row of the shared PostgreSQL. One that was made
 * before APP_SECRET was set is among the previous.
 */
export async function loadApplicationSecret(
  config: SecretConfig,
  database: Database,
  log: Logger,
): Promise<SecretRing> {
  const file = path.join(config.dataDir, GENERATED_FILE)
  const isEmbedded = config.databaseUrl === undefined
  if (config.appSecret) {
    const made = isEmbedded ? await readFile(file) : await findDecided(database.root, GENERATED)
    const previous = [...config.previousAppSecrets, ...(made ? [made] : [])]
    return { current: config.appSecret, previous: previous.filter((secret) => secret !== config.appSecret) }
  }
  if (isEmbedded) return { current: await readOrMakeFile(file), previous: config.previousAppSecrets }
  log.warn('APP_SECRET is not set: the key that encrypts stored tokens lies in the same database as they do')
  const { value } = await decideOnce(database.root, GENERATED, makeSecret())
  return { current: value, previous: config.previousAppSecrets }
}

/**
 * Proves that what the database holds can be opened.
 * @throws StartError that names what cannot and says what to do
 */
export async function checkApplicationSecret(database: Database, secrets: Secrets): Promise<void> {
  const place = placeOf(CANARY)
  const { value } = await decideOnce(database.root, CANARY, secrets.encrypt(CANARY, place))
  const lost = await countForeign(database.root, secrets.keyIds)
  if (lost.length === 0 && isOpened(secrets, value, place)) return
  const named = lost.map(({ what, count }) => `${what}: ${count}`).join(', ')
  throw new StartError(
    `APP_SECRET has changed, and what was encrypted with the former one cannot be opened${named && ` (${named})`}. Nothing was changed. ` +
      'Put the former value into APP_SECRET_PREVIOUS and try again; then run "npm run secrets:reencrypt", after which it can be removed. ' +
      'If Parley had made the secret itself, bring back the file secret.key of the data folder.',
  )
}

function isOpened(secrets: Secrets, value: string, place: string): boolean {
  try {
    return secrets.decrypt(value, place) === CANARY
  } catch {
    return false
  }
}

/**
 * The key by which push services know the installation. Browsers are bound to it, so that it outlives the application secret from which it
 * was derived.
 */
export async function loadPushKey(database: Database, secrets: Secrets, ring: SecretRing): Promise<Buffer> {
  const place = placeOf(PUSH_KEY)
  const first = deriveKey(ring.previous.at(-1) ?? ring.current, 'web push').toString('base64url')
  const { value } = await decideOnce(database.root, PUSH_KEY, secrets.encrypt(first, place))
  return Buffer.from(secrets.decrypt(value, place), 'base64url')
}

function placeOf(name: string): string {
  return `installation_secrets|${name}|value`
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
  const secret = await readFile(file)
  if (secret === undefined || secret.length < 32) throw new StartError(`${file} does not hold an application secret`)
  return secret
}

/** Undefined when there is none. */
async function readFile(file: string): Promise<string | undefined> {
  const text = await fs.readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return text?.trim()
}
