// What requests must prove that change how an account is signed in to.
import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthEndpoint, sensitiveSessionMiddleware } from 'better-auth/api'
import { z } from 'zod'
import type { Database } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { findHolder } from '../ended-sessions.ts'
import { recordProof } from '../sessions.store.ts'
import type { Proof, Proofs } from './proof.ts'

export type ProofParts = { database: Database; proofs: Proofs }
type Signed = { context: { session: { user: { id: string; email: string }; session: { id: string } } } }

const REFUSALS = {
  password_required: ['BAD_REQUEST', 'PASSWORD_REQUIRED', 'Send the password of the account'],
  password_wrong: ['BAD_REQUEST', 'INVALID_PASSWORD', 'The password is wrong'],
  sign_in_again: ['FORBIDDEN', 'SESSION_NOT_FRESH', 'Sign out and in again first'],
  too_many_attempts: ['TOO_MANY_REQUESTS', 'TOO_MANY_ATTEMPTS', 'Too many attempts for this account. Try again later.'],
} as const satisfies Record<Exclude<Proof, 'proven'>, readonly [string, string, string]>

/** @throws APIError unless the password is right or, for an account without one, the session is new */
export async function demandProof({ proofs }: ProofParts, ctx: Signed, password: string | undefined): Promise<void> {
  const { user, session } = ctx.context.session
  const prover = { userId: user.id as Id<'users'>, sessionId: session.id as Id<'sessions'>, email: user.email }
  const proof = await proofs.prove(prover, password)
  if (proof === 'proven') return
  const [status, code, message] = REFUSALS[proof]
  throw new APIError(status, { code, message })
}

/** @throws APIError unless the session was opened, or proved itself by a password, just now */
export async function demandRecentProof({ proofs }: ProofParts, sessionId: string): Promise<void> {
  if (await proofs.isRecent(sessionId as Id<'sessions'>)) return
  const [status, code, message] = REFUSALS.sign_in_again
  throw new APIError(status, { code, message })
}

/** Whose session a request brings, in a hook. @throws APIError when it brings none */
export async function demandHolder(database: Database, headers: Headers | undefined) {
  const holder = await findHolder(database, headers)
  if (!holder) throw new APIError('UNAUTHORIZED', { code: 'UNAUTHORIZED', message: 'Sign in first' })
  return holder
}

/** POST /prove `{ password }`: for ten minutes the session may do what asks for a recent proof. */
export function proofEndpoint(parts: ProofParts) {
  return {
    id: 'proof',
    endpoints: {
      prove: createAuthEndpoint(
        '/prove',
        {
          method: 'POST',
          requireHeaders: true,
          use: [sensitiveSessionMiddleware],
          body: z.object({ password: z.string().max(500) }),
        },
        async (ctx) => {
          await demandProof(parts, ctx, ctx.body.password)
          await recordProof(parts.database.root, ctx.context.session.session.id as Id<'sessions'>, new Date())
          return ctx.json({ status: true })
        },
      ),
    },
  } satisfies BetterAuthPlugin
}
