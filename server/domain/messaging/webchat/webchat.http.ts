// The HTTP API of the web chat's visitors, under /api/webchat/:key. A request acts as one visitor of one widget, read off the session, and
// sees that visitor's conversation and files only.
//
//   POST /session   {token?, identity?}    a new session, or the same visitor's next one, or that of whom the site has signed
//   GET  /chat                             the conversation as it stands, then each change of it, as server-sent events
//   POST /messages  {id, text, language}   the same id again is the same message
//   POST /person    {id, text, language}   a message that calls a person
//   POST /files?name=                      the raw body is a file that is going to be sent; answers the ticket to send it by
//   GET  /files/:id                        a file that this visitor has sent or was sent
//   GET  /face                             the agent's picture, where the widget shows one of the gallery
//   POST /rating    {score, comment}       what the visitor thought of the help, when asked
//   POST /probe                            a message without content, from the check of a connection; signed
//   POST /typing                           the visitor is typing
import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { getBrands } from '#server/domain/branding/branding.store.ts'
import { credentialsOf } from '#server/domain/channels/connections/access.ts'
import { readIdentity, signedVisitorId } from '#server/domain/channels/webchat/webchat.identity.ts'
import {
  newVisitorId,
  returningVisitor,
  type SessionVisitor,
  sessionToken,
  visitorOf,
} from '#server/domain/channels/webchat/webchat.sessions.ts'
import {
  findVisitorFile,
  findWidget,
  hasConversation,
  type Widget,
} from '#server/domain/channels/webchat/webchat.store.ts'
import { saveRating } from '#server/domain/messaging/conversations/ratings.store.ts'
import { headersOf } from '#server/domain/messaging/files/attachments.http.ts'
import { readTicket, type Upload } from '#server/domain/messaging/files/uploads.rules.ts'
import { useUploads } from '#server/domain/messaging/files/uploads.store.ts'
import { sanitizePayload } from '#server/platform/lib/text/sanitize-payload.ts'
import { WEBCHAT_ADDRESS_NEW_VISITORS_PER_HOUR } from '#shared/channels/visitor-ceilings.ts'
import {
  type VisitorIdentity,
  type VisitorMessage,
  type VisitorSession,
  visitorIdentity,
  visitorMessage,
  visitorRating,
  WIDGET_COLOR,
  WIDGET_KEY_PATTERN,
} from '#shared/channels/webchat.ts'
import { AppError, appErrorData, type ErrorCode } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { WEBCHAT_SESSION_MS, WEBCHAT_VISITOR_PAUSE_MS } from '#shared/limits.ts'
import { brandOf, footerOf } from '#shared/organizations/branding.ts'
import { noteCustomerTyping } from '../conversations/writes/typing.store.ts'
import { receive } from '../inbound/receive.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'
import { type ChatVisitor, streamChat } from './webchat.chat.ts'
import { drawFace, FACE_HEADERS, faceAddress } from './webchat.face.ts'
import { takeFile } from './webchat.files.ts'
import type { VisitorLimits } from './webchat.limits.ts'
import type { VisitorStreams } from './webchat.streams.ts'

const NAMES = { ru: 'Посетитель', en: 'Visitor' }
/** Share of a session's lifetime after which its token is renewed. */
const RENEW_SHARE = 0.75
/** How long an address with too many new visitors waits for another one. */
const NEW_VISITOR_PAUSE_MS = 3_600_000 / WEBCHAT_ADDRESS_NEW_VISITORS_PER_HOUR
const sessionInput = z.strictObject({ token: z.string().max(2000).optional(), identity: z.optional(visitorIdentity) })

const STATUS: Partial<Record<ErrorCode, 401 | 403 | 404 | 413 | 429 | 507>> = {
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  connection_disconnected: 404,
  file_too_large: 413,
  storage_full: 507,
  files_limit_reached: 429,
  rate_limited: 429,
}

export type WebchatParts = {
  ctx: PipelineContext
  streams: VisitorStreams
  limits: VisitorLimits
  /** The address by which limits are counted. */
  addressOf(c: Context): string
}

/** Routes under `/api/webchat`. */
export function webchatRoutes(parts: WebchatParts): Hono {
  const routes = new Hono().basePath('/api/webchat/:key')
  routes.use(async (c, next) => {
    // Our own pages only. A browser sends this header truthfully, and other clients gain nothing from a stranger's browser.
    if ((c.req.header('sec-fetch-site') ?? 'same-origin') !== 'same-origin') return refuse(c, new AppError('forbidden'))
    if (!parts.limits.mayAsk(parts.addressOf(c))) return refuse(c, tooMany())
    c.header('cache-control', 'no-store')
    return next()
  })
  routes.onError((error, c) => refuse(c, error))
  routes.post('/session', async (c) => c.json(await openSession(parts, c)))
  routes.get('/chat', async (c) => streamChat(parts, await admit(parts, c), parts.addressOf(c)))
  routes.post('/messages', async (c) => {
    const visitor = await admit(parts, c)
    await takeMessage(parts, { ...visitor, address: parts.addressOf(c) }, await readBody(c, visitorMessage))
    return c.body(null, 204)
  })
  routes.post('/person', async (c) => {
    const visitor = await admit(parts, c)
    const message = { ...(await readBody(c, visitorMessage)), callsPerson: true } as const
    await takeMessage(parts, { ...visitor, address: parts.addressOf(c) }, message)
    return c.body(null, 204)
  })
  routes.post('/files', async (c) => {
    const visitor = await admit(parts, c)
    if (!parts.limits.maySendFile(parts.addressOf(c))) throw tooMany()
    return c.json(await takeFile(parts.ctx, visitor, c), 201)
  })
  routes.get('/files/:id{[0-9a-v]{32}}', async (c) => {
    const { widget, visitorId } = await admit(parts, c)
    const { id: connectionId, organizationId } = widget.connection
    const id = c.req.param('id') as Id<'attachments'>
    const file = await parts.ctx.read(organizationId, (store) =>
      findVisitorFile(store, { connectionId, visitorId }, id),
    )
    if (!file?.key) throw new AppError('not_found')
    const bytes = new Uint8Array(await parts.ctx.services.files.get(file.key))
    return c.body(bytes, 200, await headersOf(bytes, file.name))
  })
  routes.get('/face', async (c) => {
    const { widget } = await findOpen(parts.ctx, c)
    const picture = await drawFace(widget)
    if (!picture) throw new AppError('not_found')
    return c.body(picture, 200, FACE_HEADERS)
  })
  routes.post('/rating', async (c) => {
    const { widget, visitorId } = await admit(parts, c)
    const { score, comment } = await readBody(c, visitorRating)
    if (!parts.limits.maySend(visitorId)) throw tooMany()
    const { id: connectionId, organizationId } = widget.connection
    const rating = score === null ? null : { score, comment: sanitizePayload(comment) || null }
    await parts.ctx.organization(organizationId, (store) =>
      saveRating(store, { connectionId, chatId: visitorId }, rating),
    )
    return c.body(null, 204)
  })
  routes.post('/probe', async (c) => c.json(await takeProbe(parts.ctx, c)))
  routes.post('/typing', async (c) => {
    const { widget, visitorId } = await admit(parts, c)
    const { id: connectionId, organizationId } = widget.connection
    await parts.ctx.organization(organizationId, (store) =>
      noteCustomerTyping(store, { connectionId, chatId: visitorId }),
    )
    return c.body(null, 204)
  })
  return routes
}

async function openSession({ ctx }: WebchatParts, c: Context): Promise<VisitorSession> {
  const { key, widget } = await findOpen(ctx, c)
  const { token, identity } = await readBody(c, sessionInput)
  const now = Date.now()
  const { secrets } = ctx.services
  const visitor = identity
    ? signedVisitor(ctx, key, widget, identity)
    : { visitorId: (token && returningVisitor(secrets, key, token, now)) || newVisitorId(), signedName: null }
  const { title, position, texts, takesFiles } = widget.settings
  const { installation, own } = await ctx.look('web chat: brand', (store) =>
    getBrands(store, widget.connection.organizationId),
  )
  const color = widget.settings.color || brandOf(installation, own).accent.light || WIDGET_COLOR
  const look = { color, avatar: faceAddress(key, widget), footer: footerOf(installation, own) }
  return {
    token: sessionToken(secrets, key, visitor, now),
    renewInMs: WEBCHAT_SESSION_MS * RENEW_SHARE,
    widget: { title, position, texts, takesFiles, ...look },
  }
}

/** @throws AppError forbidden for what the site has not signed */
function signedVisitor(
  { services }: PipelineContext,
  key: string,
  { connection }: Widget,
  identity: VisitorIdentity,
): SessionVisitor {
  const signed = readIdentity(credentialsOf(services.secrets, connection).webhookSecret, identity)
  if (!signed) throw new AppError('forbidden')
  return { visitorId: signedVisitorId(key, signed), signedName: signed.name ?? signed.userId }
}

/** Stores a probe, which has no content. @throws AppError forbidden for one that we have not signed */
async function takeProbe(ctx: PipelineContext, c: Context): Promise<object> {
  const { connection } = (await findOpen(ctx, c)).widget
  const { webchat } = ctx.services.channels
  const credentials = credentialsOf(ctx.services.secrets, connection)
  const text = await c.req.text()
  if (!webchat.verify(credentials, c.req.raw.headers, text)) throw new AppError('forbidden')
  const body: unknown = JSON.parse(text)
  await receive(ctx, connection, webchat.parse(body, credentials), body)
  return {}
}

/** The visitor of a request. @throws AppError not_found without a widget, unauthenticated without a visitor of it */
async function admit({ ctx }: WebchatParts, c: Context): Promise<ChatVisitor> {
  const { key, widget } = await findOpen(ctx, c)
  const token = c.req.header('authorization')?.replace(/^Bearer /, '') ?? ''
  const visitor = visitorOf(ctx.services.secrets, key, token, Date.now())
  if (visitor === null) throw new AppError('unauthenticated')
  return { key, widget, ...visitor }
}

async function findOpen(ctx: PipelineContext, c: Context): Promise<{ key: string; widget: Widget }> {
  const key = c.req.param('key') ?? ''
  if (!WIDGET_KEY_PATTERN.test(key)) throw new AppError('not_found')
  const widget = await ctx.look('web chat: widget', (store) => findWidget(store, key))
  if (!widget) throw new AppError('not_found')
  return { key, widget }
}

/** Stores a message, once. @throws AppError rate_limited, upload_expired, connection_disconnected */
async function takeMessage(
  { ctx, limits }: WebchatParts,
  { widget, visitorId, signedName, address }: ChatVisitor & { address: string },
  { id, text, language, files: tickets, callsPerson }: VisitorMessage & { callsPerson?: true },
): Promise<void> {
  const { connection } = widget
  if (!limits.maySend(visitorId) || !limits.mayWrite(address)) throw tooMany()
  const isKnown = await ctx.read(connection.organizationId, (store) =>
    hasConversation(store, { connectionId: connection.id, visitorId }),
  )
  // Whom the site has signed is known to it.
  if (!isKnown && signedName === null && !limits.mayBegin(address)) throw tooMany(NEW_VISITOR_PAUSE_MS)
  const name = signedName ?? `${NAMES[language]} ${visitorId.slice(0, 4)}`
  const owner = { organizationId: connection.organizationId, connectionId: connection.id, visitorId }
  const uploads = tickets.map((ticket) => readTicket(ctx.services.secrets, owner, ticket, new Date()))
  if (uploads.length > 0) {
    const use = { usedIn: 'message', by: `${connection.id} ${visitorId} ${id}` } as const
    await ctx.organization(connection.organizationId, (store) => useUploads(store, uploads, use))
  }
  const files = uploads.map(toFile)
  const given = { ...(files.length > 0 && { files }), ...(callsPerson && { callsPerson }) }
  const body = sanitizePayload({ visitorId, id, text, language, name, ...given })
  const inbound = ctx.services.channels.webchat.parse(body, { token: '', webhookSecret: '' })
  const { status } = await receive(ctx, connection, inbound, body)
  if (status === 'refused') throw new AppError('connection_disconnected')
}

function toFile({ kind, fileKey, name, mimeType, sizeBytes }: Upload) {
  return { kind, fileKey, name, mimeType, sizeBytes }
}

/** @throws AppError invalid_arguments */
async function readBody<T>(
  c: Context,
  schema: { safeParse(value: unknown): { data?: T; success: boolean } },
): Promise<T> {
  const parsed = schema.safeParse(await c.req.json().catch(() => undefined))
  if (!parsed.success || parsed.data === undefined) throw new AppError('invalid_arguments')
  return parsed.data
}

function tooMany(retryAfterMs = WEBCHAT_VISITOR_PAUSE_MS): AppError {
  return new AppError('rate_limited', { retryAfterMs })
}

/** @throws what is no expected refusal */
function refuse(c: Context, error: unknown): Response {
  const data = appErrorData(error)
  if (!data) throw error
  return c.json(data, STATUS[data.code] ?? 400)
}
