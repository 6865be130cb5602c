// The sign-in service under /api/auth (better-auth) and the answer to "who sends this request?".
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { isAPIError } from 'better-auth/api'
import { bearer } from 'better-auth/plugins/bearer'
import type { Config } from '#server/config.ts'
import type { Mailer } from '#server/integrations/mail/email.ts'
import type { Database } from '#server/platform/db/database.ts'
import { unlessOutage } from '#server/platform/db/engine/outage.ts'
import { isOwnOrigin, type OriginRules } from '#server/platform/lib/http/origins.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import type { Secrets } from '#server/platform/lib/secrets.ts'
import type { Id } from '#shared/ids.ts'
import { PASSWORD_MIN } from '#shared/limits.ts'
import type { SecretRing } from './application-secret.ts'
import { crossDomain } from './cross-domain.ts'
import { googlePlugin } from './google.ts'
import { hashingDatabase } from './hashed-tokens.ts'
import {
  demandOpenSignUp,
  firstAccount,
  isSignUpOpen,
  prepareDeletion,
  promoteListed,
  promoteNew,
  type RemoveOrganization,
  warnWithoutAdmin,
} from './people.ts'
import { createRealtimeTokens, type TokenIdentity } from './realtime-tokens.ts'
import { afterRequest, beforeRequest, demandPassword, SIGN_IN_WINDOW_SECONDS } from './request-rules.ts'
import { generateId, rateLimitStorage, storage } from './schema.ts'
import { sessionEndpoints } from './session-endpoints.ts'
import { signUpEndpoint } from './sign-up.ts'
import { resigner, signInSecret } from './signed-cookies.ts'
import { realtimeTokenPlugin } from './token-plugin.ts'

/** Header in which http.ts hands over the client's address; whatever a client sends under this name is dropped there. */
export const CLIENT_ADDRESS_HEADER = 'x-parley-client-address'

/** Paths under /api/auth that exist, with their methods. Everything else in better-auth is not mounted. */
const PATHS: Partial<Record<string, string>> = {
  '/sign-up/email': 'POST',
  '/sign-in/email': 'POST',
  '/sign-in/social': 'POST',
  '/callback/google': 'GET, POST',
  '/error': 'GET',
  '/sign-out': 'POST',
  '/get-session': 'GET',
  '/list-sessions': 'GET',
  '/revoke-session': 'POST',
  '/revoke-sessions': 'POST',
  '/revoke-other-sessions': 'POST',
  '/change-password': 'POST',
  '/update-user': 'POST',
  '/delete-user': 'POST',
  '/verify-email': 'GET',
  '/send-verification-email': 'POST',
  '/token': 'GET',
  '/jwks': 'GET',
  '/cross-domain/one-time-token/verify': 'POST',
}
/** Mounted only for a site on another origin. */
const CROSS_DOMAIN = '/cross-domain/'

/** Who sends a request. The caller checks whether the session is still valid. */
export type Identity = Pick<TokenIdentity, 'userId' | 'sessionId'>

export interface Auth {
  /** Whether people without an account can make one. */
  isSignUpOpen(): Promise<boolean>
  /** Whether the next account is the first of the installation, and whether it becomes admin. */
  firstAccount(): Promise<{ isFirst: boolean; makesAdmin: boolean }>
  /** Answers a request under /api/auth. */
  handle(request: Request): Promise<Response>
  /** Null for anything but a valid token of the realtime connection. */
  verifyToken(token: string): Promise<TokenIdentity | null>
  /**
   * By realtime token, session token or cookie; null for an anonymous request.
   * A cookie is accepted for reads, and for writes only when the page that sends it is one of ours.
   */
  identify(request: Request): Promise<Identity | null>
}

/** How passwords are stored. `verify`: whether the password matches the hash. */
export type PasswordHashing = {
  hash(password: string): Promise<string>
  verify(given: { hash: string; password: string }): Promise<boolean>
}

export type AuthParts = {
  config: Pick<Config, 'publicUrl' | 'allowedOrigins' | 'adminEmails' | 'isSignUpOpen' | 'mail' | 'googleSignIn'>
  origins: OriginRules
  database: Database
  secrets: Secrets
  ring: SecretRing
  mailer: Mailer
  removeOrganization: RemoveOrganization
  /** Defaults to better-auth's own: scrypt with a salt. */
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
  const options = signInOptions(parts)
  const resign = resigner(parts.ring)
  const auth = betterAuth({
    ...options,
    database: await hashingDatabase(options),
    plugins: [
      bearer(),
      sessionEndpoints(database),
      signUpEndpoint({ database, tellOwner: accountExistsLetter(parts) }),
      realtimeTokenPlugin(tokens),
      ...(config.googleSignIn ? [googlePlugin(config.googleSignIn)] : []),
      ...(config.allowedOrigins.length > 0 ? [crossDomain(config.allowedOrigins)] : []),
    ],
  })

  return {
    isSignUpOpen: () => isSignUpOpen(database, config),
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
      return answer
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
      return { userId: found.user.id as Id<'users'>, sessionId: found.session.id as Id<'sessions'> }
    },
  }
}

/** A page on our own origin has a cookie that its scripts cannot read, so after sign-in no header repeats its value. */
function isForPrograms({ url, headers }: Request): boolean {
  const isSigningIn = /\/(sign-up|sign-in|cross-domain)\//.test(new URL(url).pathname)
  return isSigningIn || headers.has('authorization') || headers.has('better-auth-cookie')
}

/** The answer to a request that no endpoint takes; undefined for every other. */
function refuseUnmounted({ url, method }: Request, { allowedOrigins }: AuthParts['config']): Response | undefined {
  const path = new URL(url).pathname.slice('/api/auth'.length)
  const methods = PATHS[path]
  if (methods === undefined) return Response.json({ code: 'NOT_FOUND' }, { status: 404 })
  if (path.startsWith(CROSS_DOMAIN) && allowedOrigins.length === 0) {
    const message = 'Sites on other origins are not served: ALLOWED_ORIGINS names none. See docs/sign-in.md.'
    return Response.json({ code: 'CROSS_DOMAIN_OFF', message }, { status: 404 })
  }
  if (methods.split(', ').includes(method === 'HEAD' ? 'GET' : method)) return undefined
  return Response.json({ code: 'METHOD_NOT_ALLOWED' }, { status: 405, headers: { allow: methods } })
}

/** Options of better-auth, without the plugins that need keys. */
export function signInOptions(parts: AuthParts) {
  const { config, origins, database, ring, removeOrganization, passwords, log } = parts
  const send = letterSender(parts)
  return {
    ...storage,
    appName: 'Parley',
    baseURL: config.publicUrl,
    secret: signInSecret(ring.current),
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
      sendVerificationEmail: async ({ user, url }: { user: { email: string }; url: string }) =>
        send(user.email, 'Parley: подтвердите почту · confirm your email', verificationText(url)),
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
        create: {
          before: async () => demandOpenSignUp(database, config),
          after: async (user: Account) => promoteNew(database, config, log, user),
        },
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
    hooks: { before: beforeRequest(database, () => demandOpenSignUp(database, config)), after: afterRequest(database) },
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

/** Per address and path. Requests that only read a session are not counted: counting would cost more than it saves. */
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
  return `Подтвердите адрес электронной почты для Parley:\n${url}\n\nConfirm your email address for Parley:\n${url}\n`
}

/** Not awaited: a slow mail server must neither reveal which addresses have accounts nor block a sign-up. */
function letterSender({ mailer, log }: Pick<AuthParts, 'mailer' | 'log'>) {
  return (to: string, subject: string, text: string): void => {
    mailer.send({ to, subject, text }).catch((error: unknown) => log.error({ err: error }, 'a letter was not sent'))
  }
}

/** To the owner of an address that was used in a sign-up attempt. */
function accountExistsLetter(parts: AuthParts) {
  const [send, page] = [letterSender(parts), `${parts.config.publicUrl}/signin`]
  return (email: string): void => send(email, 'Parley: вход · sign in', accountExistsText(page))
}

function accountExistsText(url: string): string {
  return `Кто-то попытался зарегистрироваться в Parley с вашим адресом. Если это были вы, у вас уже есть учётная запись: войдите с её паролем.\n${url}\nЕсли это были не вы, ничего делать не нужно.\n\nSomeone tried to sign up for Parley with your address. If it was you, you already have an account: sign in with its password.\n${url}\nIf it was not you, you do not need to do anything.\n`
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
