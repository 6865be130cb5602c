// Re-encrypts everything stored with the current key, page by page. Rows already done are skipped, so that it can be interrupted and
// resumed.
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import type { Database } from '#server/platform/db/database.ts'
import type { Secrets } from '#server/platform/lib/secrets.ts'
import { checkApplicationSecret, type SecretRing } from './application-secret.ts'
import {
  countForeign,
  listForeign,
  listProviderTokens,
  type ProviderTokens,
  replaceProviderTokens,
  replaceSealed,
  SEALED,
  type SealedColumn,
} from './sealed.store.ts'
import { signInSecret } from './signed-cookies.ts'

const PAGE = 200

type Parts = {
  database: Database
  secrets: Secrets
  ring: SecretRing
  /** Called after each page. */
  onProgress(what: string, count: number): void
}

/**
 * @returns how many texts were encrypted again
 * @throws StartError in words, with nothing changed, when a secret is missing; another error when it was interrupted
 */
export async function reencrypt(parts: Parts): Promise<number> {
  await checkApplicationSecret(parts.database, parts.secrets)
  let total = await reencryptProviderTokens(parts)
  for (const sealed of SEALED) total += await reencryptColumn(parts, sealed)
  const left = await countForeign(parts.database.root, [parts.secrets.keyId])
  // Written by a server that has not been started with the new secret yet.
  if (left.length > 0)
    throw new Error(`New texts were encrypted with a former key meanwhile: ${left.map(({ what }) => what)}`)
  return total
}

async function reencryptColumn({ database, secrets, onProgress }: Parts, sealed: SealedColumn): Promise<number> {
  const { keyId } = secrets
  let count = 0
  for (let after = ''; ; ) {
    const read = { keyId, after, limit: PAGE }
    const rows = await listForeign(database.root, sealed, read)
    await database.system('secrets: re-encrypt', async (db) => {
      for (const row of rows) {
        const place = `${sealed.table}|${row.name}|${sealed.column}`
        await replaceSealed(db, sealed, row, secrets.encrypt(secrets.decrypt(row.value, place), place))
      }
    })
    count += rows.length
    if (rows.length > 0) onProgress(sealed.what, count)
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return count
    after = last.id
  }
}

async function reencryptProviderTokens({ database, ring, onProgress }: Parts): Promise<number> {
  const keys = [ring.current, ...ring.previous].map(signInSecret)
  let count = 0
  for (let after = ''; ; ) {
    const accounts = await listProviderTokens(database.root, after, PAGE)
    for (const account of accounts) {
      const renewed = await renewTokens(account, keys)
      if (!renewed) continue
      await replaceProviderTokens(database.root, renewed)
      count += 1
    }
    if (count > 0) onProgress('accounts of sign-in providers', count)
    const last = accounts.at(-1)
    if (!last || accounts.length < PAGE) return count
    after = last.id
  }
}

/** Null when the current key opens them already. What no key opens is forgotten: the next sign-in brings another. */
async function renewTokens({ id, ...tokens }: ProviderTokens, keys: string[]): Promise<ProviderTokens | null> {
  let isRenewed = false
  const renew = async (stored: string | null): Promise<string | null> => {
    for (const [index, key] of keys.entries()) {
      const plain = stored && (await symmetricDecrypt({ key, data: stored }).catch(() => null))
      if (typeof plain !== 'string' || plain === '') continue
      if (index === 0) return stored
      isRenewed = true
      return symmetricEncrypt({ key: keys[0] ?? '', data: plain })
    }
    isRenewed ||= stored !== null
    return null
  }
  const access_token = await renew(tokens.access_token)
  const refresh_token = await renew(tokens.refresh_token)
  const id_token = await renew(tokens.id_token)
  return isRenewed ? { id, access_token, refresh_token, id_token } : null
}
