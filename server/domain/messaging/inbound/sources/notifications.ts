// Receives one notification of a provider, delivered or polled. Providers hold back later ones until it is accepted, so one that cannot be
// stored as parsed is stored as `unknown`.
import { createHash } from 'node:crypto'
import { credentialsOf } from '#server/domain/channels/connections/access.ts'
import type { StoredConnection } from '#server/domain/channels/connections/connections.store.ts'
import { isUnstorable } from '#server/platform/db/engine/engine.ts'
import { sanitizePayload } from '#server/platform/lib/text/sanitize-payload.ts'
import type { PipelineContext } from '../../turns/pipeline-context.ts'
import type { Received } from '../handler.ts'
import { withSubject } from '../handlers/chat-subjects.ts'
import { withSenderName } from '../handlers/sender-names.ts'
import { receive } from '../receive.ts'

/**
 * Parses and stores a notification. Idempotent. `isAnswered`: if it is a customer's message, a person has answered it outside Parley.
 * @throws transient errors, such as an unreachable database
 */
export async function takeNotification(
  ctx: PipelineContext,
  connection: StoredConnection,
  body: unknown,
  { isAnswered = false }: { isAnswered?: boolean } = {},
): Promise<Received> {
  const payload = sanitizePayload(body)
  const credentials = credentialsOf(ctx.services.secrets, connection)
  const parsed = ctx.services.channels[connection.channel].parse(payload, credentials)
  const marked = isAnswered && parsed.kind === 'message' ? { ...parsed, isAnswered } : parsed
  const inbound = await withSubject(ctx, connection, await withSenderName(ctx, connection, marked))
  try {
    return await receive(ctx, connection, inbound, payload)
  } catch (error) {
    if (!isUnstorable(error)) throw error
    ctx.logger.error({ err: error, connectionId: connection.id }, 'notification cannot be stored as what it says')
    return receive(ctx, connection, { kind: 'unknown', externalKey: shortened(inbound.externalKey) }, payload)
  }
}

/** A hash of the key: the key itself may be what cannot be stored. */
function shortened(externalKey: string): string {
  return `sha256:${createHash('sha256').update(externalKey).digest('base64url')}`
}
