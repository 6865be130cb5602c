// The sign-in service under /api/auth (better-auth) and the answer to "who sends this request?".
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { isAPIError } from 'better-auth/api'
import { bearer } from 'better-auth/plugins/bearer'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/platform/db/database.ts'
import { unlessOutage } from '#server/platform/db/engine/outage.ts'
import { isOwnOrigin, type OriginRules } from '#server/platform/lib/http/origins.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import type { Secrets } from '#server/platform/lib/secrets.ts'
import type { Id } from '#shared/ids.ts'
import { PASSWORD_MIN } from '#shared/limits.ts'
import type { SecretRing } from './application-secret.ts'
import { crossDomain } from './cross-domain.ts'
import { sessionTokenOf, withEndReason } from './ended-sessions.ts'
import { passkeys } from './factors/passkeys.ts'
import type { PasswordHashing, Proofs } from './factors/proof.ts'
import { proofEndpoint } from './factors/proof-rules.ts'
import { demandSecondStep, twoStep } from './factors/two-step.ts'
import { googlePlugin } from './google.ts'
import { forgetGuesses, meetDevice, SIGN_IN_WINDOW_SECONDS } from './guesses.ts'
import { hashingDatabase, hashOfToken } from './hashed-tokens.ts'
import { letterSender, type SendLetter } from './letters.ts'
import { finishReset, RESET_SECONDS, resetPath } from './password-reset.ts'
import { isForPrograms, isTokenRequest, refuseUnmounted } from './paths.ts'
import { findEmail } from './people.store.ts'
import {
  demandOpenSignUp,
  demandUnlocked,
  firstAccount,
  isSignUpOpen,
  type LeaveOrganizations,
  needsProof,
  prepareDeletion,
  promoteListed,
  promoteNew,
  type RemoveOrganization,
  type SignUpParts,
  signUpNow,
  warnWithoutAdmin,
} from './people.ts'
import { createRealtimeTokens, type TokenIdentity } from './realtime-tokens.ts'
import { maskedAddress } from './request-address.ts'
import { afterRequest, beforeRequest, demandPassword } from './request-rules.ts'
import { forgetResets } from './resets.store.ts'
import { generateId, rateLimitStorage, storage } from './schema.ts'
import { sessionEndpoints } from './session-endpoints.ts'
import { recordAddress } from './sessions.store.ts'
import { signUpEndpoint } from './sign-up.ts'
import { resigner, signInSecret } from './signed-cookies.ts'
import { type FindWorkplace, realtimeTokenPlugin } from './token-plugin.ts'

/** Header in which http.ts hands over the client's address; whatever a client sends under this name is dropped there. */
export const CLIENT_ADDRESS_HEADER = 'x-parley-client-address'

/** Who sends a request. The caller checks whether the session is still valid, and whether they belong to the organization they name. */
export type Identity = Pick<TokenIdentity, 'userId' | 'sessionId' | 'namedOrganizationId'>

export interface Auth {
  /** Whether people without an account can make one. */
  isSignUpOpen(): Promise<boolean>
  /** Who may make an account now. */
  signUpNow(): Promise<Config['signUp']>
  /** Whether the next account is the first of the installation, and whether it becomes admin. */
  firstAccount(): Promise<{ isFirst: boolean; makesAdmin: boolean }>
  /** Answers a request under /api/auth. */
  handle(request: Request): Promise<Response>
  /** Null for anything but a valid token of the realtime connection. */
  verifyToken(token: string): Promise<TokenIdentity | null>
  /**
   * By realtime token, session token or cookie; null for an anonymous request.
   * A cookie is accepted for reads, and for writes only when the page that sends it is one of ours. Without a realtime token, which may be
   * for one organization only, `?organization=` names it.
   */
  identify(request: Request): Promise<Identity | null>
}

export type AuthParts = {
  config: Pick<Config, 'publicUrl' | 'allowedOrigins' | 'adminEmails' | 'signUp' | 'mail' | 'googleSignIn'>
  origins: OriginRules
  database: Database
  secrets: Secrets
  ring: SecretRing
  leaveOrganizations: LeaveOrganizations
  /** Puts a letter into the outbox. */
  sendLetter: SendLetter
  removeOrganization: RemoveOrganization
  findWorkplace: FindWorkplace
  hasOpenInvite: SignUpParts['hasOpenInvite']
  /** What the installation is called now, for authenticator apps and passkeys. */
  productName(): string
  isSignUpAllowed: SignUpParts['isSignUpAllowed']
  /** Defaults to better-auth's own: scrypt with a salt. */
  passwords?: PasswordHashing | undefined
  proofs: Proofs
  log: Logger
}

/** Makes the sign-in service. */
export async function createAuth(parts: AuthParts): Promise<Auth> {
  const { config, database, origins } = parts
  // Where no address is configured, servers of one installation may guess different ones; their keys are the same.
  const issuer = origins.acceptsRequestHost ? 'parley' : config.publicUrl
  const tokens = await createRealtimeTokens(database, parts.secrets, issuer)
  await promoteListed(database, config, parts.log)
  await warnWithoutAdmin(database, parts.log)
  const options = signInOptions(parts)
  const resign = resigner(parts.ring)
  const send = letterSender(parts)
  const passkey = passkeys({ ...parts, publicUrl: config.publicUrl, allowedOrigins: config.allowedOrigins })
  const auth = betterAuth({
    ...options,
    database: await hashingDatabase({ ...options, plugins: [passkey] }),
    plugins: [
      bearer(),
      sessionEndpoints(database),
      realtimeTokenPlugin(tokens, parts.findWorkplace),
      signUpEndpoint({ database, tellOwner: (to, request) => send(to, { kind: 'sign-up-attempt' }, request) }),
      proofEndpoint(parts),
      twoStep({ ...parts, onSwitchedOff: (email) => send(email, { kind: 'two-step-off' }) }),
      passkey,
      ...(config.googleSignIn ? [googlePlugin(config.googleSignIn)] : []),
      ...(config.allowedOrigins.length > 0 ? [crossDomain(config.allowedOrigins)] : []),
    ],
  })

  return {
    isSignUpOpen: () => isSignUpOpen(database, config),
    signUpNow: () => signUpNow(parts),
    firstAccount: () => firstAccount(database, config),
    handle: async (request) => {
      const refusal = refuseUnmounted(request, config)
      if (refusal) return refusal
      resign(request.headers)
      const answer = await unlessOutage(
        () => auth.handler(request),
        ({ status }) => status >= 400,
      )
      if (!isForPrograms(request)) answer.headers.delete('set-auth-token')
      if (answer.ok && isTokenRequest(request)) noteAddress(parts, request)
      return withEndReason(database, request, answer)
    },
    verifyToken: (token) => tokens.verify(token),
    async identify(request) {
      const bearerToken = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
      if (bearerToken?.split('.').length === 3) return tokens.verify(bearerToken)
      if (!bearerToken && !isSafe(request, origins)) return null
      const query = { disableRefresh: true }
      const headers = new Headers(request.headers)
      resign(headers)
      const found = await unlessOutage(
        () => auth.api.getSession({ headers, query }),
        (session) => session === null,
      )
      if (!found) return null
      return {
        userId: found.user.id as Id<'users'>,
        sessionId: found.session.id as Id<'sessions'>,
        namedOrganizationId: new URL(request.url).searchParams.get('organization') as Id<'organizations'> | null,
      }
    },
  }
}

/** The client's address as http.ts hands it over; empty when unknown. */
function addressIn(request: Request | undefined): string {
  return request?.headers.get(CLIENT_ADDRESS_HEADER) ?? ''
}

/** Options of better-auth, without the plugins that need keys. */
export function signInOptions(parts: AuthParts) {
  const { config, origins, database, ring, proofs, log } = parts
  const send = letterSender(parts)
  return {
    ...storage,
    appName: 'Parley',
    baseURL: config.publicUrl,
    secret: signInSecret(ring.current),
    database: { db: database.root, type: 'postgres' as const },
    trustedOrigins: async (request?: Request) => trustedOrigins(origins, request),
    emailAndPassword: passwordOptions(parts, send),
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: false,
      expiresIn: CONFIRMATION_SECONDS,
      sendVerificationEmail: async ({ user, token }: { user: { email: string }; token: string }, request?: Request) =>
        send(user.email, { kind: 'confirm-email', path: `/verify-email?token=${token}` }, request),
    },
    user: {
      ...storage.user,
      deleteUser: {
        enabled: true,
        beforeDelete: async (user: Account, request?: Request) => {
          await demandPassword(database, user.id, request)
          await prepareDeletion(database, user, { ...parts, address: addressIn(request) })
        },
        afterDelete: async () => warnWithoutAdmin(database, log),
      },
    },
    databaseHooks: {
      user: {
        create: {
          before: async ({ email }: { email: string }) => demandOpenSignUp(parts, email),
          after: async (user: Account) => promoteNew(database, config, log, user),
        },
        update: {
          after: async (user: Account) => {
            if (user.emailVerified) await promoteListed(database, config, log, user.id)
          },
        },
      },
      session: {
        create: {
          before: async (session, ctx) => {
            await demandUnlocked(database, session.userId)
            await demandSecondStep(database)(session, ctx)
          },
          after: async (session: OpenedSession, ctx: { path?: string } | null) => {
            await promoteListed(database, config, log, session.userId)
            await announceDevice(parts, session, ctx?.path)
          },
        },
      },
    },
    hooks: {
      before: beforeRequest({ database, proofs, demandOpenSignUp: (email) => demandOpenSignUp(parts, email) }),
      after: afterRequest(database, async ({ id, email }, request) => {
        await forgetResets(database.root, id as Id<'users'>)
        send(email, { kind: 'password-changed' }, request)
      }),
    },
    rateLimit: { enabled: true, ...rateLimitStorage, window: 60, max: 300, customRules: limits },
    advanced: {
      cookiePrefix: 'parley',
      disableOriginCheck: false,
      disableCSRFCheck: false,
      database: { generateId },
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER], ipv6Subnet: 64 as const },
    },
    onAPIError: { errorURL: `${config.publicUrl}/signin`, onError: (error: unknown) => reportBug(log, error) },
    telemetry: { enabled: false },
    logger: authLogger(log),
  } satisfies BetterAuthOptions
}

/** Of accounts with a password. */
function passwordOptions({ config, database, passwords, log }: AuthParts, send: ReturnType<typeof letterSender>) {
  return {
    enabled: true,
    minPasswordLength: PASSWORD_MIN,
    autoSignIn: true,
    ...(passwords && { password: passwords }),
    requireEmailVerification: needsProof(config),
    onExistingUserSignUp: async ({ user }: { user: Named }, request?: Request) =>
      send(user.email, { kind: 'sign-up-attempt' }, request),
    resetPasswordTokenExpiresIn: RESET_SECONDS,
    sendResetPassword: async ({ user, token }: { user: Named; token: string }, request?: Request) =>
      send(user.email, { kind: 'reset-password', path: resetPath(token) }, request),
    onPasswordReset: async ({ user }: { user: Account }, request?: Request) => {
      await database.system('sign-in: reset password', (db) =>
        finishReset(db, user.id as Id<'users'>, addressIn(request)),
      )
      await forgetGuesses(database, user)
      await promoteListed(database, config, log, user.id)
      send(user.email, { kind: 'password-changed' }, request)
    },
  } satisfies BetterAuthOptions['emailAndPassword']
}

/** How long the link of a letter that confirms an address is good. */
const CONFIRMATION_SECONDS = 24 * 60 * 60

type Named = { email: string }
type Account = { id: string; email: string; emailVerified: boolean }
type OpenedSession = { userId: string; userAgent?: string | null | undefined; ipAddress?: string | null | undefined }

/** Per address and path. Requests that only read a session are not counted: counting would cost more than it saves. */
const limits = {
  '/sign-up/email': { window: 60, max: 30 },
  '/sign-in/*': { window: 60, max: 30 },
  '/change-password': { window: SIGN_IN_WINDOW_SECONDS, max: 10 },
  '/two-factor/*': { window: 60, max: 30 },
  '/passkey/*': { window: 60, max: 60 },
  '/send-verification-email': { window: 60, max: 10 },
  '/request-password-reset': { window: 60, max: 10 },
  '/reset-password': { window: 60, max: 10 },
  '/get-session': false,
  '/token': false,
  '/jwks': false,
} as const

function trustedOrigins(origins: OriginRules, request: Request | undefined): string[] {
  const listed = [new URL(origins.publicUrl).origin, ...origins.allowedOrigins]
  const origin = request?.headers.get('origin')
  return origin && isOwnOrigin(origins, origin, request?.headers.get('host') ?? null) ? [...listed, origin] : listed
}

function isSafe(request: Request, origins: OriginRules): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return true
  const origin = request.headers.get('origin')
  return origin !== null && isOwnOrigin(origins, origin, request.headers.get('host'))
}

/** An open page asks for a token every ten minutes: from where it does so, the session was used last. Not waited for. */
function noteAddress({ database, log }: AuthParts, request: Request): void {
  const [token, address] = [sessionTokenOf(request), request.headers.get(CLIENT_ADDRESS_HEADER)]
  if (token === undefined || !address) return
  recordAddress(database.root, hashOfToken(token), address).catch((error: unknown) =>
    log.warn({ err: error }, 'the address of a session was not recorded'),
  )
}

/** Writes to the owner when a session was opened on a device that the account did not know. A new account knows its first. */
async function announceDevice(parts: AuthParts, session: OpenedSession, path: string | undefined): Promise<void> {
  const { database } = parts
  const device = await meetDevice(database, session.userId, session.userAgent ?? '')
  if (device === 'known' || path === undefined || path === '/sign-up/email') return
  const email = await findEmail(database.root, session.userId as Id<'users'>)
  if (!email) return
  const place = maskedAddress(session.ipAddress ?? null)
  letterSender(parts)(email, { kind: 'new-sign-in', device: session.userAgent ?? '', place, at: Date.now() })
}
function authLogger(log: Logger) {
  return {
    level: 'warn' as const,
    log: (level: 'debug' | 'info' | 'success' | 'warn' | 'error', message: string) =>
      log[level === 'success' ? 'info' : level](`sign-in: ${message}`),
  }
}

/** Refusals are expected answers; anything else thrown is a bug. */
function reportBug(log: Logger, error: unknown): void {
  if (!isAPIError(error)) log.error({ err: error }, 'sign-in: request failed')
}
