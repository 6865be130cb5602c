// Tests a connection end to end, bypassing customers, agents and models: the provider's side by asking it, ours by a probe without content
// that goes the way of every notification, from the public address into the database.
import { randomInt } from 'node:crypto'
import type { OrgActionContext } from '#server/functions/context.ts'
import type { ChannelAdapter } from '#server/integrations/channels/contract/channel.ts'
import type { Credentials } from '#server/integrations/channels/contract/credentials.ts'
import type { ConnectionCheck } from '#shared/channels/channels.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { credentialsOf } from '../connections/access.ts'
import { webhookUrlOf } from '../connections/connecting.ts'
import { checkWebchat } from '../webchat/webchat.check.ts'
import { type Finding, NONCE_MAX, postProbe, timed } from './connection-check.steps.ts'
import { lastingError } from './delivery-report.rules.ts'
import { findForCheck } from './health.store.ts'

/** Error when nothing would be delivered, whatever the address. */
const UNSUBSCRIBED = 'unsubscribed: the provider does not tell of this account'

/** The connection under test, and its adapter. `address`: where its provider delivers. */
type Tried = NonNullable<Awaited<ReturnType<typeof findForCheck>>> & {
  adapter: ChannelAdapter
  credentials: Credentials
  address: string
}

/** All checks, one after the other. @throws AppError not_found, also for a connection that is switched off */
export async function checkConnection(
  ctx: OrgActionContext,
  connectionId: Id<'channelConnections'>,
): Promise<ConnectionCheck[]> {
  const { channels, secrets, publicUrl } = ctx.services
  const connection = await ctx.read((org) => findForCheck(org, connectionId))
  if (!connection) throw new AppError('not_found')
  const { channel, webhookPath } = connection
  if (channel === 'webchat') return checkWebchat(ctx, connection)
  const credentials = credentialsOf(secrets, connection)
  const address = webhookUrlOf(publicUrl, channel, webhookPath) ?? ''
  const tried: Tried = { ...connection, adapter: channels[channel], credentials, address }
  return [
    await timed('credentials', () => tried.adapter.identify(credentials.token).then(() => null)),
    await timed('address', () => checkAddress(tried)),
    await timed('receiving', () => checkReceiving(ctx, tried)),
  ]
}

async function checkAddress({ delivery, adapter, credentials, address, heardAt }: Tried): Promise<Finding> {
  if (delivery !== 'webhook') return undefined
  if ((await adapter.subscription?.isSubscribed(credentials)) === false) return UNSUBSCRIBED
  const report = await adapter.inspect?.(credentials)
  if (!report) return undefined
  return report.url === address ? lastingError(report, heardAt) : `delivers to ${hostOf(report.url)}`
}

async function checkReceiving(ctx: OrgActionContext, tried: Tried): Promise<Finding> {
  const { adapter, credentials, address } = tried
  if (tried.delivery === 'polling') return tried.isHeard ? null : 'no answer in the last two minutes'
  const probe = adapter.probe?.(credentials, randomInt(1, NONCE_MAX))
  if (!probe) return undefined
  return postProbe(ctx, { id: tried.id, address, probe, adapter, credentials })
}

/** The host of an address, as its path is a secret of its owner. */
function hostOf(url: string | null): string {
  return url === null ? 'no address' : (URL.parse(url)?.host ?? 'an unknown address')
}
