// Resolves sends of unknown outcome, once a minute: a provider that can be asked is asked; where one reports everything that it has
// accepted, the send is looked up there; of the others, answers whose agent is set so are sent once more.

import { credentialsOf } from '#server/domain/channels/connections/access.ts'
import type { StoredConnection } from '#server/domain/channels/connections/connections.store.ts'
import type { Services } from '#server/functions/services.ts'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { TakenText } from '#server/integrations/channels/contract/capabilities.ts'
import type { ChannelAdapter } from '#server/integrations/channels/contract/channel.ts'
import type { Credentials } from '#server/integrations/channels/contract/credentials.ts'
import type { Channels } from '#server/integrations/channels/registry.ts'
import type { Db, OrgStoreContext } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { runAtOnce } from '#server/platform/lib/scheduling/at-once.ts'
import type { Markup } from '#shared/channels/manifest.ts'
import { findTaken } from '../outbox/unknown-sends.rules.ts'
import {
  listKnownIds,
  listReportedPayloads,
  listUncertain,
  listUnknownParts,
  recordNotTaken,
  recordTaken,
} from '../outbox/unknown-sends.store.ts'
import { listResendable, type ResendablePart, resendOnce } from './resend.store.ts'

type Part = Awaited<ReturnType<typeof listUnknownParts>>[number]
type Parts = [Part, ...Part[]]
type AskServices = Pick<Services, 'database' | 'channels' | 'secrets'>

/** Connections that are checked concurrently. */
const AT_ONCE = 5
/** Chats that are checked for one connection, one after another, in each run. */
const CHATS_AT_ONCE = 10

/** Read committed: what is read after a lock is what was committed before it. */
const WRITE = { isolation: 'read committed' } as const

/** Errors of one connection or part are reported after everything else is done. A provider that does not answer is asked again a minute later. */
export const unknownSendsJob = defineJob<object, AskServices>({
  name: 'pipeline.unknown-sends',
  limitSeconds: 55,
  concurrency: 1,
  schedule: '* * * * *',
  isBrief: true,
  async run(ctx, _, signal) {
    const failures = [...(await resend(ctx, signal)), ...(await askAll(ctx, signal))]
    if (failures.length > 0) throw new AggregateError(failures, 'some sends of unknown outcome were not looked at')
  },
})

function namesOf(channels: Channels, fits: (adapter: ChannelAdapter) => boolean): (keyof Channels)[] {
  const names = Object.keys(channels) as (keyof Channels)[]
  return names.filter((name) => fits(channels[name]))
}

/** @returns the errors */
async function resend({ database, channels: all }: AskServices, signal: AbortSignal): Promise<unknown[]> {
  const channels = namesOf(
    all,
    ({ sendLog, traits }) => !sendLog && traits.dropsRepeatsForMs === undefined && !traits.showsOnlyRecorded,
  )
  const parts = await database.system('pipeline: sends to repeat', (db) => listResendable({ db }, channels), {
    readOnly: true,
  })
  const again = (part: ResendablePart) => {
    const { organizationId } = part
    return database.organization(organizationId, (db) => resendOnce({ db, organizationId }, part))
  }
  return runAtOnce(parts, { atOnce: 1, signal, run: again })
}

/** @returns the errors */
async function askAll(ctx: AskServices, signal: AbortSignal): Promise<unknown[]> {
  const channels = namesOf(ctx.channels, ({ sendLog }) => sendLog !== undefined)
  const waiting = await ctx.database.system('pipeline: sends to ask about', (db) => listUncertain({ db }, channels), {
    readOnly: true,
  })
  return runAtOnce(waiting, { atOnce: AT_ONCE, signal, run: (connection) => askOne(ctx, connection, signal) })
}

async function askOne(
  { database, channels, secrets }: AskServices,
  connection: StoredConnection,
  signal: AbortSignal,
): Promise<void> {
  const { id, organizationId } = connection
  const adapter: ChannelAdapter = channels[connection.channel]
  const { sendLog } = adapter
  const { markup } = adapter.showing
  const credentials = credentialsOf(secrets, connection)
  const parts = await database.organization(organizationId, (db) => listUnknownParts({ db, organizationId }, id), {
    readOnly: true,
  })
  if (parts.length === 0) return
  const ask = async (asked: Parts): Promise<TakenText[]> => {
    const since = Math.min(...asked.map(({ triedAt }) => triedAt))
    const [{ chatId }] = asked
    if (sendLog?.of === 'chat') return sendLog.list(credentials, chatId, since, signal)
    if (sendLog?.of === 'account') return sendLog.list(credentials, since, signal)
    const listReported = (db: Db) => listReportedPayloads({ db, organizationId }, id, since)
    return echoesIn(adapter, credentials, await database.organization(organizationId, listReported, { readOnly: true }))
  }
  for (const asked of sendLog?.of === 'chat' ? someChats(parts) : [parts as Parts]) {
    const taken = await ask(asked).catch(unlessOurs)
    if (taken === 'nothing') return
    if (taken === 'not here') continue
    await database.organization(
      organizationId,
      (db) => settle({ db, organizationId }, connection, { asked, taken, markup }),
      WRITE,
    )
  }
}

/** Each chat with its parts. Of many, a random choice: one that is never reported does not starve the others. */
function someChats(parts: Part[]): Parts[] {
  const chats = [...Map.groupBy(parts, ({ chatId }) => chatId).values()].map((of) => ({
    of: of as Parts,
    lot: Math.random(),
  }))
  return chats
    .toSorted((one, other) => one.lot - other.lot)
    .slice(0, CHATS_AT_ONCE)
    .map(({ of }) => of)
}

async function settle(
  store: OrgStoreContext,
  { id: connectionId }: StoredConnection,
  { asked, taken, markup }: { asked: Part[]; taken: TakenText[]; markup: Markup },
): Promise<void> {
  const takenIds = taken.map(({ externalMessageId }) => externalMessageId)
  const known = await listKnownIds(store, connectionId, takenIds)
  const found = findTaken(asked, { taken, known, markup })
  const isFound = new Set(found.map((part) => part.id))
  await recordTaken(store, found)
  await recordNotTaken(
    store,
    asked.filter((part) => !isFound.has(part.id)),
  )
}

/** What the account has sent, among all reported payloads. */
function echoesIn(adapter: ChannelAdapter, credentials: Credentials, payloads: unknown[]): TakenText[] {
  return payloads.flatMap((payload) => {
    const inbound = adapter.parse(payload, credentials)
    return inbound.kind === 'humanReply' && inbound.mayBeOurs ? [inbound] : []
  })
}

/** Provider errors are reported elsewhere and leave the outcome unknown. @throws anything else */
function unlessOurs(error: unknown): 'nothing' | 'not here' {
  if (!(error instanceof AdapterError)) throw error
  return error.kind === 'permanent' ? 'not here' : 'nothing'
}
