// Disconnects an account at its provider after the rows that named it are gone: until then it delivers to our address.
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { Channels } from '#server/integrations/channels/registry.ts'
import type { Database, Db, StoreContext } from '#server/platform/db/database.ts'
import { defineJob, type JobSender } from '#server/platform/jobs/jobs.ts'
import type { Secrets } from '#server/platform/lib/secrets.ts'
import { credentialsOf } from './access.ts'
import { webhookUrlOf } from './connecting.ts'
import { isAccountConnected } from './connections.store.ts'
import type { LeftConnection } from './left-connections.store.ts'

type DisconnectContext = { database: Database; channels: Channels; secrets: Secrets; publicUrl: string }

/** Its data holds the secrets as they were stored, encrypted. */
export const disconnectJob = defineJob<LeftConnection, DisconnectContext>({
  name: 'channels.disconnect',
  limitSeconds: 60,
  concurrency: 1,
  async run({ database, channels, secrets, publicUrl }, left) {
    const isBack = await database.system('channels: disconnect', (db) => isAccountConnected({ db }, left), {
      readOnly: true,
    })
    if (isBack) return // the account has been reconnected, and delivers to the new connection
    const address = webhookUrlOf(publicUrl, left.channel, left.webhookPath ?? null)
    try {
      await channels[left.channel].disconnect(credentialsOf(secrets, left), address)
    } catch (error) {
      if (!(error instanceof AdapterError) || !HOPELESS.has(error.kind)) throw error
    }
  },
})

/** Errors for which retrying changes nothing. */
const HOPELESS: ReadonlySet<AdapterError['kind']> = new Set(['unauthorized', 'permanent'])

/** Queued with the deletion: the accounts are disconnected if, and only if, it commits. */
export function disconnectLater(
  ctx: StoreContext & { jobs: JobSender<Db> },
  connections: LeftConnection[],
): Promise<void> {
  return ctx.jobs.sendAll(ctx.db, disconnectJob, connections)
}
