// Secrets of endpoints: made, kept encrypted, and used to sign events as Standard Webhooks says.
import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { Secrets } from '#server/platform/lib/secrets.ts'
import type { Id } from '#shared/ids.ts'

const PREFIX = 'whsec_'
const BYTES = 32

export type SealedSecrets = { secret: string; previousSecret: string | null }

/** A new secret in the form that libraries for Standard Webhooks take. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(BYTES).toString('base64')
}

/** Encrypts a secret for the row of one endpoint. */
export function sealSecret(secrets: Secrets, endpointId: Id<'webhookEndpoints'>, plain: string): string {
  return secrets.encrypt(plain, placeOf(endpointId, 'secret'))
}

/** The present secret, encrypted as the former one. */
export function sealAsFormer(secrets: Secrets, endpointId: Id<'webhookEndpoints'>, sealed: string): string {
  return secrets.encrypt(secrets.decrypt(sealed, placeOf(endpointId, 'secret')), placeOf(endpointId, 'previous_secret'))
}

/** The headers of an event: signed with the secret and, while that is valid, with the former one. @throws when a secret cannot be opened */
export function signedHeaders(
  secrets: Secrets,
  endpointId: Id<'webhookEndpoints'>,
  sealed: SealedSecrets,
  { id, at, body }: { id: string; at: Date; body: string },
): Record<string, string> {
  const keys = [secrets.decrypt(sealed.secret, placeOf(endpointId, 'secret'))]
  if (sealed.previousSecret !== null)
    keys.push(secrets.decrypt(sealed.previousSecret, placeOf(endpointId, 'previous_secret')))
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': keys.map((key) => new Webhook(key).sign(id, at, body)).join(' '),
  }
}

function placeOf(endpointId: Id<'webhookEndpoints'>, column: 'secret' | 'previous_secret'): string {
  return `webhook_endpoints|${endpointId}|${column}`
}
