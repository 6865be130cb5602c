// Making and removing a connection, the same for every channel.

import { withholdConnection } from '#server/domain/messaging/outbox/outbox.store.ts'
import type { OrgActionContext } from '#server/functions/context.ts'
import type { Credentials } from '#server/integrations/channels/contract/credentials.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { AccountState, Channel, ChannelConnection } from '#shared/channels/channels.ts'
import type { WidgetSettings } from '#shared/channels/webchat.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { credentialsOf, randomSecret, seal } from './access.ts'
import * as store from './connections.store.ts'

export type NewAccount = {
  channel: Exclude<Channel, 'test'>
  agentId: Id<'agents'>
  externalAccountId: string
  identifier: string
  state: AccountState | null
  token: string
  /** The secret that a person has entered; its end is shown. */
  secret: string
  /** For a web chat: its appearance and where it may be embedded. */
  widget?: WidgetSettings
}

/**
 * Connects an account that the provider has confirmed. It delivers to a webhook when this installation has a public https address,
 * else it is polled where it can be. The connection is pending.
 *
 * @throws AdapterError when the provider refuses, and nothing remains; telegram_token_in_use, whatsapp_instance_in_use
 */
export async function connectAccount(
  ctx: OrgActionContext,
  account: NewAccount,
): Promise<{ id: Id<'channelConnections'>; credentials: Credentials }> {
  const { publicUrl, secrets, channels } = ctx.services
  const { channel, token, secret, ...known } = account
  const credentials = { token, webhookSecret: randomSecret() }
  const id = newId('channelConnections')
  const webhookPath = randomSecret()
  const isPublic = publicUrl.startsWith('https:')
  const connection: store.NewConnection = {
    ...known,
    ...seal(secrets, id, credentials),
    organizationId: ctx.organizationId,
    channel,
    delivery: isPublic || !channels[channel].polling ? 'webhook' : 'polling',
    webhookPath,
    tokenTail: secret.slice(-4),
  }
  // The row is written before the provider gets the address, so that the first webhook already finds its connection.
  await ctx.write((org) => store.insertConnection(org, connection, org.now))
  try {
    await channels[channel].connect(credentials, webhookUrlOf(publicUrl, channel, isPublic ? webhookPath : null))
  } catch (error) {
    await ctx.write((org) => store.disconnect(org, id, org.now))
    throw error
  }
  return { id, credentials }
}

/** Where a provider delivers to the connection with this webhook path; null: nowhere, it is polled. */
export function webhookUrlOf(publicUrl: string, channel: NewAccount['channel'], webhookPath: string | null) {
  return webhookPath === null ? null : `${publicUrl}/webhooks/${channel}/${webhookPath}`
}

/** Switches a connection of the channel off: nothing more is received or sent through it. Safe to repeat. @throws not_found */
export async function disconnectAccount(
  ctx: OrgActionContext,
  channel: NewAccount['channel'],
  connectionId: Id<'channelConnections'>,
): Promise<void> {
  const removed = await ctx.write(async (org) => {
    await getConnectionOf(org, channel, connectionId)
    const off = await store.disconnect(org, connectionId, org.now)
    if (off) await withholdConnection(org, connectionId)
    return off
  })
  if (!removed) return
  // Here it is off already; the provider's side is cleaned up if it can be reached.
  const { secrets, publicUrl, channels } = ctx.services
  const address = webhookUrlOf(publicUrl, channel, removed.webhookPath)
  await channels[channel].disconnect(credentialsOf(secrets, removed), address).catch(() => undefined)
}

/** One connection of the channel. @throws not_found, also for a connection of another channel */
export async function getConnectionOf(
  org: Parameters<typeof store.getConnection>[0],
  channel: NewAccount['channel'],
  connectionId: Id<'channelConnections'>,
): Promise<ChannelConnection> {
  const connection = await store.getConnection(org, connectionId)
  if (connection.channel !== channel) throw new AppError('not_found')
  return connection
}
