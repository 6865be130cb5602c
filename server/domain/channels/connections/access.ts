// The secrets of a channel connection: encrypted with their place when stored, decrypted when read.
import { randomBytes } from 'node:crypto'
import type { Credentials } from '#server/integrations/channels/contract/credentials.ts'
import type { Secrets } from '#server/platform/lib/secrets.ts'
import type { Id } from '#shared/ids.ts'
import type { StoredConnection } from './connections.store.ts'

type Sealed = Pick<StoredConnection, 'id' | 'encryptedToken' | 'encryptedSecret'> & {
  identifier?: string
  accountId?: string
}

/** Cache of opened secrets; opening them for every message would cost more than the rest of a send. */
const MAX_KEPT = 1000
const opened = new WeakMap<Secrets, Map<string, Credentials>>()

/** The credentials of a connection. @throws when the stored text was changed or moved */
export function credentialsOf(secrets: Secrets, sealed: Sealed): Credentials {
  const kept = opened.get(secrets) ?? new Map<string, Credentials>()
  opened.set(secrets, kept)
  const key = `${sealed.id} ${sealed.encryptedToken} ${sealed.encryptedSecret} ${sealed.identifier} ${sealed.accountId}`
  const known = kept.get(key)
  if (known) return known
  const credentials = {
    token: secrets.decrypt(sealed.encryptedToken, placeOf(sealed.id, 'token')),
    webhookSecret: secrets.decrypt(sealed.encryptedSecret, placeOf(sealed.id, 'webhook_secret')),
    ...(sealed.identifier !== undefined && { identifier: sealed.identifier }),
    ...(sealed.accountId !== undefined && { accountId: sealed.accountId }),
  }
  if (kept.size >= MAX_KEPT) kept.clear()
  kept.set(key, credentials)
  return credentials
}

/** Credentials as they are stored for one connection. */
export function seal(secrets: Secrets, id: Id<'channelConnections'>, credentials: Credentials): Sealed {
  return {
    id,
    encryptedToken: secrets.encrypt(credentials.token, placeOf(id, 'token')),
    encryptedSecret: secrets.encrypt(credentials.webhookSecret, placeOf(id, 'webhook_secret')),
  }
}

/** 256 random bits, in characters that Telegram accepts for a secret and a URL for a path. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url')
}

function placeOf(id: Id<'channelConnections'>, column: 'token' | 'webhook_secret'): string {
  return `channel_connections|${id}|${column}`
}
