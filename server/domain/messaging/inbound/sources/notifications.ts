// One notification of a provider, whichever way it came. Providers wait with everything else until it is taken, so one that cannot be
// stored as what it says is kept aside like one that nobody understands.
import { createHash } from 'node:crypto'
import { credentialsOf } from '#server/domain/channels/connections/access.ts'
import type { StoredConnection } from '#server/domain/channels/connections/connections.store.ts'
import { isUnstorable } from '#server/platform/db/engine/engine.ts'
import type { PipelineContext } from '../../turns/pipeline-context.ts'
import type { Received } from '../handler.ts'
import { withSubject } from '../handlers/chat-subjects.ts'
import { withSenderName } from '../handlers/sender-names.ts'
import { receive } from '../receive.ts'
import { sanitizePayload } from '../sanitize-payload.ts'

/** Understands and stores what came in; `isAnswered`: where a customer says it, a person has answered it past us since. Safe to repeat. @throws what may be another time: the database is out of reach, say */
export async function takeNotification(
  ctx: PipelineContext,
  connection: StoredConnection,
  body: unknown,
  { isAnswered = false }: { isAnswered?: boolean } = {},
): Promise<Received> {
  const payload = sanitizePayload(body)
  const credentials = credentialsOf(ctx.services.secrets, connection)
  const told = ctx.services.channels[connection.channel].parse(payload, credentials)
  const understood = isAnswered && told.kind === 'message' ? { ...told, isAnswered } : told
  const inbound = await withSubject(ctx, connection, await withSenderName(ctx, connection, understood))
  try {
    return await receive(ctx, connection, inbound, payload)
  } catch (error) {
    if (!isUnstorable(error)) throw error
    ctx.logger.error({ err: error, connectionId: connection.id }, 'notification cannot be stored as what it says')
    return receive(ctx, connection, { kind: 'unknown', externalKey: shortened(inbound.externalKey) }, payload)
  }
}

/** The key may be what cannot be stored. */
function shortened(externalKey: string): string {
  return `sha256:${createHash('sha256').update(externalKey).digest('base64url')}`
}
