// The calls of the HTTP client: one function, one answer, nothing live.
import type { JSONValue } from 'convex/values'
import { Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { cors } from 'hono/cors'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { z } from 'zod'
import type { ErrorCode } from '#shared/errors.ts'
import type { Clock } from './clock.ts'
import type { Claims, Host, Kind, Outcome } from './host.ts'
import { BODY_MAX } from './limits.ts'
import { encodeU64 } from './protocol.ts'

const json = z.custom<JSONValue>((value) => value !== undefined)
const body = z.object({
  path: z.string().max(512),
  /** The client sends one object in an array, `/api/function` the object itself. */
  args: z
    .union([
      z
        .array(json)
        .max(1)
        .transform((args) => args[0] ?? {}),
      json,
    ])
    .default({}),
})

/** What the client takes for "the function failed", as opposed to "the call failed". Not a registered status code. */
const FUNCTION_FAILED = 560 as ContentfulStatusCode

export type HttpOptions = { clock: Clock; isAllowedOrigin(origin: string, host: string | null): boolean }

/** The routes `/api/query`, `/api/mutation`, `/api/action` and their relatives. */
export function createHttp(host: Host, { clock, isAllowedOrigin }: HttpOptions): Hono {
  const app = new Hono()
  const crossOrigin = cors({
    origin: (origin, c) => (isAllowedOrigin(origin, c.req.header('host') ?? null) ? origin : null),
    allowMethods: ['POST'],
    allowHeaders: ['authorization', 'content-type', 'convex-client'],
    maxAge: 86_400,
  })
  const limited: MiddlewareHandler = bodyLimit({
    maxSize: BODY_MAX,
    onError: (c) => c.text('The call is too large', 413),
  })
  const call = (route: string, kinds: readonly Kind[]) =>
    app.all(route, crossOrigin, limited, async (c) => {
      if (c.req.method !== 'POST') return c.text('Method not allowed', 405)
      const parsed = body.safeParse(await c.req.json().catch(() => undefined))
      if (!parsed.success) return c.text('The body is not a function call', 400)
      const claims = await authenticate(host, c.req.header('authorization')).catch((error: unknown) => ({
        failure: host.failureOf(error, parsed.data.path),
      }))
      if (claims && 'refusal' in claims) return c.json({ code: 'Unauthenticated', message: claims.refusal }, 401)
      const outcome =
        claims && 'failure' in claims
          ? claims.failure
          : await host.call(kinds, { claims, ...parsed.data }, c.req.raw.signal)
      if (outcome.ok) return c.json(success(outcome))
      if (isAway(outcome)) c.header('retry-after', '1')
      return c.json(failure(outcome), FUNCTION_FAILED)
    })

  call('/api/query', ['query'])
  // "At this time" is a promise of consistency between several queries that we do not make over HTTP.
  call('/api/query_at_ts', ['query'])
  call('/api/mutation', ['mutation'])
  call('/api/action', ['query', 'mutation', 'action'])
  call('/api/function', ['query', 'mutation', 'action'])
  app.all('/api/query_ts', crossOrigin, (c) => c.json({ ts: encodeU64(clock.next()) }))
  app.all('/api/debug_event', crossOrigin, (c) => c.body(null, 204))
  return app
}

async function authenticate(host: Host, header: string | undefined): Promise<Claims | null | { refusal: string }> {
  if (header === undefined) return null
  const token = /^Bearer ([^\s]+)$/i.exec(header)?.[1]
  return token ? host.authenticate(token) : { refusal: 'Only bearer tokens are accepted' }
}

function isAway({ data }: Outcome & { ok: false }): boolean {
  const code = typeof data === 'object' && data !== null && 'code' in data ? data.code : null
  return code === ('database_unavailable' satisfies ErrorCode)
}

function success({ value }: Outcome & { ok: true }) {
  return { status: 'success', value, logLines: [] }
}

function failure({ message, data }: Outcome & { ok: false }) {
  return { status: 'error', errorMessage: message, ...(data === undefined ? {} : { errorData: data }), logLines: [] }
}
