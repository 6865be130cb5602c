// Sign-up gives the same answer whether or not the address has an account. A request with the account's password signs in to it; any other
// gets a token that opens nothing, and the owner of the address an e-mail.
import { randomBytes } from 'node:crypto'
import type { BetterAuthPlugin, GenericEndpointContext } from 'better-auth'
import { createAuthEndpoint, isAPIError, signUpEmail } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'
import type { Database } from '#server/platform/db/database.ts'
import { rehearseSignUp } from './people.store.ts'
import { generateId } from './schema.ts'

type Parts = {
  database: Database
  /** Writes to the owner of an address that was used in an attempt to sign up. Not waited for. */
  tellOwner(email: string, request: Request | undefined): void
}
type User = { id: string; name: string; email: string; emailVerified: boolean; image?: string | null | undefined }
type ShownUser = User & { createdAt: Date; updatedAt: Date; role?: unknown }

const TAKEN = 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL'
/** As many characters as a token of the library has. */
const TOKEN_CHARACTERS = 32
const entry = z.looseObject({
  name: z.string(),
  email: z.email(),
  password: z.string().min(1),
  image: z.string().optional(),
  callbackURL: z.string().optional(),
  rememberMe: z.boolean().optional(),
})
const original = signUpEmail()

/** Takes the place of the library's endpoint, which it asks first. */
export function signUpEndpoint(parts: Parts) {
  const endpoint = createAuthEndpoint('/sign-up/email', { method: 'POST', body: entry }, async (ctx) => {
    try {
      const { params = {}, request, headers: sent, ...rest } = ctx
      const given = { ...rest, params, ...(request && { request }), ...(sent && { headers: sent }) }
      const plain = { asResponse: false, returnHeaders: true, returnStatus: false } as const
      const { headers, response } = await original({ ...given, ...plain })
      for (const [name, value] of headers) ctx.responseHeaders.append(name, value)
      return ctx.json(response)
    } catch (error) {
      if (isAPIError(error) && error.body?.code === TAKEN) return ctx.json(await answerTaken(ctx, ctx.body, parts))
      throw error
    }
  })
  return { id: 'sign-up-endpoint', endpoints: { signUpEmail: endpoint } } satisfies BetterAuthPlugin
}

/** The answer for an address that has an account. One password is hashed and the rows of an account are written, as for a new address. */
async function answerTaken(
  ctx: GenericEndpointContext,
  { name, email, password, rememberMe }: z.infer<typeof entry>,
  { database, tellOwner }: Parts,
) {
  const found = await ctx.context.internalAdapter.findUserByEmail(email, { includeAccounts: true })
  const hash = found?.accounts.find(({ providerId }) => providerId === 'credential')?.password
  const isOwner = hash ? await ctx.context.password.verify({ hash, password }) : false
  if (!hash) await ctx.context.password.hash(password)
  if (found && isOwner) {
    const session = await ctx.context.internalAdapter.createSession(found.user.id, rememberMe === false)
    await setSessionCookie(ctx, { session, user: found.user }, rememberMe === false)
    return { token: session.token, user: shown(found.user) }
  }
  await rehearseSignUp(database)
  if (found) tellOwner(found.user.email, ctx.request)
  const token = randomToken()
  const { name: cookie, attributes } = ctx.context.authCookies.sessionToken
  const age = rememberMe !== false && { maxAge: ctx.context.sessionConfig.expiresIn }
  await ctx.setSignedCookie(cookie, token, ctx.context.secret, { ...attributes, ...age })
  const now = new Date()
  const made = { id: generateId(), name, email: email.toLowerCase(), emailVerified: false, image: null }
  return { token, user: shown({ ...made, createdAt: now, updatedAt: now, role: 'user' }) }
}

/** In the order of the library's own answer. */
function shown({ name, email, emailVerified, image, createdAt, updatedAt, role, id }: ShownUser) {
  return { name, email, emailVerified, image: image ?? null, createdAt, updatedAt, role, id }
}

function randomToken(): string {
  let token = ''
  while (token.length < TOKEN_CHARACTERS)
    token += randomBytes(48)
      .toString('base64')
      .replace(/[^a-zA-Z0-9]/g, '')
  return token.slice(0, TOKEN_CHARACTERS)
}
