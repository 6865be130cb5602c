// Finds out what became of sends of unknown outcome where the provider can be asked: once a minute, for as long as there are any.
import { AdapterError, type Channels } from '#server/adapters/channel.ts'
import { credentialsOf } from '#server/features/channels/access.ts'
import type { StoredConnection } from '#server/features/channels/connections.store.ts'
import type { Services } from '#server/functions/services.ts'
import { defineJob } from '#server/jobs/jobs.ts'
import { findTaken } from './unknown-sends.rules.ts'
import { listKnownIds, listUncertain, listUnknownParts, recordNotTaken, recordTaken } from './unknown-sends.store.ts'

type AskServices = Pick<Services, 'database' | 'channels' | 'secrets'>

/** Connections that are asked about at once. */
const AT_ONCE = 5

/** A provider that does not answer is asked again a minute later. */
export const unknownSendsJob = defineJob<object, AskServices>({
  name: 'pipeline.unknown-sends',
  limitSeconds: 55,
  concurrency: 1,
  schedule: '* * * * *',
  async run(ctx, _, signal) {
    const channels = channelsThatTell(ctx.channels)
    const waiting = await ctx.database.system('pipeline: sends to ask about', (db) => listUncertain({ db }, channels), {
      readOnly: true,
    })
    const work = async () => {
      for (let next = waiting.pop(); next && !signal.aborted; next = waiting.pop()) await ask(ctx, next)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  },
})

function channelsThatTell(channels: Channels): (keyof Channels)[] {
  const names = Object.keys(channels) as (keyof Channels)[]
  return names.filter((name) => channels[name].listTaken)
}

async function ask({ database, channels, secrets }: AskServices, connection: StoredConnection): Promise<void> {
  const { id, organizationId } = connection
  const parts = await database.organization(organizationId, (db) => listUnknownParts({ db, organizationId }, id), {
    readOnly: true,
  })
  const adapter = channels[connection.channel]
  const since = Math.min(...parts.map(({ triedAt }) => triedAt))
  if (!adapter.listTaken || parts.length === 0) return
  try {
    const taken = await adapter.listTaken(credentialsOf(secrets, connection), since)
    await database.organization(organizationId, async (db) => {
      const store = { db, organizationId }
      const takenIds = taken.map(({ externalMessageId }) => externalMessageId)
      const found = findTaken(parts, taken, await listKnownIds(store, id, takenIds))
      const isFound = new Set(found.map((part) => part.id))
      await recordTaken(store, found)
      const missing = parts.filter((part) => part.isLate && !isFound.has(part.id))
      await recordNotTaken(
        store,
        missing.map((part) => part.id),
      )
    })
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
  }
}
