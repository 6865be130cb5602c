// How the installation is, for its administrators, and what they can do about it. Read by actions: none of it may be a live query, which would
// run again with every message of every organization.
import { requestReplay, requestReplays } from '#server/domain/messaging/inbound-events/replays.store.ts'
import { adminAction, adminMutation } from '#server/functions/define.ts'
import { retryFailed } from '#server/platform/jobs/queues.store.ts'
import { AppError } from '#shared/errors.ts'
import { replayConnectionInput, replayInput, retryJobInput } from '#shared/organizations/health.ts'
import { noArgs } from '#shared/schema.ts'
import { readHealth, readStorage } from './health.read.ts'

/** Servers, queues, deliveries, notifications that were put aside, and letters. Asked for again and again by the page. */
export const get = adminAction({
  args: noArgs,
  isAutomatic: true,
  handler: ({ services }) => readHealth(services),
})

/** Sizes, free space and slow statements. */
export const storage = adminAction({
  args: noArgs,
  isAutomatic: true,
  handler: ({ services }) => readStorage(services),
})

/** Queues a failed job again, for one more attempt. @throws not_found when it has not failed, or not any more */
export const retryJob = adminMutation({
  args: retryJobInput,
  isAudited: true,
  handler: async (ctx, { queue, jobId }) => {
    if (!(await retryFailed(ctx, queue, jobId))) throw new AppError('not_found')
    await ctx.audit({ resource: { kind: 'job', id: jobId, name: queue } })
  },
})

/** Has a notification that was put aside taken in again. @throws not_found when it is not there, or has no content any more */
export const replay = adminMutation({
  args: replayInput,
  isAudited: true,
  handler: async (ctx, { eventId }) => {
    const request = await requestReplay(ctx, eventId, ctx.now)
    if (!request) throw new AppError('not_found')
    const { organizationId } = request
    await ctx.audit({ organizationId, resource: { kind: 'notification', id: eventId } })
  },
})

/** The same of all of a connection. @returns how many @throws not_found when there are none */
export const replayConnection = adminMutation({
  args: replayConnectionInput,
  isAudited: true,
  handler: async (ctx, { connectionId }): Promise<{ count: number }> => {
    const requests = await requestReplays(ctx, connectionId, ctx.now)
    const [first] = requests
    if (!first) throw new AppError('not_found')
    const { organizationId } = first
    const count = requests.length
    await ctx.audit({ organizationId, resource: { kind: 'connection', id: connectionId }, after: { count } })
    return { count }
  },
})
