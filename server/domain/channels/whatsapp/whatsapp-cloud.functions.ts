// WhatsApp connections through Meta's own Cloud API: made from a number and a token, subscribed, tested, and removed.

import { getAgent } from '#server/domain/agents/agents.store.ts'
import type { OrgActionContext } from '#server/functions/context.ts'
import { orgAction } from '#server/functions/define.ts'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { Credentials } from '#server/integrations/channels/contract/credentials.ts'
import {
  type CloudAccess,
  cloudToken,
  readCloudAccess,
} from '#server/integrations/channels/whatsapp-cloud/whatsapp-cloud.access.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { type ChannelConnection, connectionInput } from '#shared/channels/channels.ts'
import {
  APP_SECRET_PATTERN,
  type CloudNumberFacts,
  type CloudWebhook,
  META_ID_PATTERN,
  META_TOKEN_PATTERN,
  provisionCloudInput,
  rotateCloudInput,
  testCloudInput,
} from '#shared/channels/cloud.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { credentialsOf, randomSecret, seal } from '../connections/access.ts'
import { disconnectAccount, getConnectionOf, webhookUrlOf } from '../connections/connecting.ts'
import * as store from '../connections/connections.store.ts'
import { readPhone } from '../connections/phones.ts'
import { setDeliveryRefused } from '../health/health.store.ts'

type Opened = { credentials: Credentials; webhookPath: string }

/**
 * Connects a number to an agent. The connection is pending until Meta delivers to it: an address is taken from the dashboard of the app
 * first, see `webhook`.
 * @throws cloud_credentials_invalid, cloud_number_foreign, cloud_secret_invalid, cloud_number_in_use, cloud_throttled,
 * cloud_unreachable, cloud_failed, channel_slots_used
 */
export const provision = orgAction({
  args: provisionCloudInput,
  handler: async (ctx, { agentId, appSecret, ...entered }): Promise<ChannelConnection> => {
    await ctx.read((org) => getAgent(org, agentId))
    const isId = META_ID_PATTERN.test(entered.phoneNumberId) && META_ID_PATTERN.test(entered.accountId)
    if (!isId || !META_TOKEN_PATTERN.test(entered.accessToken)) throw new AppError('cloud_credentials_invalid')
    const access: CloudAccess = { ...entered, verifyToken: randomSecret() }
    const credentials = { token: cloudToken(access), webhookSecret: appSecret.toLowerCase() }
    const number = await examine(ctx, credentials)
    const id = newId('channelConnections')
    const connection: store.NewConnection = {
      ...number,
      ...seal(ctx.services.secrets, id, credentials),
      organizationId: ctx.organizationId,
      agentId,
      channel: 'whatsappCloud',
      delivery: 'webhook',
      webhookPath: randomSecret(),
      tokenTail: access.accessToken.slice(-4),
    }
    await ctx.write((org) => store.insertConnection(org, connection, org.now))
    try {
      return await pointHere(ctx, id, { credentials, webhookPath: connection.webhookPath })
    } catch (error) {
      // The connection was never shown: it would only block the next attempt.
      await ctx.write((org) => store.disconnect(org, id, org.now))
      throw error
    }
  },
})

/** What has to be entered in the dashboard of Meta's app. @throws not_found, connection_disconnected */
export const webhook = orgAction({
  args: connectionInput,
  handler: async (ctx, { connectionId }): Promise<CloudWebhook> => {
    const { credentials, webhookPath } = await open(ctx, connectionId)
    const { publicUrl, demonstration } = ctx.services
    return {
      callbackUrl: webhookUrlOf(publicUrl, 'whatsappCloud', webhookPath) ?? '',
      verifyToken: readCloudAccess(credentials.token).verifyToken,
      isReachable: publicUrl.startsWith('https:') || demonstration !== null,
    }
  },
})

/** Subscribes to Meta's deliveries again, and checks whether they come. @throws as `provision` */
export const check = orgAction({
  args: connectionInput,
  handler: async (ctx, { connectionId }): Promise<ChannelConnection> => {
    const opened = await open(ctx, connectionId)
    await examine(ctx, opened.credentials)
    return pointHere(ctx, connectionId, opened)
  },
})

/** The state of the number at Meta. @throws as `provision` */
export const facts = orgAction({
  args: connectionInput,
  handler: async (ctx, { connectionId }): Promise<CloudNumberFacts> => {
    const { credentials } = await open(ctx, connectionId)
    return ctx.services.channels.whatsappCloud.number.describe(credentials).catch(translate)
  },
})

/** Replaces the token of the number, or the secret of its app; address and verify token stay. @throws as `provision` */
export const rotate = orgAction({
  args: rotateCloudInput,
  handler: async (ctx, { connectionId, accessToken, appSecret }): Promise<ChannelConnection> => {
    if (accessToken !== undefined && !META_TOKEN_PATTERN.test(accessToken)) {
      throw new AppError('cloud_credentials_invalid')
    }
    const opened = await open(ctx, connectionId)
    const access = readCloudAccess(opened.credentials.token)
    const credentials = {
      token: cloudToken(accessToken === undefined ? access : { ...access, accessToken }),
      webhookSecret: appSecret?.toLowerCase() ?? opened.credentials.webhookSecret,
    }
    await examine(ctx, credentials)
    const sealed = seal(ctx.services.secrets, connectionId, credentials)
    const seen = accessToken === undefined ? {} : { tokenTail: accessToken.slice(-4) }
    await ctx.write((org) => store.replaceAccess(org, sealed, seen))
    return pointHere(ctx, connectionId, { ...opened, credentials })
  },
})

/** Sends a text to a number, bypassing agents and conversations. @throws phone_invalid, cloud_window_closed, or as `provision` */
export const sendTest = orgAction({
  args: testCloudInput,
  handler: async (ctx, { connectionId, phone, text }): Promise<{ externalMessageId: string }> => {
    const full = await readPhone(ctx, phone)
    const { credentials } = await open(ctx, connectionId)
    return ctx.services.channels.whatsappCloud.send(credentials, full, text, newId()).catch(translate)
  },
})

/** Disconnects a number: nothing more is received or sent through it. Its conversations stay. Safe to repeat. @throws not_found */
export const disconnect = orgAction({
  args: connectionInput,
  handler: async (ctx, { connectionId }): Promise<null> => {
    await disconnectAccount(ctx, 'whatsappCloud', connectionId)
    return null
  },
})

/** Asks Meta whose number the credentials are, and whether all of them belong together. */
async function examine({ services }: OrgActionContext, credentials: Credentials) {
  if (!APP_SECRET_PATTERN.test(credentials.webhookSecret)) throw new AppError('cloud_secret_invalid')
  const { whatsappCloud } = services.channels
  const number = await whatsappCloud.identify(credentials.token).catch(translate)
  const wrong = await whatsappCloud.number.check(credentials).catch(translate)
  if (wrong === 'number') throw new AppError('cloud_number_foreign')
  if (wrong === 'secret') throw new AppError('cloud_secret_invalid')
  return number
}

/**
 * Subscribes to Meta's deliveries, and records whether they come. Meta may refuse as long as its app delivers nowhere at all: then a person
 * has to enter the address there, and the connection stays pending. Where it does not notify the app about the account, the connection shows that.
 */
async function pointHere(
  ctx: OrgActionContext,
  id: Id<'channelConnections'>,
  { credentials, webhookPath }: Opened,
): Promise<ChannelConnection> {
  const { channels, publicUrl } = ctx.services
  const address = webhookUrlOf(publicUrl, 'whatsappCloud', webhookPath)
  const refusal = await channels.whatsappCloud.subscription.subscribe(credentials).then(() => null, unlessRefused)
  if (refusal) {
    return ctx.write(async (org) => {
      await setDeliveryRefused(org, id, refusal.message)
      return store.getConnection(org, id)
    })
  }
  await channels.whatsappCloud
    .connect(credentials, publicUrl.startsWith('https:') ? address : null)
    .catch(unlessRefused)
  const { url } = await channels.whatsappCloud.inspect(credentials).catch(translate)
  return ctx.write(async (org) => {
    if (url === address) await store.setConnected(org, id, org.now)
    return store.getConnection(org, id)
  })
}

/** The credentials of a live connection, and where it is delivered to. @throws not_found, connection_disconnected */
async function open(ctx: OrgActionContext, connectionId: Id<'channelConnections'>): Promise<Opened> {
  const stored = await ctx.read(async (org) => {
    await getConnectionOf(org, 'whatsappCloud', connectionId)
    return store.findAccess(org, connectionId)
  })
  if (!stored) throw new AppError('connection_disconnected')
  const { token, webhookSecret } = credentialsOf(ctx.services.secrets, stored)
  return { credentials: { token, webhookSecret }, webhookPath: stored.webhookPath }
}

/** @throws errors other than a permanent refusal */
function unlessRefused(error: unknown): AdapterError {
  return error instanceof AdapterError && error.kind === 'permanent' ? error : translate(error)
}

/** @throws always: an error of `provision` or `sendTest`; other errors than AdapterError as they are */
function translate(error: unknown): never {
  if (!(error instanceof AdapterError)) throw error
  const { kind, message, retryAfterMs } = error
  if (kind === 'unauthorized') throw new AppError('cloud_credentials_invalid')
  if (kind === 'suspended') throw new AppError('cloud_suspended')
  if (kind === 'out_of_window') throw new AppError('cloud_window_closed')
  if (kind === 'rate_limited') throw new AppError('cloud_throttled', { retryAfterMs: retryAfterMs ?? 1000 })
  if (kind === 'temporary' || kind === 'unknown_outcome') throw new AppError('cloud_unreachable')
  throw new AppError('cloud_failed', { description: message })
}
