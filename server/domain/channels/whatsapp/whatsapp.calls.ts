// Shared by the functions of WhatsApp connections: opening one, reading the state of its account, and translating errors.

import type { OrgActionContext } from '#server/functions/context.ts'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { Credentials } from '#server/integrations/channels/contract/credentials.ts'
import { isUnpaid } from '#server/integrations/channels/green-api/green-api.call.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { credentialsOf } from '../connections/access.ts'
import { getConnectionOf } from '../connections/connecting.ts'
import * as store from '../connections/connections.store.ts'
import { setAccountState } from '../health/account-states.store.ts'

/** The credentials of a live connection. @throws not_found, connection_disconnected */
export async function open(ctx: OrgActionContext, connectionId: Id<'channelConnections'>): Promise<Credentials> {
  const stored = await ctx.read(async (org) => {
    await getConnectionOf(org, 'whatsapp', connectionId)
    return store.findSecrets(org, connectionId)
  })
  if (!stored) throw new AppError('connection_disconnected')
  return credentialsOf(ctx.services.secrets, stored)
}

/** Reads the state of the account, records it and returns the connection afterwards. @throws as `translate` */
export async function update(
  ctx: OrgActionContext,
  id: Id<'channelConnections'>,
  credentials: Credentials,
): Promise<ChannelConnection> {
  const askedAt = new Date()
  const described = await ctx.services.channels.whatsapp.account.describe(credentials).catch(translate)
  return ctx.write(async (org) => {
    await setAccountState(org, id, { ...described, askedAt })
    return store.getConnection(org, id)
  })
}

/**
 * @throws always: whatsapp_credentials_invalid, whatsapp_unpaid, whatsapp_not_authorized, whatsapp_throttled, whatsapp_unreachable,
 * whatsapp_failed; other errors than AdapterError as they are
 */
export function translate(error: unknown): never {
  if (!(error instanceof AdapterError)) throw error
  const { kind, message, retryAfterMs } = error
  if (kind === 'unauthorized') throw new AppError('whatsapp_credentials_invalid')
  if (isUnpaid(error)) throw new AppError('whatsapp_unpaid')
  if (kind === 'suspended') throw new AppError('whatsapp_not_authorized')
  if (kind === 'rate_limited') throw new AppError('whatsapp_throttled', { retryAfterMs: retryAfterMs ?? 1000 })
  if (kind === 'temporary' || kind === 'unknown_outcome') throw new AppError('whatsapp_unreachable')
  throw new AppError('whatsapp_failed', { description: message })
}
