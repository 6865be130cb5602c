// The calls of the HTTP client: one function, one answer, nothing live.
import type { IncomingMessage } from 'node:http'
import type { JSONValue } from 'convex/values'
import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { z } from 'zod'
import { JSON_BOUNDS, parseBoundedJson, STRANGER_JSON_BOUNDS } from '#server/platform/lib/http/bounded-json.ts'
import type { Bindings } from '#server/platform/lib/http/http-listener.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import { onBehalfOf } from '#server/platform/lib/scheduling/fair-scheduler.ts'
import { TokenBucket } from '#server/platform/lib/scheduling/token-bucket.ts'
import { announcedBytes, readText, UNREAD } from '#server/platform/lib/text/read-text.ts'
import { AppError, type ErrorCode } from '#shared/errors.ts'
import type { Charge, Ledger } from './budget.ts'
import type { Clock } from './clock.ts'
import type { Claims, Failure, Host, Kind, Outcome } from './host.ts'
import { BODY_MAX, BODY_MAX_ANONYMOUS, BUSY_RETRY_MS, FUNCTION_NAME_MAX, REPORT_MAX } from './limits.ts'
import { partyOfClient } from './parties.ts'
import { encodeU64 } from './protocol.ts'
import { payersOf } from './tab.ts'

const json = z.custom<JSONValue>((value) => value !== undefined)
const body = z.object({
  path: z.string().transform((name) => name.slice(0, FUNCTION_NAME_MAX)),
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

export type HttpOptions = {
  clock: Clock
  ledger: Ledger
  logger: Logger
  isAllowedOrigin(origin: string, host: string | null): boolean
  addressOf(request: IncomingMessage): string
}

/** The routes `/api/query`, `/api/mutation`, `/api/action` and their relatives. */
export function createHttp(host: Host, options: HttpOptions): Hono {
  const { clock, ledger, isAllowedOrigin, addressOf } = options
  const app = new Hono()
  const crossOrigin = cors({
    origin: (origin, c) => (isAllowedOrigin(origin, c.req.header('host') ?? null) ? origin : null),
    allowMethods: ['POST'],
    allowHeaders: ['authorization', 'content-type', 'convex-client'],
    maxAge: 86_400,
  })
  const call = (route: string, kinds: readonly Kind[]) =>
    app.all(route, crossOrigin, async (c) => {
      if (c.req.method !== 'POST') return c.json({ code: 'method_not_allowed' }, 405, { ...UNREAD, allow: 'POST' })
      // Nothing is read of a call before it is known who makes it.
      const address = addressOf((c.env as Bindings).incoming)
      const claims = await onBehalfOf(partyOfClient(null, address), () =>
        authenticate(host, c.req.header('authorization')).catch((error: unknown) => ({
          failure: host.failureOf(error, c.req.path),
        })),
      )
      if (claims && 'failure' in claims) return failed(c, claims.failure, UNREAD)
      if (claims && 'refusal' in claims)
        return c.json({ code: 'Unauthenticated', message: claims.refusal }, 401, UNREAD)
      const { maxBytes, bounds } = claims ? KNOWN : STRANGER
      const held = hold(ledger, c, { address, userId: claims?.userId ?? null, maxBytes })
      if (!held) return c.json({ code: 'rate_limited', params: { retryAfterMs: BUSY_RETRY_MS } }, 429, UNREAD)
      try {
        // One that breaks off is read as nothing.
        const text = await readText(c.req.raw, maxBytes).catch(() => '')
        if (text === null) return c.json({ code: 'too_large', params: { maxBytes } }, 413, UNREAD)
        const parsed = body.safeParse(parseBoundedJson(text, bounds))
        if (!parsed.success) {
          return c.json({ code: 'invalid_arguments', message: 'The body is not a function call' }, 400)
        }
        const outcome = await onBehalfOf(partyOfClient(claims, address), () =>
          host.call(kinds, { claims, address, ...parsed.data }, c.req.raw.signal),
        )
        return outcome.ok ? c.json(success(outcome)) : failed(c, outcome)
      } finally {
        held.release()
      }
    })

  call('/api/query', ['query'])
  // "At this time" is a promise of consistency between several queries that we do not make over HTTP.
  call('/api/query_at_ts', ['query'])
  call('/api/mutation', ['mutation'])
  call('/api/action', ['query', 'mutation', 'action'])
  call('/api/function', ['query', 'mutation', 'action'])
  app.all('/api/query_ts', crossOrigin, (c) => c.json({ ts: encodeU64(clock.next()) }))
  app.all('/api/debug_event', crossOrigin, async (c) =>
    (await noted(options, c.req.raw))
      ? c.body(null, 204)
      : c.json({ code: 'invalid_arguments', message: 'The body is not a connection report' }, 400),
  )
  return app
}

/** What clients report of their connections: ours (web/lib/server/connection-metrics.ts), and others by name alone. */
const metric = z.number().optional()
const debugEvent = z.object({
  event: z.string().regex(/^\w{1,64}$/),
  ...{ connections: metric, failures: metric, openMs: metric, closedMs: metric },
})
/** Any client may report, signed in or not: the log takes a burst, then a number per second, and no more. */
const reports = new TokenBucket(50, 5)

/** Logs what a client reports. False: it is no report. */
async function noted({ logger }: Pick<HttpOptions, 'logger'>, request: Request): Promise<boolean> {
  const text = await readText(request, REPORT_MAX).catch(() => null)
  const { data } = debugEvent.safeParse(parseBoundedJson(text ?? '', STRANGER_JSON_BOUNDS))
  if (!data) return false
  if (reports.take()) logger.info(data, 'a client reports on its connection')
  return true
}

const KNOWN = { maxBytes: BODY_MAX, bounds: JSON_BOUNDS }
const STRANGER = { maxBytes: BODY_MAX_ANONYMOUS, bounds: STRANGER_JSON_BOUNDS }

/** Charges a caller for an incoming call. A body without a length counts as the largest. Null: there is no room for it. */
function hold(
  ledger: Ledger,
  c: Context,
  { address, userId, maxBytes }: { address: string; userId: string | null; maxBytes: number },
): Charge | null {
  const payers = payersOf('pending', { socket: null, address, userId })
  const bytes = Math.min(announcedBytes(c.req.raw) ?? maxBytes, maxBytes)
  try {
    return ledger.charge(payers, { bytes, items: 1 })
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

async function authenticate(host: Host, header: string | undefined): Promise<Claims | null | { refusal: string }> {
  if (header === undefined) return null
  const token = /^Bearer ([^\s]+)$/i.exec(header)?.[1]
  return token ? host.authenticate(token) : { refusal: 'Only bearer tokens are accepted' }
}

/** The client reads a failed call out of the body. `headers`: further ones, as of a request whose body is not read. */
function failed(c: Context, outcome: Failure, headers: Record<string, string> = {}): Response {
  const later = isAway(outcome) ? { 'retry-after': '1' } : {}
  return c.json(failure(outcome), FUNCTION_FAILED, { ...headers, ...later })
}

function isAway({ data }: Failure): boolean {
  const code = typeof data === 'object' && data !== null && 'code' in data ? data.code : null
  return code === ('database_unavailable' satisfies ErrorCode)
}

function success({ value }: Outcome & { ok: true }) {
  return { status: 'success', value, logLines: [] }
}

function failure({ message, data }: Failure) {
  return { status: 'error', errorMessage: message, ...(data === undefined ? {} : { errorData: data }), logLines: [] }
}
