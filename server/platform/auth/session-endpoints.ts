// Sessions as their owner sees them: by id, without the token that lets in. Takes the place of the sign-in library's own endpoints.
import type { BetterAuthPlugin } from 'better-auth'
import { createAuthEndpoint, sensitiveSessionMiddleware } from 'better-auth/api'
import { deleteSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'
import type { Database } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { hashOfToken } from './hashed-tokens.ts'
import { maskedAddress } from './request-address.ts'
import { endAllSessions, endOtherSessions, endSession, listSessions } from './sessions.store.ts'

/** A session without what lets in. */
export function withoutToken<Session extends { token: string }>({ token: _token, ...session }: Session) {
  return session
}

/** GET /list-sessions, POST /revoke-session `{ id }`, POST /revoke-other-sessions and POST /revoke-sessions. */
export function sessionEndpoints(database: Database) {
  return {
    id: 'session-endpoints',
    endpoints: {
      listSessions: createAuthEndpoint('/list-sessions', { method: 'GET', ...signedIn }, async (ctx) => {
        const { user, session } = ctx.context.session
        const sessions = await listSessions(database.root, user.id as Id<'users'>, new Date())
        return ctx.json(sessions.map((row) => shown(row, session.id)))
      }),
      revokeSession: createAuthEndpoint(
        '/revoke-session',
        { method: 'POST', ...signedIn, body: sessionName },
        async (ctx) => {
          const { id, token } = ctx.body
          const named = token === undefined ? { id: id ?? '' } : { hash: hashOfToken(token) }
          await endSession(database.root, ctx.context.session.user.id, named)
          return ctx.json({ status: true })
        },
      ),
      revokeOtherSessions: createAuthEndpoint(
        '/revoke-other-sessions',
        { method: 'POST', ...signedIn },
        async (ctx) => {
          await endOtherSessions(database.root, ctx.context.session.session, 'revoked')
          return ctx.json({ status: true })
        },
      ),
      revokeSessions: createAuthEndpoint('/revoke-sessions', { method: 'POST', ...signedIn }, async (ctx) => {
        await endAllSessions(database.root, ctx.context.session.user.id as Id<'users'>, 'revoked')
        deleteSessionCookie(ctx)
        return ctx.json({ status: true })
      }),
    },
  } satisfies BetterAuthPlugin
}

const signedIn = { requireHeaders: true, use: [sensitiveSessionMiddleware] as [typeof sensitiveSessionMiddleware] }

function shown(row: Awaited<ReturnType<typeof listSessions>>[number], ownId: string) {
  return {
    id: row.id,
    isOwn: row.id === ownId,
    ipAddress: maskedAddress(row.ip_address),
    userAgent: row.user_agent,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
  }
}

/** By the id that the list tells; a program that holds the token of the session may name that. */
const sessionName = z
  .object({ id: z.string().max(100).optional(), token: z.string().max(500).optional() })
  .refine(({ id, token }) => (id === undefined) !== (token === undefined), { path: ['id'], error: 'id is missing' })
