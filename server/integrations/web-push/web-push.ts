// Sends alerts to browsers through the push service of each (RFC 8030), identified by a key of our own (RFC 8292).
import { createECDH, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import { NotConnectedError } from '#server/integrations/http/http-client.ts'
import { type Outbound, OutboundError, type Posted } from '#server/integrations/http/outbound.ts'
import type { PushedAlert } from '#shared/organizations/alerts.ts'
import { encryptFor, type PushKeys } from './encryption.ts'

/** Other alerts wait meanwhile, and push services normally answer at once. */
const TIMEOUT_MS = 4000
/** How long a push service keeps an undelivered alert, seconds. */
const KEPT_SECONDS = 4 * 3600
const TOKEN_SECONDS = 12 * 3600
/** For an installation without a configured public address: some push services refuse an address that is not public. */
const UNKNOWN_CONTACT = 'https://example.com'
/** A topic has 32 characters at most. */
const TOPIC_MAX = 32

export type PushTarget = PushKeys & { endpoint: string }

export interface WebPush {
  /** The public key that identifies us to push services: a point on P-256, base64url. */
  readonly publicKey: string
  /**
   * Hands an alert to the push service. A later alert replaces an earlier one with the same tag, so an alert with an unknown outcome may be
   * sent again.
   * @throws AdapterError `blocked` when the browser has unsubscribed, `temporary` or `rate_limited` when it may be sent again,
   * `permanent` when not; any other error: its key is not valid
   */
  send(target: PushTarget, alert: PushedAlert): Promise<void>
}

type Identity = { publicKey: string; privateKey: KeyObject; contact: string }

/** `key`: 32 random bytes, the same for all servers of the installation. Nothing is called yet. */
export function createWebPush(parts: { key: Buffer; publicUrl: string; outbound: Outbound }): WebPush {
  const identity = identityOf(parts.key, parts.publicUrl)
  return {
    publicKey: identity.publicKey,
    async send(target, alert) {
      const answer = await post(parts.outbound, target.endpoint, {
        body: encryptFor(target, JSON.stringify(alert)),
        headers: {
          authorization: `vapid t=${tokenFor(target.endpoint, identity)}, k=${identity.publicKey}`,
          'content-encoding': 'aes128gcm',
          'content-type': 'application/octet-stream',
          ttl: String(KEPT_SECONDS),
          urgency: 'high',
          topic: topicOf(alert.tag),
        },
      })
      judge(answer)
    },
  }
}

function identityOf(scalar: Buffer, publicUrl: string): Identity {
  const point = createECDH('prime256v1')
  point.setPrivateKey(scalar)
  const bytes = point.getPublicKey()
  const coordinates = { x: bytes.subarray(1, 33).toString('base64url'), y: bytes.subarray(33).toString('base64url') }
  const key = { kty: 'EC', crv: 'P-256', d: scalar.toString('base64url'), ...coordinates }
  const contact = publicUrl.startsWith('https:') ? publicUrl : UNKNOWN_CONTACT
  return { publicKey: bytes.toString('base64url'), privateKey: createPrivateKey({ key, format: 'jwk' }), contact }
}

/** Valid only for the push service of this endpoint. */
function tokenFor(endpoint: string, { privateKey, contact }: Identity): string {
  const exp = Math.floor(Date.now() / 1000) + TOKEN_SECONDS
  const claims = [
    { typ: 'JWT', alg: 'ES256' },
    { aud: new URL(endpoint).origin, exp, sub: contact },
  ]
  const signed = claims.map((claim) => Buffer.from(JSON.stringify(claim)).toString('base64url')).join('.')
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}

function topicOf(tag: string): string {
  return tag.replace(/[^\w-]/g, '').slice(0, TOPIC_MAX)
}

async function post(
  outbound: Outbound,
  endpoint: string,
  posting: { headers: Record<string, string>; body: Buffer },
): Promise<Posted> {
  try {
    return await outbound.post(endpoint, { ...posting, signal: AbortSignal.timeout(TIMEOUT_MS) })
  } catch (error) {
    if (error instanceof OutboundError) throw new AdapterError('permanent', 'the push service has no public address')
    const reason = error instanceof NotConnectedError ? 'not reached' : 'broke off'
    throw new AdapterError('temporary', `the push service was ${reason}`)
  }
}

function judge({ status }: Posted): void {
  if (status >= 200 && status < 300) return
  const say = `the push service answered ${status}`
  if (status === 404 || status === 410) throw new AdapterError('blocked', say)
  if (status === 429) throw new AdapterError('rate_limited', say)
  throw new AdapterError(status >= 500 ? 'temporary' : 'permanent', say)
}
