// DOOR 2: every HTTP route.
import os from 'node:os'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { cors } from 'hono/cors'
import { HTTPException } from 'hono/http-exception'
import type { Config } from '#server/config.ts'
import { brandedManifest, brandedPage } from '#server/domain/branding/branded-page.ts'
import { type Auth, CLIENT_ADDRESS_HEADER } from '#server/platform/auth/auth.ts'
import { BodyRoom } from '#server/platform/lib/http/body-room.ts'
import { clientAddress, countedAddress } from '#server/platform/lib/http/client-address.ts'
import type { Bindings } from '#server/platform/lib/http/http-listener.ts'
import { withCode } from '#server/platform/lib/http/json-errors.ts'
import { RequestTurns } from '#server/platform/lib/http/request-turns.ts'
import { addSecurityHeaders, pagePolicy, WORKER_POLICY } from '#server/platform/lib/http/security-headers.ts'
import { madeFile, type StaticFiles } from '#server/platform/lib/http/static-files.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import { onBehalfOf, STRANGERS } from '#server/platform/lib/scheduling/fair-scheduler.ts'
import { announcedBytes, UNREAD } from '#server/platform/lib/text/read-text.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { Brand } from '#shared/organizations/branding.ts'

/** Limit of a request's body in bytes. The longest legitimate one, to sign in or from a visitor of the web chat, has a few thousand. */
const BODY_MAX_BYTES = 64 * 1024
/** Bytes of bodies being received from one address at the same time. */
const BODIES_PER_ADDRESS_BYTES = 32 * 1024 * 1024
/** What the largest bodies count for in that limit: those that are not buffered, or are limited elsewhere. */
const BODY_COUNTED_BYTES = 256 * 1024
/** After how long a refused request may be retried, milliseconds. */
const BUSY_RETRY_MS = 1000
/** Routes that take larger bodies: each authenticates the sender before it reads, and has its own limit. */
const LARGER_BODIES = new RegExp(
  `^/(?:${[
    'api/(?:query|query_at_ts|mutation|action|function)',
    'api/files/(?:documents|tables|uploads|pictures/(?:person|organization)|brands/(?:installation|organization)/\\w+)',
    'api/v1/.+',
    'api/channels/http/[^/]+/messages',
    'api/webchat/[^/]+/files',
    'webhooks/.+',
  ].join('|')})$`,
)
/** Paths that never show the web client: those of the server, and file names, since no page has a dot in its last part. */
const NOT_A_PAGE = /^\/(api|files|webhooks|assets)(\/|$)|\.\w+$/
/** Paths whose answers no person reads. */
const FOR_PROGRAMS = /^\/(api|webhooks|files)(\/|$)/
/** Paths that wait for their turn; files of the web client do not. */
const TAKES_TURNS = /^\/(?:api|webhooks)\//
/** Answered under any load. */
const PROBES = new Set(['/livez', '/healthz', '/readyz', '/api/health'])
/** The service worker of alerts. */
const WORKER = '/push-worker.js'

export type HttpParts = {
  config: Pick<
    Config,
    'publicUrl' | 'allowedOrigins' | 'trustProxy' | 'googleSignIn' | 'contactEmail' | 'signUp' | 'mail'
  >
  auth: Auth
  /** The built web client. */
  web: StaticFiles
  /** The brand of the installation, as it was read last. */
  brand(): Brand
  /** While true, only the probes are answered. */
  isStopping(): boolean
  /** Whether to route requests here: false while starting, stopping, and while no message can be stored. */
  isReady(): Promise<boolean>
  /** Whether the database takes writes. */
  isDatabaseWritable(): Promise<boolean>
  /** The code of a failure after which a retry may succeed, such as an outage of the database; null for others. */
  passingFailure(error: unknown): ErrorCode | null
  /** Routes of other parts, each with its whole path. */
  routes: Hono[]
  log: Logger
}

type Env = { Bindings: Bindings }

/** All routes. */
export function createHttp(parts: HttpParts): Hono<Env> {
  const http = new Hono<Env>()
  const isHttps = parts.config.publicUrl.startsWith('https:')
  http.use(async (c, next) => {
    await next()
    addSecurityHeaders(c.res.headers, isHttps)
  })
  http.use(async (c, next) => {
    await next()
    if (c.res.status < 400 || !FOR_PROGRAMS.test(c.req.path) || PROBES.has(c.req.path)) return
    const answer = await withCode(c.res)
    if (answer === c.res) return
    c.res = undefined // or the headers of the former answer would be added
    c.res = answer
  })
  http.use(limitBodies(parts.config.trustProxy))
  http.use(takeTurns(parts.config.trustProxy))
  http.onError((error, c) => {
    if (error instanceof HTTPException) return c.json({ code: 'refused' }, error.status)
    const passing = parts.passingFailure(error)
    if (passing) return c.json({ code: passing }, 503, { 'retry-after': '1' })
    parts.log.error({ err: error, method: c.req.method, path: withoutSecret(c.req.path) }, 'request failed')
    return c.json({ code: 'server_error' }, 500)
  })
  http.notFound((c) => c.json({ code: 'not_found' }, 404))

  http.get('/livez', (c) => c.json({ status: 'ok' }))
  http.get('/healthz', (c) => c.json({ status: 'ok' }))
  http.use('/readyz', allowSites(parts.config.allowedOrigins))
  http.get('/readyz', async (c) => {
    const isReady = await parts.isReady()
    return c.json({ status: isReady ? 'ok' : 'unavailable' }, isReady ? 200 : 503, { 'cache-control': 'no-store' })
  })
  http.use(async (c, next) => (parts.isStopping() ? c.json({ code: 'stopping' }, 503, { 'retry-after': '1' }) : next()))
  http.use('/api/*', allowSites(parts.config.allowedOrigins))
  http.get('/api/health', async (c) => {
    const isWritable = await parts.isDatabaseWritable()
    return c.json({ database: isWritable ? 'ok' : 'unavailable' }, isWritable ? 200 : 503, {
      'cache-control': 'no-store',
    })
  })
  // What the sign-in screens need before sign-in.
  http.get('/api/config', async (c) => {
    const { googleSignIn, contactEmail, mail } = parts.config
    const { auth } = parts
    const [isOpen, rule, first] = await Promise.all([auth.isSignUpOpen(), auth.signUpNow(), auth.firstAccount()])
    const signUp = { isOpen, ...rule, contact: contactEmail ?? null, ...first }
    return c.json({ googleSignIn: googleSignIn !== undefined, signUp, canSendMail: mail.smtpUrl !== undefined })
  })
  http.all('/api/auth/*', (c) => parts.auth.handle(prepared(c.req.raw, c.env, parts.config.trustProxy)))
  for (const routes of parts.routes) http.route('/', routes)
  http.get('/manifest.webmanifest', manifest(parts))
  http.get('*', pages(parts))
  return http
}

/**
 * Refuses large bodies on routes that do not take them, and bodies beyond the limit of one address. Closes the connection after a request
 * whose body was not read.
 */
function limitBodies(trustProxy: boolean): MiddlewareHandler<Env> {
  const room = new BodyRoom(BODIES_PER_ADDRESS_BYTES)
  const refuse = (c: Context) => c.json({ code: 'too_large', params: { maxBytes: BODY_MAX_BYTES } }, 413, UNREAD)
  const small = bodyLimit({ maxSize: BODY_MAX_BYTES, onError: refuse })
  return async (c, next) => {
    const announced = announcedBytes(c.req.raw)
    const isCounted = announced === undefined && c.req.raw.headers.has('transfer-encoding')
    if (!announced && !isCounted) return next()
    const isLarge = isCounted || !((announced ?? 0) <= BODY_MAX_BYTES)
    const isTaken = !isLarge || LARGER_BODIES.test(c.req.path)
    if (!isTaken && !isCounted) return refuse(c)
    const { incoming } = c.env
    const leave = room.enter(
      countedAddress(incoming, trustProxy),
      Math.min(announced ?? BODY_MAX_BYTES, BODY_COUNTED_BYTES),
    )
    if (!leave) return c.json({ code: 'rate_limited', params: { retryAfterMs: BUSY_RETRY_MS } }, 429, UNREAD)
    try {
      const answer = await (isTaken ? next() : small(c, next))
      // Node would receive the rest and discard it.
      if (isLarge && !incoming.complete) c.res.headers.set('connection', UNREAD.connection)
      return answer
    } finally {
      leave()
    }
  }
}

/** Queues requests fairly; their cost is charged to the client's address until the caller is known. */
function takeTurns(trustProxy: boolean): MiddlewareHandler<Env> {
  const turns = new RequestTurns(os.availableParallelism())
  return async (c, next) => {
    const member = countedAddress(c.env.incoming, trustProxy)
    const isShared = TAKES_TURNS.test(c.req.path) && !PROBES.has(c.req.path)
    if (isShared && !(await turns.take(c.req.raw, member)))
      return c.json({ code: 'rate_limited', params: { retryAfterMs: BUSY_RETRY_MS } }, 429, UNREAD)
    await onBehalfOf({ group: STRANGERS, member }, next)
    if (isShared) turns.answered(c.req.raw, c.res.status)
  }
}

/** Cuts paths that contain a secret down to their beginning. */
function withoutSecret(path: string): string {
  return path.replace(/^(\/webhooks\/[^/]+|\/api\/files\/sent)\/.*$/, '$1/…')
}

/** Configured sites on other origins may call with a token; cookies are never shared with them. */
function allowSites(origins: string[]) {
  return cors({
    origin: (origin) => (origins.includes(origin) ? origin : null),
    allowHeaders: ['content-type', 'authorization', 'better-auth-cookie', 'convex-client', 'idempotency-key'],
    allowMethods: ['GET', 'POST'],
    exposeHeaders: ['set-better-auth-cookie', 'set-auth-token', 'x-retry-after', 'x-session-ended'],
    maxAge: 3600,
  })
}

/** The request as the sign-in service expects it: the client's address in a header that no client can set. */
function prepared(request: Request, { incoming }: Bindings, trustProxy: boolean): Request {
  const headers = new Headers(request.headers)
  headers.set(CLIENT_ADDRESS_HEADER, clientAddress(incoming, trustProxy))
  // Node's own fetch sends this header alone, browsers never do; the origin check would take a script for a page without an origin.
  if (!headers.has('sec-fetch-site')) headers.delete('sec-fetch-mode')
  const hasBody = Number(headers.get('content-length')) > 0 || headers.has('transfer-encoding')
  const body = hasBody && { body: request.body, duplex: 'half' as const }
  return new Request(request.url, { method: request.method, headers, signal: request.signal, ...body })
}

/** Serves files of the web client; any other path that could be a page gets index.html, whose router resolves it. */
function pages({ web, brand }: Pick<HttpParts, 'web' | 'brand'>) {
  const html = web.text('/index.html')
  const policy = pagePolicy(html ?? '')
  const page = perBrand((shown) => madeFile(brandedPage(html ?? '', shown), '.html'))
  return async (c: Context<Env>) => {
    const isFile = c.req.path !== '/index.html' && web.answer(c.req.path, c.req.raw)
    if (isFile) return c.req.path === WORKER ? withPolicy(await isFile, WORKER_POLICY) : isFile
    if (NOT_A_PAGE.test(c.req.path)) return c.json({ code: 'not_found' }, 404)
    if (html === undefined) return c.text('The interface is not built: run "npm run build".', 503)
    const answer = await page(brand())(c.req.raw)
    // The page's address may hold a secret until its script runs: it must not reach the files that the page loads.
    answer.headers.set('referrer-policy', 'strict-origin')
    return withPolicy(answer, policy)
  }
}

/** What a home screen shows of the installation. */
function manifest({ web, brand }: Pick<HttpParts, 'web' | 'brand'>) {
  const built = web.text('/manifest.webmanifest')
  const file = perBrand((shown) => madeFile(brandedManifest(built ?? '{}', shown), '.webmanifest'))
  return async (c: Context<Env>): Promise<Response> =>
    built === undefined ? c.json({ code: 'not_found' }, 404) : file(brand())(c.req.raw)
}

/** Makes a file again for another brand only. */
function perBrand<Made>(make: (brand: Brand) => Made): (brand: Brand) => Made {
  let last: { brand: Brand; made: Made } | undefined
  return (brand) => {
    if (last?.brand !== brand) last = { brand, made: make(brand) }
    return last.made
  }
}

function withPolicy(answer: Response, policy: string): Response {
  answer.headers.set('content-security-policy', policy)
  return answer
}
