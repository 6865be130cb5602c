// What sign-in requests must meet in addition to better-auth's checks: an optional name, rate-limited guesses, no common password, the
// password to delete an account; and a password change ends the other sessions.
import { APIError, createAuthMiddleware, isAPIError } from 'better-auth/api'
import { z } from 'zod'
import { recordOwnAct } from '#server/platform/audit/own-acts.store.ts'
import type { Database } from '#server/platform/db/database.ts'
import { isStorable } from '#server/platform/lib/text/sanitize-payload.ts'
import type { Id } from '#shared/ids.ts'
import { PASSWORD_MIN, PERSON_NAME_MAX } from '#shared/limits.ts'
import { findHolder } from './ended-sessions.ts'
import { beforePasskey } from './factors/passkeys.ts'
import { demandHolder, demandRecentProof, type ProofParts } from './factors/proof-rules.ts'
import { countGuess, forgetGuesses, rememberSignIn, SIGN_IN_WINDOW_SECONDS } from './guesses.ts'
import { identifierOf, limitLetters } from './password-reset.ts'
import { isGuessable } from './password-rules.ts'
import { hasPassword } from './people.store.ts'
import { addressOf } from './request-address.ts'
import { findResetEmail } from './resets.store.ts'
import { withoutToken } from './session-endpoints.ts'
import { endOtherSessions } from './sessions.store.ts'

const SIGN_UP_FIELDS = new Set(['name', 'email', 'password', 'image', 'callbackURL', 'rememberMe'])

const body = z.looseObject({
  email: z.string().optional().catch(undefined),
  password: z.string().optional().catch(undefined),
  newPassword: z.string().optional().catch(undefined),
  token: z.string().optional().catch(undefined),
})
const profile = z.looseObject({
  name: z.string().trim().max(PERSON_NAME_MAX).optional(),
  image: z.string().startsWith('/files/avatars/').nullable().optional(),
})

type Rules = ProofParts & {
  /** Throws when no account can be made for an address. */
  demandOpenSignUp(email: string): Promise<void>
}

/** Runs before better-auth's own handler; may replace the body. */
export function beforeRequest({ database, proofs, demandOpenSignUp }: Rules) {
  return createAuthMiddleware(async (ctx) => {
    refuseUnstorable(ctx.body)
    if (ctx.path.startsWith('/passkey/')) return beforePasskey({ database, proofs }, ctx)
    const given = body.safeParse(ctx.body)
    if (!given.success) return
    await refuseGuessable(database, ctx, given.data)
    switch (ctx.path) {
      case '/sign-up/email': {
        await demandOpenSignUp(given.data.email ?? '')
        refuseUnknownFields(ctx.body)
        const { name } = readProfile(ctx.body)
        await limitAttempts(database, given.data.email, addressOf(ctx))
        return { context: { body: { ...ctx.body, name: name || nameOf(given.data.email) } } }
      }
      case '/update-user':
        if (!changesProfile(readProfile(ctx.body))) throw nothingToChange()
        return
      case '/change-password':
        await limitAttempts(database, (await demandHolder(database, ctx.headers)).email, addressOf(ctx))
        // better-auth would end the caller's own session too, and answer with another.
        return { context: { body: { ...ctx.body, revokeOtherSessions: false } } }
      case '/delete-user':
        await beforeDeletion({ database, proofs }, ctx, given.data.password)
        if (given.data.password && ctx.request) withPassword.add(ctx.request)
        return
      case '/request-password-reset':
      case '/send-verification-email':
        await limitLetters(database, given.data.email, addressOf(ctx))
        return
      case '/sign-in/email':
        await limitAttempts(database, given.data.email, addressOf(ctx))
        return
    }
  })
}

/** Runs after better-auth's own handler; may replace the answer. @param onPasswordChange called once a new password has been set */
export function afterRequest(database: Database, onPasswordChange: (user: Person, request?: Request) => Promise<void>) {
  return createAuthMiddleware(async (ctx) => {
    const email = ctx.context.newSession?.user.email
    const isSigningIn = ctx.path === '/sign-in/email' || ctx.path === '/sign-up/email'
    if (email !== undefined && isSigningIn) {
      await rememberSignIn(database, email, addressOf(ctx))
    }
    if (ctx.path === '/change-password' && ctx.context.session && !isAPIError(ctx.context.returned)) {
      const { session, user } = ctx.context.session
      await endOtherSessions(database.root, session, 'password')
      await forgetGuesses(database, { email: user.email, address: addressOf(ctx) })
      await onPasswordChange(user, ctx.request)
    }
    if (ctx.path === '/get-session') return shownSession(ctx.context.returned)
    await recordChange(database, ctx)
    return
  })
}

/** What changes how a person signs in or where they are signed in, by what the audit trail calls it. */
const RECORDED: Partial<Record<string, `account:${string}`>> = {
  '/change-password': 'account:changePassword',
  '/two-factor/confirm': 'account:enableTwoStep',
  '/two-factor/disable': 'account:disableTwoStep',
  '/two-factor/recovery-codes': 'account:renewRecoveryCodes',
  '/passkey/verify-registration': 'account:addPasskey',
  '/passkey/delete-passkey': 'account:removePasskey',
  '/revoke-session': 'account:endSession',
  '/revoke-other-sessions': 'account:endOtherSessions',
  '/revoke-sessions': 'account:endAllSessions',
}

async function recordChange(database: Database, ctx: HookContext): Promise<void> {
  const action = RECORDED[ctx.path]
  if (!action || !ctx.context.session || isAPIError(ctx.context.returned)) return
  const { session, user } = ctx.context.session
  const act = { userId: user.id as Id<'users'>, sessionId: session.id, action, address: addressOf(ctx) }
  await database.system('sign-in: audit', (db) => recordOwnAct(db, act))
}

function changesProfile({ name, image }: z.infer<typeof profile>): boolean {
  return name !== undefined || image !== undefined
}

function nothingToChange(): APIError {
  return new APIError('BAD_REQUEST', { code: 'NOTHING_TO_CHANGE', message: 'Name what is to be changed: name, image' })
}

const foundSession = z.object({ session: z.looseObject({ token: z.string() }), user: z.unknown() })

/** A caller has the token already, or must not be able to read it. Undefined: the answer is left as is. */
function shownSession(returned: unknown) {
  const { data } = foundSession.safeParse(returned)
  return data && { ...data, session: withoutToken(data.session) }
}

type Person = { id: string; email: string }
type Entered = z.infer<typeof body>
/** What better-auth passes to a hook. */
type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

/** For every request that sets a password. The library itself refuses short ones. */
async function refuseGuessable(database: Database, ctx: HookContext, given: Entered): Promise<void> {
  const { email, password, newPassword, token } = given
  const chosen = ctx.path === '/sign-up/email' ? password : newPassword
  if (chosen === undefined || chosen.length < PASSWORD_MIN) return
  const isReset = ctx.path === '/reset-password' && token !== undefined
  const owner = isReset
    ? await findResetEmail(database.root, identifierOf(token))
    : (email ?? (await findHolder(database, ctx.headers))?.email)
  if (!isGuessable(chosen, owner)) return
  throw new APIError('BAD_REQUEST', {
    code: 'PASSWORD_TOO_COMMON',
    message: 'Choose a password that is harder to guess',
  })
}

/** A guess at the password counts; an account without one asks for a recent sign-in. */
async function beforeDeletion({ database, proofs }: ProofParts, ctx: HookContext, password: string | undefined) {
  const holder = await demandHolder(database, ctx.headers)
  if (password) return limitAttempts(database, holder.email, addressOf(ctx))
  const isPasswordless = !(await hasPassword(database.root, holder.user_id))
  if (isPasswordless) await demandRecentProof({ database, proofs }, holder.id)
}

/** Requests that carry a password, which better-auth checks before it goes on. */
const withPassword = new WeakSet<Request>()

/**
 * A session alone, such as one left open on a device, must not delete an account.
 * @throws APIError when the account has a password and the request brings none
 */
export async function demandPassword(database: Database, userId: string, request: Request | undefined): Promise<void> {
  if (request && withPassword.has(request)) return
  if (!(await hasPassword(database.root, userId as Id<'users'>))) return
  throw new APIError('BAD_REQUEST', { code: 'PASSWORD_REQUIRED', message: 'Send the password of the account' })
}

/** No request nests its fields deeper. */
const BODY_DEPTH_MAX = 16

/** The database would fail on a text that it cannot store, wherever the library looks for it. */
function refuseUnstorable(value: unknown, depth = 0): void {
  const isText = typeof value === 'string'
  if (isText ? !isStorable(value) : depth > BODY_DEPTH_MAX) {
    throw new APIError('BAD_REQUEST', { code: 'VALIDATION_ERROR', message: 'Text with a NUL or half a character' })
  }
  if (isText || typeof value !== 'object' || value === null) return
  for (const inner of Object.values(value)) refuseUnstorable(inner, depth + 1)
}

/** better-auth ignores fields that it does not know; this rejects them. */
function refuseUnknownFields(given: object): void {
  const unknown = Object.keys(given).find((key) => !SIGN_UP_FIELDS.has(key))
  if (unknown !== undefined) {
    throw new APIError('BAD_REQUEST', { code: 'FIELD_NOT_ALLOWED', message: `${unknown} is not allowed to be set` })
  }
}

function readProfile(given: unknown): z.infer<typeof profile> {
  const parsed = profile.safeParse(given)
  if (parsed.success) return parsed.data
  throw new APIError('BAD_REQUEST', {
    code: 'INVALID_PROFILE',
    message: `Invalid ${String(parsed.error.issues[0]?.path[0])}`,
  })
}

function nameOf(email: string | undefined): string {
  return (email ?? '').split('@')[0]?.slice(0, PERSON_NAME_MAX) ?? ''
}

/** The same answer whether or not the account exists. */
async function limitAttempts(database: Database, email: string | undefined, address: string): Promise<void> {
  if (email === undefined) return
  if (await countGuess(database, { email, address })) return
  throw new APIError(
    'TOO_MANY_REQUESTS',
    { code: 'TOO_MANY_ATTEMPTS', message: 'Too many attempts for this account. Try again later.' },
    { 'x-retry-after': String(SIGN_IN_WINDOW_SECONDS) },
  )
}
