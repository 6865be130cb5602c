// The sign-in service under /api/auth (better-auth) and the answer to "who sends this request?".
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { isAPIError } from 'better-auth/api'
import { bearer } from 'better-auth/plugins/bearer'
import type { Mailer } from '#server/adapters/email/email.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/database.ts'
import { unlessOutage } from '#server/db/outage.ts'
import type { Logger } from '#server/lib/logger.ts'
import { isOwnOrigin, type OriginRules } from '#server/lib/origins.ts'
import { deriveKey } from '#server/lib/secrets.aes.ts'
import type { Secrets } from '#server/lib/secrets.ts'
import type { Id } from '#shared/ids.ts'
import { PASSWORD_MIN } from '#shared/limits.ts'
import { crossDomain } from './cross-domain.ts'
import { googlePlugin } from './google.ts'
import { prepareDeletion, promoteListed, promoteNew, type RemoveOrganization, warnWithoutAdmin } from './people.ts'
import { createRealtimeTokens, type TokenIdentity } from './realtime-tokens.ts'
import { afterRequest, beforeRequest, demandPassword, SIGN_IN_WINDOW_SECONDS } from './request-rules.ts'
import { generateId, rateLimitStorage, storage } from './schema.ts'
import { realtimeTokenPlugin } from './token-plugin.ts'

/** Header in which http.ts hands over the client's address; whatever a client sends under this name is dropped there. */
export const CLIENT_ADDRESS_HEADER = 'x-parley-client-address'

/** Paths under /api/auth that exist. Everything else better-auth brings is not mounted. */
const PATHS = new Set([
  '/sign-up/email',
  '/sign-in/email',
  '/sign-in/social',
  '/callback/google',
  '/error',
  '/sign-out',
  '/get-session',
  '/list-sessions',
  '/revoke-session',
  '/revoke-sessions',
  '/revoke-other-sessions',
  '/change-password',
  '/update-user',
  '/delete-user',
  '/verify-email',
  '/send-verification-email',
  '/token',
  '/jwks',
  '/cross-domain/one-time-token/verify',
])

/** Who sends a request. Whether the session still stands is for the caller's lookup to say. */
export type Identity = Pick<TokenIdentity, 'userId' | 'sessionId'>

export interface Auth {
  /** Answers a request under /api/auth. */
  handle(request: Request): Promise<Response>
  /** Null for anything but a valid token of the realtime connection. */
  verifyToken(token: string): Promise<TokenIdentity | null>
  /**
   * By realtime token, session token or cookie; null for nobody.
   * A cookie counts for reading, and for writing only when the page that sends it is one of ours.
   */
  identify(request: Request): Promise<Identity | null>
}

/** How passwords are kept. `verify`: whether the password is the one that was hashed. */
export type PasswordHashing = {
  hash(password: string): Promise<string>
  verify(given: { hash: string; password: string }): Promise<boolean>
}

export type AuthParts = {
  config: Pick<Config, 'publicUrl' | 'allowedOrigins' | 'adminEmails' | 'mail' | 'googleSignIn'>
  origins: OriginRules
  database: Database
  secrets: Secrets
  applicationSecret: string
  mailer: Mailer
  removeOrganization: RemoveOrganization
  /** By default what better-auth brings: scrypt with a salt. */
  passwords?: PasswordHashing | undefined
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
  const auth = betterAuth({
    ...signInOptions(parts),
    plugins: [
      bearer(),
      realtimeTokenPlugin(tokens),
      ...(config.googleSignIn ? [googlePlugin(config.googleSignIn)] : []),
      ...(config.allowedOrigins[0] ? [crossDomain(config.allowedOrigins[0])] : []),
    ],
  })

  return {
    handle: async (request) =>
      PATHS.has(new URL(request.url).pathname.slice('/api/auth'.length))
        ? unlessOutage(
            () => auth.handler(request),
            ({ status }) => status >= 400,
          )
        : Response.json({ code: 'NOT_FOUND' }, { status: 404 }),
    verifyToken: (token) => tokens.verify(token),
    async identify(request) {
      const bearerToken = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
      if (bearerToken?.split('.').length === 3) return tokens.verify(bearerToken)
      if (!bearerToken && !isSafe(request, origins)) return null
      const query = { disableRefresh: true }
      const found = await unlessOutage(
        () => auth.api.getSession({ headers: request.headers, query }),
        (session) => session === null,
      )
      if (!found) return null
      return { userId: found.user.id as Id<'users'>, sessionId: found.session.id as Id<'sessions'> }
    },
  }
}

/** What better-auth is told, without the plugins that need keys. */
export function signInOptions(parts: AuthParts) {
  const { config, origins, database, applicationSecret, mailer, removeOrganization, passwords, log } = parts
  return {
    ...storage,
    appName: 'Parley',
    baseURL: config.publicUrl,
    secret: deriveKey(applicationSecret, 'sign-in').toString('base64url'),
    database: { db: database.root, type: 'postgres' as const },
    trustedOrigins: async (request?: Request) => trustedOrigins(origins, request),
    emailAndPassword: {
      enabled: true,
      minPasswordLength: PASSWORD_MIN,
      autoSignIn: true,
      ...(passwords && { password: passwords }),
    },
    emailVerification: {
      sendOnSignUp: true,
      // Not waited for: a slow mail server must not tell which addresses have accounts, nor keep anybody from signing up.
      sendVerificationEmail: async ({ user, url }: { user: { email: string }; url: string }) => {
        const mail = { to: user.email, subject: 'Parley: confirm your e-mail', text: verificationText(url) }
        mailer.send(mail).catch((error: unknown) => log.error({ err: error }, 'a letter was not sent'))
      },
    },
    user: {
      ...storage.user,
      deleteUser: {
        enabled: true,
        beforeDelete: async (user: Account, request?: Request) => {
          await demandPassword(database, user.id, request)
          await prepareDeletion(database, user, removeOrganization)
        },
        afterDelete: async () => warnWithoutAdmin(database, log),
      },
    },
    databaseHooks: {
      user: {
        create: { after: async (user: Account) => promoteNew(database, config, log, user) },
        update: {
          after: async (user: Account) => {
            if (user.emailVerified) await promoteListed(database, config, log, user.id)
          },
        },
      },
      session: {
        create: { after: async ({ userId }: { userId: string }) => promoteListed(database, config, log, userId) },
      },
    },
    hooks: { before: beforeRequest(database), after: afterRequest(database) },
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

type Account = { id: string; email: string; emailVerified: boolean }

/** Per address and path. What only reads a session is not counted: it would cost more than it saves. */
const limits = {
  '/sign-up/email': { window: 60, max: 30 },
  '/sign-in/*': { window: 60, max: 30 },
  '/change-password': { window: SIGN_IN_WINDOW_SECONDS, max: 10 },
  '/send-verification-email': { window: 60, max: 3 },
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

function verificationText(url: string): string {
  return `Подтвердите адрес электронной почты для Parley:\n${url}\n\nConfirm your e-mail address for Parley:\n${url}\n`
}

function authLogger(log: Logger) {
  return {
    level: 'warn' as const,
    log: (level: 'debug' | 'info' | 'success' | 'warn' | 'error', message: string) =>
      log[level === 'success' ? 'info' : level](`sign-in: ${message}`),
  }
}

/** Refusals are answers, not events; anything else thrown is a bug. */
function reportBug(log: Logger, error: unknown): void {
  if (!isAPIError(error)) log.error({ err: error }, 'sign-in: request failed')
}
