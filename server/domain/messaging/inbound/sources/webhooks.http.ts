// The webhook endpoints of providers. A request without a connection's path and secret learns nothing, not even whether it exists; a
// valid one gets 200 only after everything is stored.
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

/** Bodies up to this size are drained even when rejected, so that the HTTP connection can be kept alive. */
const READ_ANYWAY_BYTES = 64 * 1024
const PATH = /^[A-Za-z0-9_-]{43}$/
/** No depth limit here: sanitize-payload.ts cuts what is too deep. */
const DELIVERY_BOUNDS = { ...JSON_BOUNDS, depth: Infinity }
/** Channels whose providers deliver to these endpoints. */
const DELIVERED = channelsWhere(({ door }) => door === 'webhooks').join('|')
/** No provider sends more pieces at once. A larger body is stored whole, since each piece may repeat the data around it. */
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

/** Verifies the sender by headers before the body is read, where the channel allows it. */
async function answerDelivery(ctx: PipelineContext, found: StoredConnection, c: Context): Promise<Response> {
  const begunAt = performance.now()
  const { adapter, credentials } = access(ctx, found)
  const { headers } = c.req.raw
  const turnAway = () => {
    ctx.connectionActivity.rejectedSignature(found.id)
    return unknown(c)
  }
  if (adapter.traits.isVerifiedByHeaders && !adapter.verify(credentials, headers, '')) return turnAway()
  const text = await readText(c.req.raw, WEBHOOK_MAX_BYTES)
  // Only a verified sender learns the reason.
  if (text === null) return adapter.traits.isVerifiedByHeaders ? c.json({ code: 'too_large' }, 413, UNREAD) : turnAway()
  const body = parsed(text)
  const answer = (await adapter.callback?.answerQuestion(credentials, body)) ?? null
  if (answer !== null) return c.text(answer)
  if (!adapter.verify(credentials, headers, text)) return turnAway()
  const isBy = (by: StoredConnection) => adapter.verify(access(ctx, by).credentials, headers, text)
  const received = await takeDelivery(ctx, found, body, isBy)
  ctx.connectionActivity.answered(found.id, Math.round(performance.now() - begunAt))
  if (received === 'refused') return unknown(c)
  return adapter.callback ? c.text(adapter.callback.takenText) : c.body(null, 200)
}

/** The response without a known path or secret: the same for both, whether the body was read or not. */
function unknown(c: Context): Response {
  const announced = announcedBytes(c.req.raw)
  const isRead = announced !== undefined ? announced <= READ_ANYWAY_BYTES : !c.req.header('transfer-encoding')
  return c.json({ code: 'not_found' }, 404, isRead ? {} : UNREAD)
}

/** Receives the pieces of a delivery in order, up to the first that is refused; on redelivery the stored ones are skipped. */
async function takeDelivery(
  ctx: PipelineContext,
  connection: StoredConnection,
  body: unknown,
  isBy: (by: StoredConnection) => boolean,
): Promise<Extract<Received['status'], 'kept' | 'refused'>> {
  const { envelope } = ctx.services.channels[connection.channel] as ChannelAdapter
  const others = new Map<string, StoredConnection | null>()
  const pieces = envelope?.split(body) ?? [body]
  for (const piece of pieces.length > PIECES_MAX ? [body] : pieces) {
    const account = envelope?.accountOf?.(piece) ?? null
    const isOthers = account !== null && account !== connection.accountId
    if (isOthers && !others.has(account)) others.set(account, await addressee(ctx, connection, account, isBy))
    const other = isOthers ? (others.get(account) ?? null) : null
    const { status } = await takeNotification(ctx, other ?? connection, piece)
    if (status === 'refused' && !other) return status
  }
  return 'kept'
}

/**
 * The connection of another account in the delivery: some providers deliver for several accounts to one address, and each may be connected
 * here, by any organization. Marks it as delivered to. Null unless its own secret signed the delivery: then nothing is stored, and its page
 * shows the rejection.
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
  else ctx.connectionActivity.rejectedSignature(found.id)
  return isSigned ? found : null
}

function access({ services }: PipelineContext, connection: StoredConnection) {
  const adapter: ChannelAdapter = services.channels[connection.channel]
  return { adapter, credentials: credentialsOf(services.secrets, connection) }
}

/** Not cached: a changed secret takes effect at once on every server. */
async function find(ctx: PipelineContext, path: string): Promise<StoredConnection | undefined> {
  if (!PATH.test(path)) return undefined
  return ctx.look('pipeline: webhook path', (store) => findByWebhookPath(store, path))
}

/** The parsed body, or its text when it is not JSON or exceeds the bounds: unparsable notifications are stored too. */
function parsed(text: string): unknown {
  const body = parseBoundedJson(text, DELIVERY_BOUNDS)
  return body === undefined ? text : body
}
