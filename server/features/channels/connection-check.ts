// Tries a connection out from end to end, past every customer, agent and model: the provider's side by asking it, ours by a
// notification that means nothing and takes the way of every other one, from the public address into the database.
import { randomInt } from 'node:crypto'
import { AdapterError, type ChannelAdapter, type Credentials } from '#server/adapters/channel.ts'
import type { OrgActionContext } from '#server/functions/context.ts'
import type { ConnectionCheck } from '#shared/channels.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { credentialsOf } from './access.ts'
import { webhookUrlOf } from './connecting.ts'
import { lastingError } from './delivery-report.rules.ts'
import { findForCheck, wasReceived } from './health.store.ts'

const POST_TIMEOUT_MS = 10_000
const NONCE_MAX = 2 ** 47

/** What is tried out, and by what. `address`: where is delivered. */
type Tried = NonNullable<Awaited<ReturnType<typeof findForCheck>>> & {
  adapter: ChannelAdapter
  credentials: Credentials
  address: string
}
/** What was told about what is wrong; null: nothing is, undefined: there is nothing to look at. */
type Finding = string | null | undefined

/** All checks, one after the other. @throws AppError not_found, also for a connection that is switched off */
export async function checkConnection(
  ctx: OrgActionContext,
  connectionId: Id<'channelConnections'>,
): Promise<ConnectionCheck[]> {
  const { channels, secrets, publicUrl } = ctx.services
  const connection = await ctx.read((org) => findForCheck(org, connectionId))
  if (!connection) throw new AppError('not_found')
  const { channel, webhookPath } = connection
  const credentials = credentialsOf(secrets, connection)
  const address = webhookUrlOf(publicUrl, channel, webhookPath) ?? ''
  const tried: Tried = { ...connection, adapter: channels[channel], credentials, address }
  return [
    await timed('credentials', () => tried.adapter.identify(credentials.token).then(() => null)),
    await timed('address', () => checkAddress(tried)),
    await timed('receiving', () => checkReceiving(ctx, tried)),
  ]
}

async function timed(check: ConnectionCheck['check'], look: () => Promise<Finding>): Promise<ConnectionCheck> {
  const startedAt = performance.now()
  const found = await look().catch((error: unknown) => {
    if (error instanceof AdapterError) return `${error.kind}: ${error.message}`
    throw error
  })
  const ms = Math.round(performance.now() - startedAt)
  if (found === undefined) return { check, outcome: 'skipped', reason: null, ms }
  return { check, outcome: found === null ? 'passed' : 'failed', reason: found, ms }
}

async function checkAddress({ delivery, adapter, credentials, address }: Tried): Promise<Finding> {
  if (delivery !== 'webhook') return undefined
  const report = await adapter.inspect?.(credentials)
  if (!report) return undefined
  return report.url === address ? lastingError(report) : `delivers to ${hostOf(report.url)}`
}

async function checkReceiving(ctx: OrgActionContext, tried: Tried): Promise<Finding> {
  const { adapter, credentials, address } = tried
  if (tried.delivery === 'polling') return tried.isHeard ? null : 'no answer in the last two minutes'
  const probe = adapter.probe?.(credentials, randomInt(1, NONCE_MAX))
  if (!probe) return undefined
  const headers = { 'content-type': 'application/json', ...probe.headers }
  const signal = AbortSignal.timeout(POST_TIMEOUT_MS)
  const answer = await ctx.services.outbound
    .post(address, { headers, body: JSON.stringify(probe.body), signal })
    .catch((error: unknown) => (error instanceof Error ? error.message : 'no answer'))
  if (typeof answer === 'string') return answer
  if (answer.status !== 200) return `answered ${answer.status}`
  const { externalKey } = adapter.parse(probe.body, credentials)
  return (await ctx.read((org) => wasReceived(org, tried.id, externalKey))) ? null : 'it was not stored'
}

/** The path of an address is a secret of whoever it belongs to. */
function hostOf(url: string | null): string {
  return url === null ? 'no address' : (URL.parse(url)?.host ?? 'an unknown address')
}
