// Sessions as their owner sees them: by id, without the token that lets in. Takes the place of the sign-in library's own endpoints.
import type { BetterAuthPlugin } from 'better-auth'
import { createAuthEndpoint, freshSessionMiddleware, sensitiveSessionMiddleware } from 'better-auth/api'
import { z } from 'zod'
import type { Database } from '#server/platform/db/database.ts'
import { hashOfToken } from './hashed-tokens.ts'
import { endOtherSessions, endSession } from './people.store.ts'

/** A session without what lets in. */
export function withoutToken<Session extends { token: string }>({ token: _token, ...session }: Session) {
  return session
}

/** GET /list-sessions, POST /revoke-session `{ id }` and POST /revoke-other-sessions. */
export function sessionEndpoints(database: Database) {
  return {
    id: 'session-endpoints',
    endpoints: {
      listSessions: createAuthEndpoint(
        '/list-sessions',
        { method: 'GET', requireHeaders: true, use: [freshSessionMiddleware] },
        async (ctx) => {
          const { user } = ctx.context.session
          const sessions = await ctx.context.internalAdapter.listSessions(user.id, { onlyActiveSessions: true })
          return ctx.json(sessions.map(withoutToken))
        },
      ),
      revokeSession: createAuthEndpoint(
        '/revoke-session',
        { method: 'POST', requireHeaders: true, use: [sensitiveSessionMiddleware], body: sessionName },
        async (ctx) => {
          const { id, token } = ctx.body
          const named = token === undefined ? { id: id ?? '' } : { hash: hashOfToken(token) }
          await endSession(database.root, ctx.context.session.user.id, named)
          return ctx.json({ status: true })
        },
      ),
      revokeOtherSessions: createAuthEndpoint(
        '/revoke-other-sessions',
        { method: 'POST', requireHeaders: true, use: [sensitiveSessionMiddleware] },
        async (ctx) => {
          await endOtherSessions(database.root, ctx.context.session.session)
          return ctx.json({ status: true })
        },
      ),
    },
  } satisfies BetterAuthPlugin
}

/** By the id that the list tells; a program that holds the token of the session may name that. */
const sessionName = z
  .object({ id: z.string().max(100).optional(), token: z.string().max(500).optional() })
  .refine(({ id, token }) => (id === undefined) !== (token === undefined), { path: ['id'], error: 'id is missing' })
