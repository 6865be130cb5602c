// Asks providers every other minute about their deliveries, and corrects the webhook address: the public address of this installation
// may have changed, and other programs set webhooks too.
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { ChannelAdapter } from '#server/integrations/channels/contract/channel.ts'
import type { Channels } from '#server/integrations/channels/registry.ts'
import type { Database } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import { runAtOnce } from '#server/platform/lib/scheduling/at-once.ts'
import type { Secrets } from '#server/platform/lib/secrets.ts'
import { credentialsOf } from '../connections/access.ts'
import { webhookUrlOf } from '../connections/connecting.ts'
import { setConnectionError } from '../connections/connections.store.ts'
import { lastingError, takenBy, toCheck } from './delivery-report.rules.ts'
import { type HeardConnection, listDelivered, saveReport, setDelivered } from './health.store.ts'
import { clearProblems, noteProblem } from './problems.store.ts'

type CheckContext = { database: Database; channels: Channels; secrets: Secrets; publicUrl: string }

/** Providers that are asked concurrently. */
const AT_ONCE = 10

/** Every other minute. */
export const checkWebhooks = defineJob<object, CheckContext>({
  name: 'check-webhooks',
  limitSeconds: 110,
  concurrency: 1,
  schedule: '*/2 * * * *',
  isBrief: true,
  async run(ctx, _, signal) {
    const names = Object.keys(ctx.channels) as (keyof Channels)[]
    const asked = names.filter((name) => adapterOf(ctx, name).inspect)
    const waiting = await ctx.database.system('channels: webhooks', (db) => listDelivered({ db }, asked), {
      readOnly: true,
    })
    const failures = await runAtOnce(waiting, { atOnce: AT_ONCE, signal, run: (each) => checkWebhook(ctx, each) })
    if (failures.length > 0) throw new AggregateError(failures, 'some webhooks were not looked at')
  },
})

/** Without a public https address nothing can be corrected. */
async function checkWebhook(ctx: CheckContext, connection: HeardConnection): Promise<void> {
  const { id, organizationId, heardAt } = connection
  const adapter = adapterOf(ctx, connection.channel)
  const begunAt = new Date()
  try {
    const credentials = credentialsOf(ctx.secrets, connection)
    const report = await adapter.inspect?.(credentials)
    if (!report) return
    const address = webhookUrlOf(ctx.publicUrl, connection.channel, connection.webhookPath)
    const isMoved = report.url !== address && ctx.publicUrl.startsWith('https:')
    if (isMoved) await adapter.connect(credentials, address)
    const current = isMoved ? { ...report, url: address } : report
    const check = toCheck(current, address, begunAt.getTime())
    const taken = isMoved ? takenBy(report.url, connection.webhookPath, ctx.publicUrl) : null
    const { pending } = report
    // The server that made it may have died before it recorded this. A phone may still have to be linked.
    const isConnected = current.url === address && adapter.account === undefined
    await ctx.database.organization(organizationId, async (db) => {
      const org = { db, organizationId }
      if (isConnected) await setDelivered(org, id, begunAt)
      await clearProblems(org, id)
      await saveReport(org, id, { pending, error: taken ?? lastingError(report, heardAt), check })
    })
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    await ctx.database.organization(organizationId, (db) =>
      error.kind === 'unauthorized'
        ? setConnectionError({ db, organizationId }, id, error.message, begunAt, connection.encryptedToken)
        : noteProblem({ db, organizationId }, id, error.message),
    )
  }
}

function adapterOf({ channels }: CheckContext, channel: keyof Channels): ChannelAdapter {
  return channels[channel]
}

/** The public address may be another one since the last start: providers deliver to it at once. @returns what breaks the look off */
export function lookAtWebhooks(services: CheckContext, log: Logger): () => void {
  const stopping = new AbortController()
  checkWebhooks.run(services, {}, stopping.signal).catch((err: unknown) => {
    if (!stopping.signal.aborted) log.warn({ err }, 'webhooks were not looked at')
  })
  return () => stopping.abort()
}
