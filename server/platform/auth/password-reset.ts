// A forgotten password: how many letters are sent, and what a reset does besides setting the password.
import { createHash } from 'node:crypto'
import { APIError } from 'better-auth/api'
import { generateRandomString } from 'better-auth/crypto'
import { recordOwnAct } from '#server/platform/audit/own-acts.store.ts'
import type { Database, Db } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { countInWindow } from './account-limit.store.ts'
import { hashOfToken } from './hashed-tokens.ts'
import { findIdByEmail, proveEmail } from './people.store.ts'
import { forgetResets, insertReset } from './resets.store.ts'
import { endAllSessions } from './sessions.store.ts'

/** How long a link is good. */
export const RESET_SECONDS = 60 * 60
/** Letters to one account within an hour, from wherever they are asked for. */
const LETTERS_PER_ACCOUNT = 3
/** Letters that one address on the network may ask for within an hour: an office shares one. */
const LETTERS_PER_ADDRESS = 10
const HOUR_MS = 60 * 60 * 1000

/** The same answer whether or not the account exists. @throws APIError TOO_MANY_LETTERS */
export async function limitLetters(database: Database, email: string | undefined, address: string): Promise<void> {
  if (email === undefined) return
  const counts = [
    { key: `letters|${digest(email.trim().toLowerCase())}`, most: LETTERS_PER_ACCOUNT },
    { key: `letters-from|${digest(address)}`, most: LETTERS_PER_ADDRESS },
  ]
  for (const { key, most } of counts) {
    if ((await countInWindow(database.root, key, HOUR_MS, Date.now())) <= most) continue
    throw new APIError(
      'TOO_MANY_REQUESTS',
      { code: 'TOO_MANY_LETTERS', message: 'Too many letters were asked for. Try again in an hour.' },
      { 'x-retry-after': String(HOUR_MS / 1000) },
    )
  }
}

/** Ends every session and other link of an account whose password was reset, and proves its address: the link came from there. */
export async function finishReset(db: Db, userId: Id<'users'>, address: string): Promise<void> {
  await proveEmail(db, userId)
  await endAllSessions(db, userId, 'password')
  await forgetResets(db, userId)
  await recordOwnAct(db, { userId, sessionId: null, action: 'account:resetPassword', address })
}

/** Where the letter leads. */
export function resetPath(token: string): string {
  return `/reset?token=${encodeURIComponent(token)}`
}

/** A link that resets the password of an account, for the operator who prints it. Null: no account has this address. */
export async function makeResetPath(database: Database, email: string): Promise<string | null> {
  const userId = await findIdByEmail(database.root, email)
  if (!userId) return null
  const token = generateRandomString(24, 'a-z', 'A-Z', '0-9')
  const expiresAt = new Date(Date.now() + RESET_SECONDS * 1000)
  await insertReset(database.root, { identifier: identifierOf(token), userId, expiresAt })
  return resetPath(token)
}

/** How the row of a link is found. */
export function identifierOf(token: string): string {
  return hashOfToken(`reset-password:${token}`)
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
