// Takes in again what was put aside because nothing understood it, as administrators of the installation have asked. Run by the process that
// polls, so that two processes never do it at once.
import { findSecrets } from '#server/domain/channels/connections/connections.store.ts'
import { beginReplay, endReplay, type RequestedReplay } from '../../inbound-events/replays.store.ts'
import type { PipelineContext } from '../../turns/pipeline-context.ts'
import { takeNotification } from './notifications.ts'

/** One after another, in the order in which they came in. One that fails stays put aside until it is asked for again. Never throws. */
export async function replayRequested(
  ctx: PipelineContext,
  requests: RequestedReplay[],
  signal: AbortSignal,
): Promise<void> {
  for (const request of requests) {
    if (signal.aborted) return
    try {
      await replay(ctx, request)
    } catch (error) {
      ctx.logger.warn({ err: error, ...request }, 'a notification that was put aside was not taken in')
    }
  }
}

async function replay(ctx: PipelineContext, request: RequestedReplay): Promise<void> {
  const { id, organizationId, connectionId } = request
  const connection = await ctx.read(organizationId, (store) => findSecrets(store, connectionId))
  const payload = await ctx.organization(organizationId, (store) => beginReplay(store, id))
  if (!connection || payload === undefined) return
  const { status } = await takeNotification(ctx, connection, payload)
  if (status !== 'refused') await ctx.organization(organizationId, (store) => endReplay(store, request))
}
