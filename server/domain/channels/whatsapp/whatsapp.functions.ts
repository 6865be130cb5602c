// WhatsApp connections through GREEN-API: made from an instance and its token, linked to a phone, tested, and removed.

import { getAgent } from '#server/domain/agents/agents.store.ts'
import { failDropped } from '#server/domain/messaging/outbox/outbox.store.ts'
import type { OrgActionContext } from '#server/functions/context.ts'
import { orgAction, orgQuery } from '#server/functions/define.ts'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { Credentials } from '#server/integrations/channels/contract/credentials.ts'
import type { InstancePartner } from '#server/integrations/channels/contract/whatsapp-numbers.ts'
import {
  type GreenApiAccess,
  greenApiToken,
  instanceUrl,
  readAccess,
} from '#server/integrations/channels/green-api/green-api.access.ts'
import { newId } from '#server/platform/lib/ids.ts'
import {
  type ChannelConnection,
  connectionInput,
  INSTANCE_ID_PATTERN,
  INSTANCE_TOKEN_PATTERN,
  isFrozen,
  provisionWhatsappInput,
  rotateWhatsappInput,
  type WhatsappLink,
  whatsappPhoneCodeInput,
  whatsappTestInput,
} from '#shared/channels/channels.ts'
import {
  configureWhatsappInput,
  createInstanceInput,
  type WhatsappReport,
  type WhatsappSetup,
  whatsappDeliveryInput,
} from '#shared/channels/whatsapp.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { WHATSAPP_DELAY_MIN_MS } from '#shared/limits.ts'
import { noArgs } from '#shared/schema.ts'
import { seal } from '../connections/access.ts'
import { connectAccount, disconnectAccount, getConnectionOf, webhookUrlOf } from '../connections/connecting.ts'
import * as store from '../connections/connections.store.ts'
import { readPhone } from '../connections/phones.ts'
import { countParked } from '../health/account-states.store.ts'
import { saveSpacing } from '../send-limits/caps.store.ts'
import { requireSlot } from '../send-limits/slots.store.ts'
import { open, translate, update } from './whatsapp.calls.ts'
import { type Findings, reportOf } from './whatsapp.rules.ts'

/**
 * Connects an instance to an agent; its phone may be linked later. The provider delivers to a webhook when this installation has a
 * public https address, else it is polled.
 * @throws whatsapp_credentials_invalid, whatsapp_address_refused, whatsapp_instance_in_use, whatsapp_unreachable,
 * whatsapp_throttled, whatsapp_failed, channel_slots_used
 */
export const provision = orgAction({
  args: provisionWhatsappInput,
  handler: async (
    ctx,
    { agentId, idInstance, apiToken, apiUrl: entered, mediaUrl: files },
  ): Promise<ChannelConnection> => {
    if (!INSTANCE_ID_PATTERN.test(idInstance) || !INSTANCE_TOKEN_PATTERN.test(apiToken)) {
      throw new AppError('whatsapp_credentials_invalid')
    }
    const apiUrl = instanceUrl(entered, ctx.services.greenApiUrl)
    const mediaUrl = files ? instanceUrl(files, ctx.services.greenApiUrl) : ''
    if (apiUrl === undefined || mediaUrl === undefined) throw new AppError('whatsapp_address_refused')
    await ctx.read((org) => getAgent(org, agentId))
    return connectInstance(ctx, agentId, { apiUrl, ...(mediaUrl && { mediaUrl }), idInstance, apiToken }).catch(
      translate,
    )
  },
})

/** Whether this installation can make instances, see `createInstance`. */
export const makesInstances = orgAction({
  args: noArgs,
  handler: async (ctx): Promise<boolean> => ctx.services.channels.whatsapp.partner !== null,
})

/**
 * Makes an instance at the expense of this installation, and connects it; it is deleted with its connection. An instance
 * that was made before and never connected is taken instead of a new one.
 * @throws whatsapp_partner_missing, whatsapp_partner_refused, channel_slots_used, whatsapp_instance_waiting, whatsapp_instance_not_ready, or as `provision`
 */
export const createInstance = orgAction({
  args: createInstanceInput,
  handler: async (ctx, { agentId }): Promise<ChannelConnection> => {
    const { greenApiUrl: apiUrl, channels } = ctx.services
    const { partner } = channels.whatsapp
    await ctx.read((org) => getAgent(org, agentId))
    if (!partner) throw new AppError('whatsapp_partner_missing')
    const connections = await ctx.read(async (org) => {
      // The installation pays for the instance: none is made that could not be connected.
      await requireSlot(org, 'whatsapp', 1)
      return store.listConnections(org)
    })
    if (connections.some(isUnlinked)) throw new AppError('whatsapp_instance_waiting')
    const inUse = new Set(connections.map(({ externalAccountId }) => externalAccountId))
    const instance = await takeInstance(partner, `parley:${ctx.organizationId}`, inUse).catch(refusePartner)
    return connectInstance(ctx, agentId, { ...instance, apiUrl, isOurs: true }).catch(refuseNew)
  },
})

/** Reads the state of the account, and records it. @throws as `provision` */
export const refresh = orgAction({
  args: connectionInput,
  handler: async (ctx, { connectionId }): Promise<ChannelConnection> =>
    update(ctx, connectionId, await open(ctx, connectionId)),
})

/** A QR code to be scanned with the phone, valid for about twenty seconds. Each call requests a new one. @throws whatsapp_qr_failed, or as `provision` */
export const qr = orgAction({
  args: connectionInput,
  handler: async (ctx, { connectionId }): Promise<WhatsappLink> => {
    const credentials = await open(ctx, connectionId)
    const link = await ctx.services.channels.whatsapp.account.qr(credentials).catch(refuseCode)
    if (link.kind === 'linked') await update(ctx, connectionId, credentials)
    return link
  },
})

/** A code to be typed on the phone instead of scanning. @throws phone_invalid, or as `provision` */
export const phoneCode = orgAction({
  args: whatsappPhoneCodeInput,
  handler: async (ctx, { connectionId, phone }): Promise<{ code: string }> => {
    const full = await readPhone(ctx, phone)
    const credentials = await open(ctx, connectionId)
    const code = await ctx.services.channels.whatsapp.account.phoneCode(credentials, full).catch(translate)
    return { code }
  },
})

/** Sends a message to a number, bypassing agents and conversations. @throws phone_invalid, whatsapp_not_authorized, or as `provision` */
export const sendTest = orgAction({
  args: whatsappTestInput,
  handler: async (ctx, { connectionId, phone, text }): Promise<{ externalMessageId: string }> => {
    const full = await readPhone(ctx, phone)
    const credentials = await open(ctx, connectionId)
    const { accountState } = await update(ctx, connectionId, credentials)
    if (isFrozen(accountState)) throw new AppError('whatsapp_not_authorized')
    return ctx.services.channels.whatsapp.send(credentials, `${full}@c.us`, text, newId()).catch(translate)
  },
})

/**
 * Gives an instance its new token, as the provider's console makes one. What has waited meanwhile, here and at the provider, is sent:
 * neither the number nor its conversations have to be reconnected. @throws as `provision`
 */
export const rotate = orgAction({
  args: rotateWhatsappInput,
  handler: async (ctx, { connectionId, apiToken }): Promise<ChannelConnection> => {
    if (!INSTANCE_TOKEN_PATTERN.test(apiToken)) throw new AppError('whatsapp_credentials_invalid')
    const former = await open(ctx, connectionId)
    const credentials = { ...former, token: greenApiToken({ ...readAccess(former.token), apiToken }) }
    await ctx.services.channels.whatsapp.identify(credentials.token).catch(translate)
    const sealed = seal(ctx.services.secrets, connectionId, credentials)
    await ctx.write((org) => store.replaceAccess(org, sealed, { tokenTail: apiToken.slice(-4) }))
    return update(ctx, connectionId, credentials)
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

/** Unlinks the phone from the instance; another one may be linked then. @throws as `provision` */
export const logout = orgAction({
  args: connectionInput,
  handler: async (ctx, { connectionId }): Promise<ChannelConnection> => {
    const credentials = await open(ctx, connectionId)
    await ctx.services.channels.whatsapp.account.unlink(credentials).catch(translate)
    return update(ctx, connectionId, credentials)
  },
})

/** How many parts of answers wait because the account may not send. */
export const waiting = orgQuery({
  args: connectionInput,
  handler: async (ctx, { connectionId }): Promise<number> => {
    await getConnectionOf(ctx, 'whatsapp', connectionId)
    return countParked(ctx, connectionId)
  },
})

/** How the instance is set up, as the provider reports it; of the address that it delivers to only the origin. @throws as `provision` */
export const setup = orgAction({
  args: connectionInput,
  handler: async (ctx, { connectionId }): Promise<WhatsappSetup> => {
    const credentials = await open(ctx, connectionId)
    const reported = await ctx.services.channels.whatsapp.number.setup(credentials).catch(translate)
    return { ...reported, webhookUrl: reported.webhookUrl && originOf(reported.webhookUrl) }
  },
})

/** Configures the instance, which restarts it: it responds again within five minutes. @throws as `provision` */
export const configure = orgAction({
  args: configureWhatsappInput,
  handler: async (ctx, { connectionId, settings }): Promise<ChannelConnection> => {
    const credentials = await open(ctx, connectionId)
    await ctx.services.channels.whatsapp.number.configure(credentials, settings).catch(translate)
    // What waits between two messages waits here, where a person's reply overtakes an agent's and a pause withholds it.
    const spacingMs = settings.delayMs > WHATSAPP_DELAY_MIN_MS ? settings.delayMs : null
    await ctx.write((org) => saveSpacing(org, connectionId, spacingMs))
    return update(ctx, connectionId, credentials)
  },
})

/**
 * Chooses how messages come in, and configures the instance for it; with the present choice it only configures it again. Nothing is lost:
 * what waits at the provider comes in the other way, and what comes in twice is stored once.
 * @throws whatsapp_webhook_needs_https, or as `provision`
 */
export const setDelivery = orgAction({
  args: whatsappDeliveryInput,
  handler: async (ctx, { connectionId, delivery }): Promise<ChannelConnection> => {
    const { publicUrl, channels } = ctx.services
    if (delivery === 'webhook' && !publicUrl.startsWith('https:')) throw new AppError('whatsapp_webhook_needs_https')
    const credentials = await open(ctx, connectionId)
    // The row first: a poll that the new webhook interrupts must not remove the webhook again.
    const before = await ctx.write((org) => store.chooseDelivery(org, connectionId, delivery))
    const path = delivery === 'webhook' ? before.webhookPath : null
    try {
      await channels.whatsapp.connect(credentials, webhookUrlOf(publicUrl, 'whatsapp', path))
    } catch (error) {
      await ctx.write((org) => store.chooseDelivery(org, connectionId, before.delivery))
      translate(error)
    }
    return update(ctx, connectionId, credentials)
  },
})

/**
 * Drops what the provider has accepted and not sent, so that it does not leave in a burst later. The messages show as failed and can be
 * resent. @returns how many there were @throws as `provision`
 */
export const clearQueue = orgAction({
  args: connectionInput,
  handler: async (ctx, { connectionId }): Promise<{ dropped: number }> => {
    const credentials = await open(ctx, connectionId)
    const { number } = ctx.services.channels.whatsapp
    const messages = await number.waiting(credentials).catch(translate)
    if (messages.length === 0) return { dropped: 0 }
    await number.clearQueue(credentials).catch(translate)
    await ctx.write((org) => failDropped(org, connectionId, messages))
    return { dropped: messages.length }
  },
})

/** Checks everything that a number needs to work. Changes nothing. @throws whatsapp_unreachable, whatsapp_throttled */
export const validate = orgAction({
  args: connectionInput,
  handler: async (ctx, { connectionId }): Promise<WhatsappReport> => {
    const credentials = await open(ctx, connectionId)
    const { delivery, webhookPath } = await ctx.read((org) => store.getDelivery(org, connectionId))
    const path = delivery === 'webhook' ? webhookPath : null
    const expectedUrl = webhookUrlOf(ctx.services.publicUrl, 'whatsapp', path)
    return reportOf(await look(ctx, credentials).catch(translate), expectedUrl)
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

/** @throws AdapterError, and what `connectAccount` throws */
async function connectInstance(
  ctx: OrgActionContext,
  agentId: Id<'agents'>,
  access: GreenApiAccess,
): Promise<ChannelConnection> {
  const token = greenApiToken(access)
  const instance = await ctx.services.channels.whatsapp.identify(token)
  const account = { ...instance, channel: 'whatsapp' as const, agentId, token, secret: access.apiToken }
  const { id, credentials } = await connectAccount(ctx, account)
  // The change of settings restarts it. Its state afterwards is checked every minute anyway.
  return update(ctx, id, credentials).catch(() => ctx.read((org) => store.getConnection(org, id)))
}

async function takeInstance(partner: InstancePartner, name: string, inUse: ReadonlySet<string>) {
  const made = await partner.list(name)
  return made.find(({ idInstance }) => !inUse.has(idInstance)) ?? partner.create(name)
}

/** Known by its own id until a phone is linked. */
function isUnlinked({ channel, identifier, externalAccountId }: ChannelConnection): boolean {
  return channel === 'whatsapp' && identifier === externalAccountId
}

/** @throws always: that the partner is refused, or as `translate` */
function refusePartner(error: unknown): never {
  const isRefused = error instanceof AdapterError && error.kind === 'unauthorized'
  if (isRefused) throw new AppError('whatsapp_partner_refused')
  return translate(error)
}

/** @throws always: that a new instance is not ready yet, or as `translate` */
function refuseNew(error: unknown): never {
  const isEarly = error instanceof AdapterError && error.kind === 'unauthorized'
  if (isEarly) throw new AppError('whatsapp_instance_not_ready')
  return translate(error)
}

/** The origin of an address, as it can be set to anything in the provider's console. */
function originOf(address: string): string {
  return URL.canParse(address) ? `${new URL(address).origin}/…` : address
}

/** Everything that the provider reports of an instance; null when its credentials are refused. @throws AdapterError */
async function look({ services }: OrgActionContext, credentials: Credentials): Promise<Findings | null> {
  const { account, number } = services.channels.whatsapp
  try {
    const { state } = await account.describe(credentials)
    const { webhookUrl, isTelling } = await number.setup(credentials)
    return { state, webhookUrl, isTelling, waiting: (await number.waiting(credentials)).length }
  } catch (error) {
    if (error instanceof AdapterError && error.kind === 'unauthorized') return null
    throw error
  }
}

/** @throws always: that no code was given, or as `translate` */
function refuseCode(error: unknown): never {
  if (error instanceof AdapterError && error.kind === 'permanent') {
    throw new AppError('whatsapp_qr_failed', { description: error.message })
  }
  return translate(error)
}
