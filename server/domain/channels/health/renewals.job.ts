// Renews expiring credentials of connections, once an hour, when it is time: saves operators from entering a new token every few weeks.
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { ChannelAdapter } from '#server/integrations/channels/contract/channel.ts'
import type { Channels } from '#server/integrations/channels/registry.ts'
import type { Database } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { runAtOnce } from '#server/platform/lib/scheduling/at-once.ts'
import type { Secrets } from '#server/platform/lib/secrets.ts'
import { credentialsOf, seal } from '../connections/access.ts'
import { type StoredConnection, setConnectionError } from '../connections/connections.store.ts'
import { listRenewable, replaceToken } from './renewals.store.ts'

type RenewContext = { database: Database; channels: Channels; secrets: Secrets }

/** Providers that are asked concurrently. */
const AT_ONCE = 5

/** A renewal that fails is retried an hour later: there are weeks left. */
export const renewAccessJob = defineJob<object, RenewContext>({
  name: 'renew-access',
  limitSeconds: 600,
  concurrency: 1,
  schedule: '23 * * * *',
  async run(ctx, _, signal) {
    const names = Object.keys(ctx.channels) as (keyof Channels)[]
    const renewing = names.filter((name) => adapterOf(ctx, name).renewAccess)
    const waiting = await ctx.database.system('channels: access to renew', (db) => listRenewable({ db }, renewing), {
      readOnly: true,
    })
    const failures = await runAtOnce(waiting, { atOnce: AT_ONCE, signal, run: (each) => renew(ctx, each) })
    if (failures.length > 0) throw new AggregateError(failures, 'some access was not renewed')
  },
})

async function renew(ctx: RenewContext, connection: StoredConnection): Promise<void> {
  const { id, organizationId, encryptedToken } = connection
  const credentials = credentialsOf(ctx.secrets, connection)
  const begunAt = new Date()
  const renewed = await adapterOf(ctx, connection.channel)
    .renewAccess?.(credentials, begunAt.getTime())
    .catch(async (error: unknown) => {
      if (!(error instanceof AdapterError && error.kind === 'unauthorized')) throw error
      await ctx.database.organization(organizationId, (db) =>
        setConnectionError({ db, organizationId }, id, error.message, begunAt, encryptedToken),
      )
      return null
    })
  if (!renewed) return
  const sealed = seal(ctx.secrets, id, { ...credentials, token: renewed.token })
  const tokenTail = renewed.tail.slice(-4)
  await ctx.database.organization(organizationId, (db) =>
    replaceToken({ db, organizationId }, connection, { ...sealed, tokenTail }),
  )
}

function adapterOf({ channels }: RenewContext, channel: keyof Channels): ChannelAdapter {
  return channels[channel]
}
