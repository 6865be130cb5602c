// Proof that the person behind a session is the owner of the account: the password of an account that has one, else a recent sign-in.
import { verifyPassword } from 'better-auth/crypto'
import type { Database } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { countGuess, forgetGuesses } from '../guesses.ts'
import { findPassword } from '../people.store.ts'
import { findProof } from '../sessions.store.ts'

/** How long after signing in, or after a password was entered, no further proof is asked for. */
const RECENT_MS = 10 * 60 * 1000

/** How passwords are stored. `verify`: whether the password matches the hash. */
export type PasswordHashing = {
  hash(password: string): Promise<string>
  verify(given: { hash: string; password: string }): Promise<boolean>
}

type Prover = { userId: Id<'users'>; sessionId: Id<'sessions'>; email: string }
/** What is missing, if anything. */
export type Proof = 'proven' | 'password_required' | 'password_wrong' | 'sign_in_again' | 'too_many_attempts'

export interface Proofs {
  /** Whether a password, or a recent sign-in where the account has none, shows that it is the owner. Wrong passwords count as guesses. */
  prove(prover: Prover, password: string | undefined): Promise<Proof>
  /** Whether the session was opened, or proved itself by a password, just now. */
  isRecent(sessionId: Id<'sessions'>): Promise<boolean>
}

/** `passwords`: as of `AuthParts`. */
export function createProofs(database: Database, passwords: PasswordHashing | undefined): Proofs {
  const verify = passwords?.verify ?? verifyPassword
  const isRecent = async (sessionId: Id<'sessions'>) => {
    const provenAt = await findProof(database.root, sessionId)
    return provenAt !== undefined && Date.now() - provenAt.getTime() < RECENT_MS
  }
  return {
    isRecent,
    async prove({ userId, sessionId, email }, password) {
      const hash = await findPassword(database.root, userId)
      if (hash === undefined) return (await isRecent(sessionId)) ? 'proven' : 'sign_in_again'
      if (!password) return 'password_required'
      if (!(await countGuess(database, { email }))) return 'too_many_attempts'
      if (!(await verify({ hash, password }))) return 'password_wrong'
      await forgetGuesses(database, { email })
      return 'proven'
    },
  }
}
