// What tokens of the API look like. Only their hashes are kept: whoever reads the database cannot use them.
import { createHash, randomBytes } from 'node:crypto'

/** Tells people, and programs that look for leaked secrets, whose token it is. */
const PREFIX = 'parley_'
const BYTES = 32
const TAIL_LENGTH = 4

/** A new token: 256 random bits. */
export function newToken(): { token: string; hash: string; tail: string } {
  const token = PREFIX + randomBytes(BYTES).toString('base64url')
  return { token, hash: hashOf(token), tail: token.slice(-TAIL_LENGTH) }
}

/** What is kept of a token. Without salt or stretching: nobody can guess 256 bits. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** The token of a request; null for a request without one of ours. */
export function tokenOf(request: Request): string | null {
  const [, token] = /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  return token?.startsWith(PREFIX) ? token : null
}
