// WhatsApp connections through GREEN-API: made from an instance and its token, linked to a phone, tried out, and taken away again.
import { AdapterError, type Credentials } from '#server/adapters/channel.ts'
import { greenApiToken, instanceUrl } from '#server/adapters/green-api/green-api.access.ts'
import { getAgent } from '#server/features/agents/agents.store.ts'
import type { OrgActionContext } from '#server/functions/context.ts'
import { orgAction } from '#server/functions/define.ts'
import { newId } from '#server/lib/ids.ts'
import {
  type ChannelConnection,
  connectionInput,
  INSTANCE_ID_PATTERN,
  INSTANCE_TOKEN_PATTERN,
  isFrozen,
  provisionWhatsappInput,
  type WhatsappLink,
  whatsappPhoneCodeInput,
  whatsappTestInput,
} from '#shared/channels.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { credentialsOf } from './access.ts'
import { setAccountState } from './account-states.store.ts'
import { connectAccount, disconnectAccount, getConnectionOf } from './connecting.ts'
import * as store from './connections.store.ts'

/**
 * Connects an instance to an agent; its phone may be linked later. The provider delivers to a webhook when this installation has a
 * public https address, else it is polled.
 * @throws whatsapp_credentials_invalid, whatsapp_address_refused, whatsapp_instance_in_use, whatsapp_unreachable,
 * whatsapp_throttled, whatsapp_failed
 */
export const provision = orgAction({
  args: provisionWhatsappInput,
  handler: async (ctx, { agentId, idInstance, apiToken, apiUrl: entered }): Promise<ChannelConnection> => {
    if (!INSTANCE_ID_PATTERN.test(idInstance) || !INSTANCE_TOKEN_PATTERN.test(apiToken)) {
      throw new AppError('whatsapp_credentials_invalid')
    }
    const apiUrl = instanceUrl(entered, ctx.services.greenApiUrl)
    if (apiUrl === undefined) throw new AppError('whatsapp_address_refused')
    await ctx.read((org) => getAgent(org, agentId))
    const token = greenApiToken({ apiUrl, idInstance, apiToken })
    const instance = await ctx.services.channels.whatsapp.identify(token).catch(translate)
    const account = { ...instance, channel: 'whatsapp' as const, agentId, token, secret: apiToken }
    const { id, credentials } = await connectAccount(ctx, account).catch(translate)
    // The change of settings restarts it. How it is then, is asked every minute anyway.
    return update(ctx, id, credentials).catch(() => ctx.read((org) => store.getConnection(org, id)))
  },
})

/** Asks the provider how the account is, and writes it down. @throws as `provision` */
export const refresh = orgAction({
  args: connectionInput,
  handler: async (ctx, { connectionId }): Promise<ChannelConnection> =>
    update(ctx, connectionId, await open(ctx, connectionId)),
})

/** A picture to be scanned with the phone, good for about twenty seconds. Asks anew each time. @throws as `provision` */
export const qr = orgAction({
  args: connectionInput,
  handler: async (ctx, { connectionId }): Promise<WhatsappLink> => {
    const credentials = await open(ctx, connectionId)
    const link = await ctx.services.channels.whatsapp.account.qr(credentials).catch(translate)
    if (link.kind === 'linked') await update(ctx, connectionId, credentials)
    return link
  },
})

/** A code to be typed on the phone instead of scanning. @throws as `provision` */
export const phoneCode = orgAction({
  args: whatsappPhoneCodeInput,
  handler: async (ctx, { connectionId, phone }): Promise<{ code: string }> => {
    const credentials = await open(ctx, connectionId)
    const code = await ctx.services.channels.whatsapp.account.phoneCode(credentials, digits(phone)).catch(translate)
    return { code }
  },
})

/** Sends a message to a number, past every agent and conversation. @throws whatsapp_not_authorized, or as `provision` */
export const sendTest = orgAction({
  args: whatsappTestInput,
  handler: async (ctx, { connectionId, phone, text }): Promise<{ externalMessageId: string }> => {
    const credentials = await open(ctx, connectionId)
    const { accountState } = await update(ctx, connectionId, credentials)
    if (isFrozen(accountState)) throw new AppError('whatsapp_not_authorized')
    return ctx.services.channels.whatsapp.send(credentials, `${digits(phone)}@c.us`, text, newId()).catch(translate)
  },
})

/** Restarts the instance, which helps one that hangs; it answers again within five minutes. @throws as `provision` */
export const reboot = orgAction({
  args: connectionInput,
  handler: async (ctx, { connectionId }): Promise<ChannelConnection> => {
    const credentials = await open(ctx, connectionId)
    await ctx.services.channels.whatsapp.account.reboot(credentials).catch(translate)
    return update(ctx, connectionId, credentials)
  },
})

/** Takes the phone off the instance; another one may be linked then. @throws as `provision` */
export const logout = orgAction({
  args: connectionInput,
  handler: async (ctx, { connectionId }): Promise<ChannelConnection> => {
    const credentials = await open(ctx, connectionId)
    await ctx.services.channels.whatsapp.account.unlink(credentials).catch(translate)
    return update(ctx, connectionId, credentials)
  },
})

/** Disconnects an instance: nothing more is received or sent through it. Its conversations, and the phone's link, stay. Safe to repeat. */
export const disconnect = orgAction({
  args: connectionInput,
  handler: async (ctx, { connectionId }): Promise<null> => {
    await disconnectAccount(ctx, 'whatsapp', connectionId)
    return null
  },
})

/** The credentials of a live connection. @throws not_found, connection_disconnected */
async function open(ctx: OrgActionContext, connectionId: Id<'channelConnections'>): Promise<Credentials> {
  const stored = await ctx.read(async (org) => {
    await getConnectionOf(org, 'whatsapp', connectionId)
    return store.findSecrets(org, connectionId)
  })
  if (!stored) throw new AppError('connection_disconnected')
  return credentialsOf(ctx.services.secrets, stored)
}

async function update(
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

function digits(phone: string): string {
  return phone.replaceAll(/\D/g, '')
}

/** @throws always: what went wrong, in the words of the catalogue */
function translate(error: unknown): never {
  if (!(error instanceof AdapterError)) throw error
  const { kind, message, retryAfterMs } = error
  if (kind === 'unauthorized') throw new AppError('whatsapp_credentials_invalid')
  if (kind === 'suspended') throw new AppError('whatsapp_not_authorized')
  if (kind === 'rate_limited') throw new AppError('whatsapp_throttled', { retryAfterMs: retryAfterMs ?? 1000 })
  if (kind === 'temporary' || kind === 'unknown_outcome') throw new AppError('whatsapp_unreachable')
  throw new AppError('whatsapp_failed', { description: message })
}
