// Fetches updates that a provider fails to deliver: removes the webhook for a moment, polls all waiting updates, and sets the webhook
// again. Run by the process that polls, so that two processes never do it at once.

import { credentialsOf } from '#server/domain/channels/connections/access.ts'
import { webhookUrlOf } from '#server/domain/channels/connections/connecting.ts'
import { type DeliveredConnection, saveReport } from '#server/domain/channels/health/health.store.ts'
import type { ChannelAdapter } from '#server/integrations/channels/contract/channel.ts'
import type { PipelineContext } from '../../turns/pipeline-context.ts'
import { takeNotification } from './notifications.ts'

/**
 * Drains the connections whose deliveries fail, one after another. A failure is retried when the provider reports undelivered updates
 * again. Never throws.
 */
export async function drainUndeliveredWebhooks(
  ctx: PipelineContext,
  stuck: DeliveredConnection[],
  signal: AbortSignal,
): Promise<void> {
  for (const connection of stuck) {
    if (signal.aborted) return
    try {
      await fetchAll(ctx, connection, signal)
    } catch (error) {
      ctx.logger.warn({ err: error, connectionId: connection.id }, 'what waits for a connection was not fetched')
    }
    const cleared = { pending: null, error: null, check: null }
    await ctx
      .organization(connection.organizationId, (store) => saveReport(store, connection.id, cleared))
      .catch((error: unknown) => ctx.logger.warn({ err: error }, 'a report of a connection was not kept'))
  }
}

/** Updates that are also delivered meanwhile are deduplicated by key. After a crash the next check sets the webhook again. */
async function fetchAll(ctx: PipelineContext, connection: DeliveredConnection, signal: AbortSignal): Promise<void> {
  const adapter: ChannelAdapter = ctx.services.channels[connection.channel]
  const { polling } = adapter
  if (!polling) return
  const credentials = credentialsOf(ctx.services.secrets, connection)
  await adapter.connect(credentials, null)
  try {
    for (let offset: number | null = null; !signal.aborted; ) {
      const { updates, nextOffset } = await polling.poll(credentials, offset, 0, signal)
      for (const update of updates) await takeNotification(ctx, connection, update)
      ctx.connectionActivity.recovered(connection.id, updates.length)
      if (nextOffset === null || updates.length === 0) break
      offset = nextOffset
    }
  } finally {
    const { channel, webhookPath } = connection
    await adapter.connect(credentials, webhookUrlOf(ctx.services.publicUrl, channel, webhookPath))
  }
}
