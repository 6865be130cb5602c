// How often the password, or a code, of one account may be guessed: counted in the shared database, over all addresses and servers.
import { createHash } from 'node:crypto'
import type { Database } from '#server/platform/db/database.ts'
import { clearAttempts, countAttempt, isRemembered, rememberAddress } from './account-limit.store.ts'

/** Attempts at one account's password: shared by all unknown addresses, and separate for each address that has signed in to it before. */
export const SIGN_IN_ATTEMPTS = 10
/** The window of these attempts. */
export const SIGN_IN_WINDOW_SECONDS = 15 * 60
/** How long an address stays known after a sign-in. */
const KNOWN_ADDRESS_MS = 90 * 24 * 60 * 60 * 1000

/** What is guessed at: the password of an account by its e-mail, from an address; or the codes of a user. */
type Guessed = { email: string; address?: string } | { codesOf: string }

/** Counts one guess. @returns false when there were too many */
export async function countGuess(database: Database, guessed: Guessed): Promise<boolean> {
  const key = await keyOfGuess(database, guessed)
  const attempts = await countAttempt(database.root, key, SIGN_IN_WINDOW_SECONDS * 1000, Date.now())
  return attempts <= SIGN_IN_ATTEMPTS
}

/** After a right one. */
export async function forgetGuesses(database: Database, guessed: Guessed): Promise<void> {
  const keys = 'codesOf' in guessed ? [codesKeyOf(guessed.codesOf)] : passwordKeysOf(guessed)
  for (const key of keys) await clearAttempts(database.root, key)
}

/** From now on an address has attempts of its own. */
export async function rememberSignIn(database: Database, email: string, address: string): Promise<void> {
  await forgetGuesses(database, { email, address })
  await rememberAddress(database.root, knownKeyOf(email, address), Date.now())
}

/** Whether a device is new to an account that has known others, by what it calls itself; it is known from now on. */
export async function meetDevice(database: Database, userId: string, userAgent: string): Promise<'new' | 'known'> {
  const any = `device|${userId}`
  const own = `${any}|${digest(userAgent)}`
  const [now, since] = [Date.now(), Date.now() - KNOWN_ADDRESS_MS]
  const hasOthers = await isRemembered(database.root, any, since)
  const isKnown = !hasOthers || (await isRemembered(database.root, own, since))
  for (const key of [any, own]) await rememberAddress(database.root, key, now)
  return isKnown ? 'known' : 'new'
}

async function keyOfGuess(database: Database, guessed: Guessed): Promise<string> {
  if ('codesOf' in guessed) return codesKeyOf(guessed.codesOf)
  const { email, address } = guessed
  if (address === undefined) return keyOf(email)
  // An attacker at another address must not lock out a user at an address they signed in from before.
  const isKnown = await isRemembered(database.root, knownKeyOf(email, address), Date.now() - KNOWN_ADDRESS_MS)
  return isKnown ? keyOf(email, address) : keyOf(email)
}

function passwordKeysOf({ email, address }: { email: string; address?: string }): string[] {
  return address === undefined ? [keyOf(email)] : [keyOf(email), keyOf(email, address)]
}

function codesKeyOf(userId: string): string {
  return `codes|${userId}`
}

function keyOf(email: string, address?: string): string {
  return `account|${digest(email.trim().toLowerCase())}${address === undefined ? '' : `|${digest(address)}`}`
}

function knownKeyOf(email: string, address: string): string {
  return `known-${keyOf(email, address)}`
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
