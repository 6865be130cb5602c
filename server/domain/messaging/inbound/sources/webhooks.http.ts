// The door for notifications of providers. Whoever does not know a connection's path and secret learns nothing, not even
// whether it exists; whoever does gets 200 only after everything is stored.
import { type Context, Hono } from 'hono'
import { credentialsOf } from '#server/domain/channels/connections/access.ts'
import {
  findByAccount,
  findByWebhookPath,
  type StoredConnection,
} from '#server/domain/channels/connections/connections.store.ts'
import { setDelivered } from '#server/domain/channels/health/health.store.ts'
import type { ChannelAdapter } from '#server/integrations/channels/contract/channel.ts'
import { JSON_BOUNDS, parseBoundedJson } from '#server/platform/lib/http/bounded-json.ts'
import { announcedBytes, readText, UNREAD } from '#server/platform/lib/text/read-text.ts'
import { channelsWhere } from '#shared/channels/manifests.ts'
import { WEBHOOK_MAX_BYTES } from '#shared/limits.ts'
import type { PipelineContext } from '../../turns/pipeline-context.ts'
import type { Received } from '../handler.ts'
import { takeNotification } from './notifications.ts'

/** A body of no more than this is received in any case: its connection can be kept. */
const READ_ANYWAY_BYTES = 64 * 1024
const PATH = /^[A-Za-z0-9_-]{43}$/
/** What lies deeper than any notification is cut by storable.ts. */
const DELIVERY_BOUNDS = { ...JSON_BOUNDS, depth: Infinity }
/** Channels whose providers deliver through this door. */
const DELIVERED = channelsWhere(({ door }) => door === 'webhooks').join('|')
/** No provider tells more at once. What does is kept whole: each piece may repeat what stands around it. */
const PIECES_MAX = 1000

/** Routes under `/webhooks`. */
export function webhookRoutes(ctx: PipelineContext): Hono {
  const routes = new Hono()
  const connectionOf = async (c: Context) => {
    const found = await find(ctx, c.req.param('path') ?? '')
    return found?.channel === c.req.param('channel') ? found : undefined
  }
  routes.get(`/webhooks/:channel{${DELIVERED}}/:path`, async (c) => {
    const found = await connectionOf(c)
    if (!found) return unknown(c)
    const { adapter, credentials } = access(ctx, found)
    const answer = adapter.answerHandshake?.(credentials, new URL(c.req.url).searchParams) ?? null
    if (answer === null) return unknown(c)
    await ctx.organization(found.organizationId, (store) => setDelivered(store, found.id, new Date()))
    return c.text(answer)
  })
  routes.post(`/webhooks/:channel{${DELIVERED}}/:path`, async (c) => {
    if ((announcedBytes(c.req.raw) ?? 0) > WEBHOOK_MAX_BYTES) return c.json({ code: 'too_large' }, 413, UNREAD)
    const found = await connectionOf(c)
    return found ? answerDelivery(ctx, found, c) : unknown(c)
  })
  return routes
}

/** Who sends is looked at before anything is read, where that can be told without the body. */
async function answerDelivery(ctx: PipelineContext, found: StoredConnection, c: Context): Promise<Response> {
  const begunAt = performance.now()
  const { adapter, credentials } = access(ctx, found)
  const { headers } = c.req.raw
  const turnAway = () => {
    ctx.connectionActivity.turnedAway(found.id)
    return unknown(c)
  }
  if (adapter.isVerifiedByHeaders && !adapter.verify(credentials, headers, '')) return turnAway()
  const text = await readText(c.req.raw, WEBHOOK_MAX_BYTES)
  // Who knows the secret may hear why.
  if (text === null) return adapter.isVerifiedByHeaders ? c.json({ code: 'too_large' }, 413, UNREAD) : turnAway()
  const body = parsed(text)
  const answer = (await adapter.answerQuestion?.(credentials, body)) ?? null
  if (answer !== null) return c.text(answer)
  if (!adapter.verify(credentials, headers, text)) return turnAway()
  const isBy = (by: StoredConnection) => adapter.verify(access(ctx, by).credentials, headers, text)
  const received = await takeDelivery(ctx, found, body, isBy)
  ctx.connectionActivity.answered(found.id, Math.round(performance.now() - begunAt))
  if (received === 'refused') return unknown(c)
  return adapter.takenText === undefined ? c.body(null, 200) : c.text(adapter.takenText)
}

/** The answer to who knows no path or no secret: the same for both, whether the body was read or not. */
function unknown(c: Context): Response {
  const announced = announcedBytes(c.req.raw)
  const isRead = announced !== undefined ? announced <= READ_ANYWAY_BYTES : !c.req.header('transfer-encoding')
  return c.json({ code: 'not_found' }, 404, isRead ? {} : UNREAD)
}

/** All that a delivery tells, one after another, up to what is refused; what was stored before it is passed over when it comes again. */
async function takeDelivery(
  ctx: PipelineContext,
  connection: StoredConnection,
  body: unknown,
  isBy: (by: StoredConnection) => boolean,
): Promise<Extract<Received['status'], 'kept' | 'refused'>> {
  const { split, accountOf } = ctx.services.channels[connection.channel] as ChannelAdapter
  const others = new Map<string, StoredConnection | null>()
  const pieces = split?.(body) ?? [body]
  for (const piece of pieces.length > PIECES_MAX ? [body] : pieces) {
    const account = accountOf?.(piece) ?? null
    const isOthers = account !== null && account !== connection.accountId
    if (isOthers && !others.has(account)) others.set(account, await addressee(ctx, connection, account, isBy))
    const other = isOthers ? (others.get(account) ?? null) : null
    const { status } = await takeNotification(ctx, other ?? connection, piece)
    if (status === 'refused' && !other) return status
  }
  return 'kept'
}

/**
 * Some providers deliver what concerns any of several accounts to one address: each of them may be connected here, to whomever. It is
 * delivered to from now on. Null where its own secret has not signed the delivery: nothing of that is kept, and its page says so.
 */
async function addressee(
  ctx: PipelineContext,
  { channel }: StoredConnection,
  accountId: string,
  isBy: (by: StoredConnection) => boolean,
): Promise<StoredConnection | null> {
  const found = await ctx.look('pipeline: account of a delivery', (store) => findByAccount(store, channel, accountId))
  if (!found) return null
  const isSigned = isBy(found)
  if (isSigned) await ctx.organization(found.organizationId, (store) => setDelivered(store, found.id, new Date()))
  else ctx.connectionActivity.turnedAway(found.id)
  return isSigned ? found : null
}

function access({ services }: PipelineContext, connection: StoredConnection) {
  const adapter: ChannelAdapter = services.channels[connection.channel]
  return { adapter, credentials: credentialsOf(services.secrets, connection) }
}

/** Read each time: a secret holds no longer than its connection has it, on every server. */
async function find(ctx: PipelineContext, path: string): Promise<StoredConnection | undefined> {
  if (!PATH.test(path)) return undefined
  return ctx.look('pipeline: webhook path', (store) => findByWebhookPath(store, path))
}

/** The parsed body, or its text when it is no JSON, or more than any provider sends: what is not understood is kept too. */
function parsed(text: string): unknown {
  const body = parseBoundedJson(text, DELIVERY_BOUNDS)
  return body === undefined ? text : body
}
