// better-auth endpoints of the realtime token: GET /token and GET /jwks.
import type { BetterAuthPlugin } from 'better-auth'
import { createAuthEndpoint, sessionMiddleware } from 'better-auth/api'
import type { RealtimeTokens } from './realtime-tokens.ts'

/** GET /token answers `{ token, expiresAt }` to a signed-in caller; GET /jwks the public keys. */
export function realtimeTokenPlugin(tokens: RealtimeTokens) {
  return {
    id: 'realtime-token',
    endpoints: {
      getRealtimeToken: createAuthEndpoint(
        '/token',
        { method: 'GET', requireHeaders: true, use: [sessionMiddleware] },
        async (ctx) => {
          const { session } = ctx.context.session
          ctx.setHeader('cache-control', 'no-store')
          return ctx.json(await tokens.sign(session.userId, session.id))
        },
      ),
      getRealtimeKeys: createAuthEndpoint('/jwks', { method: 'GET' }, async (ctx) =>
        ctx.json({ keys: tokens.publicKeys() }),
      ),
    },
  } satisfies BetterAuthPlugin
}
