// Two-step sign-in. No session of an account that has it is opened unless a code was given: whichever way signing in begins, the database
// hook below puts a challenge in the place of the session, and POST /two-factor/verify exchanges that for one.
import { randomBytes } from 'node:crypto'
import type { BetterAuthPlugin, GenericEndpointContext } from 'better-auth'
import { APIError, createAuthEndpoint, getOAuthState, sensitiveSessionMiddleware } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'
import type { Database } from '#server/platform/db/database.ts'
import type { Secrets } from '#server/platform/lib/secrets.ts'
import type { Id } from '#shared/ids.ts'
import { countGuess, forgetGuesses, rememberSignIn } from '../guesses.ts'
import { hasPassword } from '../people.store.ts'
import { addressOf } from '../request-address.ts'
import { demandProof, type ProofParts } from './proof-rules.ts'
import { hashOfRecoveryCode, newRecoveryCodes, newTotpKey, stepOfCode, totpAddress } from './totp.ts'
import * as store from './two-step.store.ts'

const CHALLENGE_MS = 10 * 60 * 1000
/** The endpoints that have taken the second step, or need none: a passkey is something one has and, being verified, something one is or knows. */
const PAST_THE_SECOND_STEP = new Set(['/two-factor/verify', '/passkey/verify-authentication'])

type Parts = ProofParts & {
  database: Database
  secrets: Secrets
  /** What the installation is called now. */
  productName(): string
  /** Called after two-step sign-in was switched off. */
  onSwitchedOff(email: string): void
}
type UserId = Id<'users'>

const signedIn = { requireHeaders: true, use: [sensitiveSessionMiddleware] as [typeof sensitiveSessionMiddleware] }

const challenge = z.object({ userId: z.string(), isRemembered: z.boolean() })
const proof = z.object({ password: z.string().max(500).optional() })
const code = z
  .string()
  .trim()
  .regex(/^\d{3} ?\d{3}$/)
const answer = z
  .object({
    challenge: z.string().max(200),
    code: code.optional(),
    recoveryCode: z.string().trim().min(1).max(100).optional(),
  })
  .refine((given) => (given.code === undefined) !== (given.recoveryCode === undefined), {
    path: ['code'],
    error: 'code or recoveryCode is missing',
  })

/**
 * Runs before a session is created.
 * @throws APIError TWO_FACTOR_REQUIRED with the `challenge`, or the way to the sign-in page that carries it, for an account with two steps
 */
export function demandSecondStep(database: Database) {
  return async ({ userId }: { userId: string }, ctx: GenericEndpointContext | null): Promise<void> => {
    if (!(await store.hasTwoStep(database.root, userId as UserId))) return
    if (ctx && PAST_THE_SECOND_STEP.has(ctx.path)) return
    if (!ctx) throw new APIError('FORBIDDEN', { code: 'TWO_FACTOR_REQUIRED', message: 'A code is needed' })
    const token = randomBytes(24).toString('base64url')
    const isRemembered = (ctx.body as { rememberMe?: unknown } | undefined)?.rememberMe !== false
    await ctx.context.internalAdapter.createVerificationValue({
      identifier: identifierOf(token),
      value: JSON.stringify({ userId, isRemembered }),
      expiresAt: new Date(Date.now() + CHALLENGE_MS),
    })
    if (ctx.path.startsWith('/callback')) throw ctx.redirect(await codePageOf(token))
    throw new APIError('FORBIDDEN', { code: 'TWO_FACTOR_REQUIRED', message: 'A code is needed', challenge: token })
  }
}

/** The sign-in page of the site where a provider's sign-in began. */
async function codePageOf(token: string): Promise<string> {
  const state = await getOAuthState()
  const begun = typeof state?.callbackURL === 'string' ? state.callbackURL : '/'
  const url = new URL(begun, 'http://same.invalid')
  const query = new URLSearchParams({ challenge: token, from: url.pathname + url.search })
  return `${url.hostname === 'same.invalid' ? '' : url.origin}/signin?${query}`
}

/** The endpoints under /two-factor. */
export function twoStep(parts: Parts) {
  return {
    id: 'two-step',
    endpoints: { ...settingUp(parts), ...switching(parts), verifyTwoStep: verify(parts) },
  } satisfies BetterAuthPlugin
}

function settingUp(parts: Parts) {
  const { database, secrets } = parts
  return {
    readTwoStep: createAuthEndpoint('/two-factor/status', { method: 'GET', ...signedIn }, async (ctx) => {
      const userId = userIdOf(ctx)
      const found = await store.findTwoFactor(database.root, userId)
      return ctx.json({
        isOn: found?.is_confirmed ?? false,
        recoveryCodesLeft: found?.is_confirmed ? found.codes_left : 0,
        hasPassword: await hasPassword(database.root, userId),
      })
    }),
    enableTwoStep: createAuthEndpoint(
      '/two-factor/enable',
      { method: 'POST', ...signedIn, body: proof },
      async (ctx) => {
        await demandProof(parts, ctx, ctx.body.password)
        const [userId, key] = [userIdOf(ctx), newTotpKey()]
        const isProposed = await store.proposeKey(database.root, userId, secrets.encrypt(key, placeOf(userId)))
        if (!isProposed) throw new APIError('CONFLICT', { code: 'TWO_FACTOR_ON', message: 'Two-step sign-in is on' })
        ctx.setHeader('cache-control', 'no-store')
        return ctx.json({ key, totpURI: totpAddress(key, ctx.context.session.user.email, parts.productName()) })
      },
    ),
    confirmTwoStep: createAuthEndpoint(
      '/two-factor/confirm',
      { method: 'POST', ...signedIn, body: z.object({ code }) },
      async (ctx) => {
        const userId = userIdOf(ctx)
        await limitCodes(database, userId)
        const found = await store.findTwoFactor(database.root, userId)
        if (!found || found.is_confirmed) throw notSetUp()
        const step = stepOfCode(secrets.decrypt(found.secret, placeOf(userId)), digitsOf(ctx.body.code), Date.now())
        if (step === undefined) throw wrongCode()
        const recoveryCodes = newRecoveryCodes()
        const codes = recoveryCodes.map((plain) => hashOfRecoveryCode(userId, plain))
        if (!(await store.confirmKey(database, userId, { step, codes }))) throw notSetUp()
        await forgetGuesses(database, { codesOf: userId })
        ctx.setHeader('cache-control', 'no-store')
        return ctx.json({ recoveryCodes })
      },
    ),
  }
}

function switching(parts: Parts) {
  const { database } = parts
  return {
    disableTwoStep: createAuthEndpoint(
      '/two-factor/disable',
      { method: 'POST', ...signedIn, body: proof },
      async (ctx) => {
        await demandProof(parts, ctx, ctx.body.password)
        const isChanged = await store.removeTwoFactor(database, userIdOf(ctx))
        if (isChanged) parts.onSwitchedOff(ctx.context.session.user.email)
        return ctx.json({ status: true })
      },
    ),
    renewRecoveryCodes: createAuthEndpoint(
      '/two-factor/recovery-codes',
      { method: 'POST', ...signedIn, body: proof },
      async (ctx) => {
        await demandProof(parts, ctx, ctx.body.password)
        const [userId, recoveryCodes] = [userIdOf(ctx), newRecoveryCodes()]
        const hashes = recoveryCodes.map((plain) => hashOfRecoveryCode(userId, plain))
        if (!(await store.replaceRecoveryCodes(database.root, userId, hashes))) throw notSetUp()
        ctx.setHeader('cache-control', 'no-store')
        return ctx.json({ recoveryCodes })
      },
    ),
  }
}

function verify({ database, secrets }: Parts) {
  return createAuthEndpoint('/two-factor/verify', { method: 'POST', body: answer }, async (ctx) => {
    const { internalAdapter } = ctx.context
    const identifier = identifierOf(ctx.body.challenge)
    const row = await internalAdapter.findVerificationValue(identifier)
    if (!row || row.expiresAt < new Date()) throw challengeExpired()
    const { userId, isRemembered } = challenge.parse(JSON.parse(row.value))
    await limitCodes(database, userId)
    if (!(await isRight({ database, secrets }, userId as UserId, ctx.body))) throw wrongCode()
    const consumed = await internalAdapter.consumeVerificationValue(identifier)
    const user = consumed && (await internalAdapter.findUserById(userId))
    if (!user) throw challengeExpired()
    await forgetGuesses(database, { codesOf: userId })
    await rememberSignIn(database, user.email, addressOf(ctx))
    const session = await internalAdapter.createSession(userId, !isRemembered)
    await setSessionCookie(ctx, { session, user }, !isRemembered)
    const { id, name, email } = user
    return ctx.json({ token: session.token, user: { id, name, email } })
  })
}

/** Whether a code is right and was not spent. It is spent by this. */
async function isRight(
  { database, secrets }: Pick<Parts, 'database' | 'secrets'>,
  userId: UserId,
  given: Pick<z.infer<typeof answer>, 'code' | 'recoveryCode'>,
): Promise<boolean> {
  if (given.recoveryCode !== undefined)
    return store.spendRecoveryCode(database.root, userId, hashOfRecoveryCode(userId, given.recoveryCode))
  const found = await store.findTwoFactor(database.root, userId)
  if (!found?.is_confirmed) return false
  const key = secrets.decrypt(found.secret, placeOf(userId))
  const step = stepOfCode(key, digitsOf(given.code ?? ''), Date.now())
  return step !== undefined && store.spendStep(database.root, userId, step)
}

/** @throws APIError TOO_MANY_ATTEMPTS */
async function limitCodes(database: Database, userId: string): Promise<void> {
  if (await countGuess(database, { codesOf: userId })) return
  throw new APIError('TOO_MANY_REQUESTS', { code: 'TOO_MANY_ATTEMPTS', message: 'Too many codes. Try again later.' })
}

function userIdOf(ctx: { context: { session: { user: { id: string } } } }): UserId {
  return ctx.context.session.user.id as UserId
}

function placeOf(userId: UserId): string {
  return `two_factors|${userId}|secret`
}

function identifierOf(token: string): string {
  return `two-step:${token}`
}

function digitsOf(text: string): string {
  return text.replace(' ', '')
}

function wrongCode(): APIError {
  return new APIError('BAD_REQUEST', { code: 'INVALID_CODE', message: 'The code is wrong, or was used before' })
}

function notSetUp(): APIError {
  return new APIError('BAD_REQUEST', { code: 'TWO_FACTOR_NOT_ENABLED', message: 'Two-step sign-in is not set up' })
}

function challengeExpired(): APIError {
  return new APIError('UNAUTHORIZED', { code: 'CHALLENGE_EXPIRED', message: 'Sign in again: too much time went by' })
}
