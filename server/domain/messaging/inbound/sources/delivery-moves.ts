// Connections follow the public address of the installation: they move to their webhooks once there is one, and are polled again when there
// is none any more. Run by the process that polls. Nothing is lost on the way: what waits at the provider arrives by either way.

import { credentialsOf } from '#server/domain/channels/connections/access.ts'
import { webhookUrlOf } from '#server/domain/channels/connections/connecting.ts'
import type { StoredConnection } from '#server/domain/channels/connections/connections.store.ts'
import {
  beginDelivery,
  endDelivery,
  listUnchosenWebhooks,
  type PollingConnection,
} from '#server/domain/channels/health/polling.store.ts'
import type { ChannelAdapter } from '#server/integrations/channels/contract/channel.ts'
import type { Credentials } from '#server/integrations/channels/contract/credentials.ts'
import type { Channels } from '#server/integrations/channels/registry.ts'
import { runAtOnce } from '#server/platform/lib/scheduling/at-once.ts'
import type { PipelineContext } from '../../turns/pipeline-context.ts'
import { takeNotification } from './notifications.ts'

/** Providers that are asked concurrently. */
const AT_ONCE = 5
/** Timeout of the poll for what the provider queued while the webhook was being set. */
const LAST_POLL_MS = 15_000

/** Whether a polled connection is to move to its webhook. */
export function mayMoveToWebhook({ services }: PipelineContext, { isChosen }: PollingConnection): boolean {
  return !isChosen && services.publicUrl.startsWith('https:')
}

/**
 * Sets the webhook of a connection of which everything that waited has been polled.
 *
 * @param offset receipt for it
 * @throws AdapterError when the provider refuses; it is polled as before
 */
export async function moveToWebhook(
  ctx: PipelineContext,
  connection: PollingConnection,
  offset: number | null,
): Promise<void> {
  const { organizationId, id, channel, webhookPath } = connection
  const adapter: ChannelAdapter = ctx.services.channels[channel]
  const credentials = credentialsOf(ctx.services.secrets, connection)
  // The row first: a poll that the new webhook interrupts must not remove the webhook again.
  await ctx.organization(organizationId, (store) => beginDelivery(store, id))
  try {
    await adapter.connect(credentials, webhookUrlOf(ctx.services.publicUrl, channel, webhookPath))
  } catch (error) {
    await ctx.organization(organizationId, (store) => endDelivery(store, id, { offset, hasGap: false }))
    throw error
  }
  await takeLast(ctx, connection, { adapter, credentials, offset })
  ctx.logger.info({ connectionId: id, channel }, 'a connection was moved to its webhook')
}

/** Fetches what came between the last poll and the webhook. A provider that returns nothing to a poll any more delivers it. */
async function takeLast(
  ctx: PipelineContext,
  connection: PollingConnection,
  { adapter, credentials, offset }: { adapter: ChannelAdapter; credentials: Credentials; offset: number | null },
): Promise<void> {
  const signal = AbortSignal.timeout(LAST_POLL_MS)
  const polled = await adapter.polling?.poll(credentials, offset, 0, signal).catch(() => null)
  for (const update of polled?.updates ?? []) await takeNotification(ctx, connection, update)
}

/** Without a public address, connections whose webhook was not chosen by a person are polled where the channel allows it. Never throws. */
export async function moveToPolling(ctx: PipelineContext, signal: AbortSignal): Promise<void> {
  if (ctx.services.publicUrl.startsWith('https:')) return
  try {
    const polled = polledChannels(ctx.services.channels)
    const connections = await ctx.look('pipeline: webhooks', (store) => listUnchosenWebhooks(store, polled))
    const failures = await runAtOnce(connections, { atOnce: AT_ONCE, signal, run: (each) => moveOne(ctx, each) })
    for (const err of failures) ctx.logger.warn({ err }, 'a connection was not moved to polling')
  } catch (err) {
    ctx.logger.warn({ err }, 'connections were not moved to polling')
  }
}

/** Removes the webhook first: what arrives before polling starts waits at the provider, or is fetched as missed. */
async function moveOne(ctx: PipelineContext, connection: StoredConnection): Promise<void> {
  const { organizationId, id, channel } = connection
  const adapter: ChannelAdapter = ctx.services.channels[channel]
  const credentials = credentialsOf(ctx.services.secrets, connection)
  await adapter.connect(credentials, null)
  const offset = (await adapter.polling?.beginPolling?.(credentials)) ?? null
  const hasGap = adapter.polling?.readMissed !== undefined
  await ctx.organization(organizationId, (store) => endDelivery(store, id, { offset, hasGap }))
  ctx.logger.info({ connectionId: id, channel }, 'a connection was moved to polling')
}

function polledChannels(channels: Channels): (keyof Channels)[] {
  const names = Object.keys(channels) as (keyof Channels)[]
  return names.filter((name) => (channels[name] as ChannelAdapter).polling !== undefined)
}
