// better-auth endpoints of the realtime token: GET /token and GET /jwks.
import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthEndpoint, sessionMiddleware } from 'better-auth/api'
import { z } from 'zod'
import type { Id } from '#shared/ids.ts'
import type { RealtimeTokens } from './realtime-tokens.ts'

/** The organization of a session's person: the one named, if they belong to it, or the one that the session works in. Null: none. */
export type FindWorkplace = (session: {
  userId: Id<'users'>
  sessionId: Id<'sessions'>
  organizationId: Id<'organizations'> | null
}) => Promise<Id<'organizations'> | null>

/** `current`: the one that the session works in now; the token stays with it whatever the session changes to. */
const query = z.object({ organizationId: z.string().max(64).optional() })

/**
 * GET /token answers `{ token, expiresAt }` to a signed-in caller, and with `?organizationId=` also `organizationId`: the token is for that
 * organization only, so that two tabs can work in two. GET /jwks answers the public keys.
 */
export function realtimeTokenPlugin(tokens: RealtimeTokens, findWorkplace: FindWorkplace) {
  return {
    id: 'realtime-token',
    endpoints: {
      getRealtimeToken: createAuthEndpoint(
        '/token',
        { method: 'GET', requireHeaders: true, use: [sessionMiddleware], query },
        async (ctx) => {
          const { session } = ctx.context.session
          const [userId, sessionId] = [session.userId as Id<'users'>, session.id as Id<'sessions'>]
          ctx.setHeader('cache-control', 'no-store')
          const wanted = ctx.query.organizationId
          if (wanted === undefined) return ctx.json(await tokens.sign(userId, sessionId, null))
          const named = wanted === 'current' ? null : (wanted as Id<'organizations'>)
          const organizationId = await findWorkplace({ userId, sessionId, organizationId: named })
          if (named !== null && organizationId === null) {
            throw new APIError('FORBIDDEN', { code: 'NOT_A_MEMBER', message: 'You do not belong to this organization' })
          }
          return ctx.json({ ...(await tokens.sign(userId, sessionId, organizationId)), organizationId })
        },
      ),
      getRealtimeKeys: createAuthEndpoint('/jwks', { method: 'GET' }, async (ctx) =>
        ctx.json({ keys: tokens.publicKeys() }),
      ),
    },
  } satisfies BetterAuthPlugin
}
