// POST /api/channels/http/{connectionId}/messages — the endpoint for programs that post messages of a channel of their own. Errors are
// returned as codes; a request without a valid signature does not learn whether the connection exists.
import { type Context, Hono } from 'hono'
import { credentialsOf } from '#server/domain/channels/connections/access.ts'
import { findHttpConnection } from '#server/domain/channels/connections/connections.store.ts'
import { problemOf } from '#server/integrations/channels/http-channel/http-channel.parse.ts'
import { headersProblem, signatureProblem } from '#server/integrations/channels/http-channel/standard-webhooks.ts'
import { readText, UNREAD } from '#server/platform/lib/text/read-text.ts'
import { sanitizePayload } from '#server/platform/lib/text/sanitize-payload.ts'
import { HTTP_BODY_MAX_BYTES } from '#shared/limits.ts'
import type { PipelineContext } from '../../turns/pipeline-context.ts'
import { receive } from '../receive.ts'

const ID = /^[0-9a-v]{32}$/
/** A secret that signs nothing: verified against when the connection does not exist, so that both responses take the same time. */
const DUMMY_SECRET = 'whsec_bm8gY29ubmVjdGlvbiBoYXMgdGhpcyBzZWNyZXQ='

/** The route. 202: stored, or a duplicate by its webhook-id. */
export function httpChannelRoutes(ctx: PipelineContext): Hono {
  const routes = new Hono()
  routes.post('/api/channels/http/:connectionId/messages', async (c) => {
    const begunAt = performance.now()
    const { headers } = c.req.raw
    const early = headersProblem(headers, Date.now())
    // Without any signature it is no client with a wrong secret: not counted as turned away.
    if (early === 'signature_missing') return refuse(c, 401, early)
    const connection = await find(ctx, c.req.param('connectionId'))
    const credentials = connection && credentialsOf(ctx.services.secrets, connection)
    const text = early ? '' : await readText(c.req.raw, HTTP_BODY_MAX_BYTES)
    if (text === null) return refuse(c, 413, 'too_large', { maxBytes: HTTP_BODY_MAX_BYTES })
    const problem = early ?? signatureProblem(credentials?.webhookSecret ?? DUMMY_SECRET, headers, text, Date.now())
    if (problem || !connection || !credentials) {
      if (connection && !connection.isOff) ctx.connectionActivity.rejectedSignature(connection.id)
      return refuse(c, 401, problem ?? 'signature_invalid')
    }
    if (connection.isOff) return refuse(c, 410, 'connection_disconnected')
    const event = parsed(text)
    if (event === undefined) return refuse(c, 400, 'body_invalid', { description: 'the body is no JSON' })
    const description = problemOf(event)
    if (description) return refuse(c, 400, 'body_invalid', { description })
    const delivery = { id: c.req.header('webhook-id'), event }
    const inbound = ctx.services.channels.http.parse(delivery, credentials)
    const { status } = await receive(ctx, connection, inbound, delivery)
    ctx.connectionActivity.answered(connection.id, Math.round(performance.now() - begunAt))
    if (status === 'refused') return refuse(c, 410, 'connection_disconnected')
    return c.json({ status: status === 'duplicate' ? 'duplicate' : 'accepted' }, 202)
  })
  return routes
}

async function find(ctx: PipelineContext, id: string) {
  if (!ID.test(id)) return undefined
  return ctx.look('pipeline: http connection', (store) => findHttpConnection(store, id))
}

function refuse(c: Context, status: 400 | 401 | 410 | 413, code: string, params: Record<string, unknown> = {}) {
  if (status === 413) c.header('connection', UNREAD.connection)
  return c.json({ code, ...params }, status)
}

function parsed(text: string): unknown {
  try {
    return sanitizePayload(JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}
