// Checks every few minutes whether providers still report the accounts that are subscribed, and subscribes again where they do not: a new
// account may be refused at first, and everyone with access to it can remove the subscription.
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { ChannelAdapter } from '#server/integrations/channels/contract/channel.ts'
import type { Channels } from '#server/integrations/channels/registry.ts'
import type { Database } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { runAtOnce } from '#server/platform/lib/scheduling/at-once.ts'
import type { Secrets } from '#server/platform/lib/secrets.ts'
import { credentialsOf } from '../connections/access.ts'
import { setConnectionError } from '../connections/connections.store.ts'
import {
  type DeliveredConnection,
  listSubscribed,
  setAccepted,
  setDeliveryRefused,
  setRefusedError,
} from './health.store.ts'
import { noteProblem } from './problems.store.ts'

type CheckContext = { database: Database; channels: Channels; secrets: Secrets }
type Subscribed = DeliveredConnection & { isRefused: boolean }

/** Providers that are asked concurrently. */
const AT_ONCE = 5

/** Every five minutes. */
export const checkSubscriptions = defineJob<object, CheckContext>({
  name: 'check-subscriptions',
  limitSeconds: 240,
  concurrency: 1,
  schedule: '*/5 * * * *',
  isBrief: true,
  async run(ctx, _, signal) {
    const names = Object.keys(ctx.channels) as (keyof Channels)[]
    const asked = names.filter((name) => adapterOf(ctx, name).subscription)
    const waiting = await ctx.database.system('channels: subscriptions', (db) => listSubscribed({ db }, asked), {
      readOnly: true,
    })
    const failures = await runAtOnce(waiting, { atOnce: AT_ONCE, signal, run: (each) => checkSubscription(ctx, each) })
    if (failures.length > 0) throw new AggregateError(failures, 'some subscriptions were not looked at')
  },
})

/** A refused subscription is requested again before the refusal counts: another app may have subscribed the account too. */
async function checkSubscription(ctx: CheckContext, connection: Subscribed): Promise<void> {
  const { id, organizationId, channel, isRefused } = connection
  const { subscription } = adapterOf(ctx, channel)
  if (!subscription) return
  const begunAt = new Date()
  try {
    const credentials = credentialsOf(ctx.secrets, connection)
    if (!isRefused && (await subscription.isSubscribed(credentials))) return
    await subscription.subscribe(credentials)
    if (!isRefused) return
    await ctx.database.organization(organizationId, (db) =>
      setAccepted({ db, organizationId }, id, new Date(), connection.encryptedToken),
    )
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    await ctx.database.organization(organizationId, (db) =>
      noteFailure({ db, organizationId }, connection, { error, begunAt }),
    )
  }
}

async function noteFailure(
  org: Parameters<typeof noteProblem>[0],
  connection: Subscribed,
  { error: { kind, message }, begunAt }: { error: AdapterError; begunAt: Date },
): Promise<void> {
  const { id, encryptedToken, isRefused } = connection
  if (kind === 'permanent') return setDeliveryRefused(org, id, message, encryptedToken)
  if (kind !== 'unauthorized') return noteProblem(org, id, message)
  if (isRefused) return setRefusedError(org, connection, message)
  return setConnectionError(org, id, message, begunAt, encryptedToken)
}

function adapterOf({ channels }: CheckContext, channel: keyof Channels): ChannelAdapter {
  return channels[channel]
}
