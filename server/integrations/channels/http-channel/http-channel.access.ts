// Credentials of an HTTP connection: where events are posted, and the secrets of both directions, as the texts that a connection stores
// encrypted. A replaced secret stays valid for a while along with the new one.
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { HTTP_SECRET_OVERLAP_MS } from '#shared/limits.ts'

const access = z.object({ id: z.string(), url: z.string(), keys: z.string() })

/** `id` names the account and is ours; `keys` sign what is posted to `url`. */
export type HttpAccess = z.infer<typeof access>

const PREFIX = 'whsec_'
const SECRET_BYTES = 32
/** Earlier secrets that may still be valid: everything is signed with each of them. */
const HOLDING_MAX = 8

/** The token of a connection's credentials. */
export function httpToken(parts: HttpAccess): string {
  return JSON.stringify(parts)
}

/** @throws Error when the text is not in this format */
export function readHttpAccess(token: string): HttpAccess {
  return access.parse(JSON.parse(token))
}

/** A new secret. @source github.com/standard-webhooks/standard-webhooks "Symmetric" */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/**
 * Keys of one direction after `secret` has replaced the previous one, which stays valid until the overlap ends. Keys are one text: the
 * secret, then the earlier ones separated by spaces, newest first, each with `@` and its expiry in milliseconds.
 */
export function rotated(keys: string, secret: string, now: number): string {
  const [current = '', ...before] = keys.split(' ')
  const holding = [`${current}@${now + HTTP_SECRET_OVERLAP_MS}`, ...before.filter((each) => untilOf(each) > now)]
  return [secret, ...holding.slice(0, HOLDING_MAX)].join(' ')
}

/** The currently valid secrets among keys, newest first; none for an empty text. */
export function secretsAmong(keys: string, now: number): string[] {
  const [current = '', ...before] = keys.split(' ')
  const holding = before.filter((each) => untilOf(each) > now).map((each) => each.split('@')[0] ?? '')
  return [current, ...holding].filter((each) => each !== '')
}

function untilOf(key: string): number {
  return Number(key.split('@')[1])
}

/** The bytes of a secret's signing key. */
export function keyBytes(secret: string): Buffer {
  return Buffer.from(secret.replace(PREFIX, ''), 'base64')
}
