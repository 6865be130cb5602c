// Format of API tokens. Only their hashes are stored, so that read access to the database does not reveal them.
import { createHash, randomBytes } from 'node:crypto'

/** Lets people, and secret scanners, recognise a token of Parley. */
const PREFIX = 'parley_'
const BYTES = 32
const TAIL_LENGTH = 4

/** A new token: 256 random bits. */
export function newToken(): { token: string; hash: string; tail: string } {
  const token = PREFIX + randomBytes(BYTES).toString('base64url')
  return { token, hash: hashOf(token), tail: token.slice(-TAIL_LENGTH) }
}

/** The stored hash of a token. Without salt or stretching: 256 random bits cannot be guessed. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** The token of a request; null for a request without one of ours. */
export function tokenOf(request: Request): string | null {
  const [, token] = /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  return token?.startsWith(PREFIX) ? token : null
}
