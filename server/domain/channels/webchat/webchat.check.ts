// Tests a web chat end to end, as a visitor's browser would use it: by the public address, through any proxy in between.
import { randomInt } from 'node:crypto'
import type { OrgActionContext } from '#server/functions/context.ts'
import type { ConnectionCheck } from '#shared/channels/channels.ts'
import { credentialsOf } from '../connections/access.ts'
import { type Finding, NONCE_MAX, postProbe, timed } from '../health/connection-check.steps.ts'
import type { DeliveredConnection } from '../health/health.store.ts'
import { newVisitorId, sessionToken } from './webchat.sessions.ts'

const PAGE_MAX_BYTES = 1024 * 1024
/** A stream sends the state of the conversation at once; a proxy that buffers it would hold it for ever. */
const STREAM_MS = 10_000

/** The page opens, a probe is stored, a conversation can be followed. */
export async function checkWebchat(ctx: OrgActionContext, connection: DeliveredConnection): Promise<ConnectionCheck[]> {
  const { secrets, publicUrl, channels, selfClient } = ctx.services
  const { token: key, ...rest } = credentialsOf(secrets, connection)
  const credentials = { token: key, ...rest }
  const address = `${publicUrl}/api/webchat/${key}`
  const probe = channels.webchat.probe(credentials, randomInt(1, NONCE_MAX))
  return [
    await timed('page', () => checkPage(() => selfClient.get(`${publicUrl}/talk/${key}`, PAGE_MAX_BYTES))),
    await timed('receiving', () =>
      postProbe(ctx, { id: connection.id, address: `${address}/probe`, probe, credentials, adapter: channels.webchat }),
    ),
    await timed('stream', () => {
      const visitor = { visitorId: newVisitorId(), signedName: null }
      return checkStream(`${address}/chat`, sessionToken(secrets, key, visitor, Date.now()))
    }),
  ]
}

async function checkPage(get: () => Promise<Uint8Array>): Promise<Finding> {
  return get().then(
    () => null,
    (error: unknown) => messageOf(error),
  )
}

/** By a plain request to our own address: it has to be read while it arrives. */
async function checkStream(url: string, token: string): Promise<Finding> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new Error(`nothing came within ${STREAM_MS} ms`)), STREAM_MS)
  try {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(url, { headers, redirect: 'error', signal: controller.signal })
    if (answer.status !== 200) return `answered ${answer.status}`
    const first = await answer.body?.getReader().read()
    return first?.value ? null : 'the stream ended at once'
  } catch (error) {
    return messageOf(error)
  } finally {
    clearTimeout(timer)
    controller.abort()
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer'
  return error.cause instanceof Error ? error.cause.message : error.message
}
