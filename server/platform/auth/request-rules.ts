// What sign-in requests must meet in addition to better-auth's checks: an optional name, rate-limited guesses, no common password, the
// password to delete an account; and a password change ends the other sessions.
import { createHash } from 'node:crypto'
import type { BetterAuthOptions } from 'better-auth'
import { APIError, createAuthMiddleware, getIP, getSessionFromCtx, isAPIError } from 'better-auth/api'
import { z } from 'zod'
import type { Database } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { PASSWORD_MIN, PERSON_NAME_MAX } from '#shared/limits.ts'
import { clearAttempts, countAttempt, isRemembered, rememberAddress } from './account-limit.store.ts'
import { isGuessable } from './password-rules.ts'
import { endOtherSessions, hasPassword } from './people.store.ts'
import { withoutToken } from './session-endpoints.ts'

/** Attempts at one account's password: shared by all unknown addresses, and separate for each address that has signed in to it before. */
export const SIGN_IN_ATTEMPTS = 10
/** The window of these attempts. */
export const SIGN_IN_WINDOW_SECONDS = 15 * 60
/** How long an address stays known after a sign-in. */
const KNOWN_ADDRESS_MS = 90 * 24 * 60 * 60 * 1000

const SIGN_UP_FIELDS = new Set(['name', 'email', 'password', 'image', 'callbackURL', 'rememberMe'])

const body = z.looseObject({
  email: z.string().optional().catch(undefined),
  password: z.string().optional().catch(undefined),
  newPassword: z.string().optional().catch(undefined),
})
const profile = z.looseObject({
  name: z.string().trim().max(PERSON_NAME_MAX).optional(),
  image: z.string().startsWith('/files/avatars/').nullable().optional(),
})

/** Runs before better-auth's own handler; may replace the body. @param demandOpenSignUp throws when no account can be made */
export function beforeRequest(database: Database, demandOpenSignUp: () => Promise<void>) {
  return createAuthMiddleware(async (ctx) => {
    const given = body.safeParse(ctx.body)
    if (!given.success) return
    await refuseGuessable(ctx, given.data)
    switch (ctx.path) {
      case '/sign-up/email': {
        await demandOpenSignUp()
        refuseUnknownFields(ctx.body)
        const { name } = readProfile(ctx.body)
        await limitAttempts(database, given.data.email, addressOf(ctx))
        return { context: { body: { ...ctx.body, name: name || nameOf(given.data.email) } } }
      }
      case '/update-user':
        if (!changesProfile(readProfile(ctx.body))) throw nothingToChange()
        return
      case '/change-password':
        // better-auth would end the caller's own session too, and answer with another.
        return { context: { body: { ...ctx.body, revokeOtherSessions: false } } }
      case '/delete-user':
        if (given.data.password && ctx.request) withPassword.add(ctx.request)
        return
      case '/sign-in/email':
        await limitAttempts(database, given.data.email, addressOf(ctx))
        return
    }
  })
}

/** Runs after better-auth's own handler; may replace the answer. */
export function afterRequest(database: Database) {
  return createAuthMiddleware(async (ctx) => {
    const email = ctx.context.newSession?.user.email
    const isSigningIn = ctx.path === '/sign-in/email' || ctx.path === '/sign-up/email'
    if (email !== undefined && isSigningIn) {
      const address = addressOf(ctx)
      for (const key of [keyOf(email), keyOf(email, address)]) await clearAttempts(database.root, key)
      await rememberAddress(database.root, knownKeyOf(email, address), Date.now())
    }
    if (ctx.path === '/change-password' && ctx.context.session && !isAPIError(ctx.context.returned)) {
      await endOtherSessions(database.root, ctx.context.session.session)
    }
    if (ctx.path === '/get-session') return shownSession(ctx.context.returned)
    return
  })
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

type Entered = z.infer<typeof body>
/** What better-auth passes to a hook. */
type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

/** For every request that sets a password. The library itself refuses short ones. */
async function refuseGuessable(ctx: HookContext, { email, password, newPassword }: Entered): Promise<void> {
  const chosen = ctx.path === '/sign-up/email' ? password : newPassword
  if (chosen === undefined || chosen.length < PASSWORD_MIN) return
  const owner = email ?? (await getSessionFromCtx(ctx))?.user.email
  if (!isGuessable(chosen, owner)) return
  throw new APIError('BAD_REQUEST', {
    code: 'PASSWORD_TOO_COMMON',
    message: 'Choose a password that is harder to guess',
  })
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
  const windowMs = SIGN_IN_WINDOW_SECONDS * 1000
  // An attacker at another address must not lock out a user at an address they signed in from before.
  const isKnown = await isRemembered(database.root, knownKeyOf(email, address), Date.now() - KNOWN_ADDRESS_MS)
  const key = isKnown ? keyOf(email, address) : keyOf(email)
  const attempts = await countAttempt(database.root, key, windowMs, Date.now())
  if (attempts <= SIGN_IN_ATTEMPTS) return
  throw new APIError(
    'TOO_MANY_REQUESTS',
    { code: 'TOO_MANY_ATTEMPTS', message: 'Too many attempts for this account. Try again later.' },
    { 'x-retry-after': String(SIGN_IN_WINDOW_SECONDS) },
  )
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

/** IPv6 networks count as one address. Empty when the address is unknown. */
function addressOf({ headers, context }: { headers?: Headers | undefined; context: { options: BetterAuthOptions } }) {
  return (headers && getIP(headers, context.options)) || ''
}
