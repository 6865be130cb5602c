// What becomes of sends of unknown outcome, looked at once a minute: a provider that can be asked is asked; of the others, answers whose
// agent is set so are sent once more.
import { AdapterError, type ChannelAdapter, type Channels } from '#server/adapters/channel.ts'
import { credentialsOf } from '#server/features/channels/access.ts'
import type { StoredConnection } from '#server/features/channels/connections.store.ts'
import type { Services } from '#server/functions/services.ts'
import { defineJob } from '#server/jobs/jobs.ts'
import { listResendable, resendOnce } from './resend.store.ts'
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
    await resend(ctx)
    const channels = namesOf(ctx.channels, (adapter) => adapter.listTaken !== undefined)
    const waiting = await ctx.database.system('pipeline: sends to ask about', (db) => listUncertain({ db }, channels), {
      readOnly: true,
    })
    const work = async () => {
      for (let next = waiting.pop(); next && !signal.aborted; next = waiting.pop()) await ask(ctx, next)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  },
})

function namesOf(channels: Channels, fits: (adapter: ChannelAdapter) => boolean): (keyof Channels)[] {
  const names = Object.keys(channels) as (keyof Channels)[]
  return names.filter((name) => fits(channels[name]))
}

async function resend({ database, channels: all }: AskServices): Promise<void> {
  const channels = namesOf(all, (adapter) => !adapter.listTaken && !adapter.dropsRepeats && !adapter.showsOnlyRecorded)
  const parts = await database.system('pipeline: sends to repeat', (db) => listResendable({ db }, channels), {
    readOnly: true,
  })
  for (const part of parts) {
    const { organizationId } = part
    await database.organization(organizationId, (db) => resendOnce({ db, organizationId }, part))
  }
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
