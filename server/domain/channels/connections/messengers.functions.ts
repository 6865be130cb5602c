// Connections of messengers, the same for all of them: made from what a person has entered, tested, given new secrets, and removed.
// The fields to enter are in each channel's manifest.

import { getAgent } from '#server/domain/agents/agents.store.ts'
import type { OrgActionContext } from '#server/functions/context.ts'
import { orgAction } from '#server/functions/define.ts'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { CredentialFormChannel } from '#server/integrations/channels/contract/channel.ts'
import type { Credentials } from '#server/integrations/channels/contract/credentials.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { type ChannelConnection, connectionInput } from '#shared/channels/channels.ts'
import { CHANNELS, isMessenger, type MessengerChannel } from '#shared/channels/manifests.ts'
import { messengerForm, wrongField } from '#shared/channels/messenger-forms.ts'
import {
  type MessengerWebhook,
  provisionMessengerInput,
  rotateMessengerInput,
  testMessengerInput,
} from '#shared/channels/messenger-inputs.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { toCheck } from '../health/delivery-report.rules.ts'
import { setAccepted, setDeliveryRefused } from '../health/health.store.ts'
import { beginPolling } from '../health/polling.store.ts'
import { noteTest, settleTest } from '../health/sent-tests.store.ts'
import { credentialsOf, randomSecret, seal } from './access.ts'
import { disconnectAccount, webhookUrlOf } from './connecting.ts'
import * as store from './connections.store.ts'
import { disconnectLater } from './disconnect.job.ts'

/** A live connection with all that is needed to call its provider. `address`: where it delivers; null: it is polled. */
type Opened = {
  id: Id<'channelConnections'>
  channel: MessengerChannel
  adapter: CredentialFormChannel
  credentials: Credentials
  address: string | null
  externalAccountId: string
}

/**
 * Connects an account to an agent. Where a person has to tell the provider the address, the connection is pending until it delivers there.
 * @throws messenger_credentials_invalid, messenger_needs_https, messenger_in_use, messenger_suspended, messenger_throttled,
 * messenger_unreachable, messenger_failed
 */
export const provision = orgAction({
  args: provisionMessengerInput,
  handler: async (ctx, { agentId, channel, entered }): Promise<ChannelConnection> => {
    await ctx.read((org) => getAgent(org, agentId))
    if (wrongField(channel, entered) !== null) throw new AppError('messenger_credentials_invalid')
    if (!CHANNELS[channel].isPolled && !isReachable(ctx)) throw new AppError('messenger_needs_https')
    const adapter: CredentialFormChannel = ctx.services.channels[channel]
    const { token, webhookSecret = randomSecret(), tail } = adapter.credentialsFrom(entered)
    const account = await adapter.identify(token).catch(translate)
    const id = newId('channelConnections')
    const credentials = { token, webhookSecret, identifier: account.identifier }
    const webhookPath = randomSecret()
    const delivery = adapter.polling && !isPublic(ctx) ? ('polling' as const) : ('webhook' as const)
    const connection: store.NewConnection = {
      ...account,
      ...seal(ctx.services.secrets, id, credentials),
      organizationId: ctx.organizationId,
      agentId,
      channel,
      delivery,
      webhookPath,
      tokenTail: tail.slice(-4),
    }
    // The row is written before the provider gets the address, so that the first delivery already finds its connection.
    await ctx.write((org) => store.insertConnection(org, connection, org.now))
    const address = addressOf(ctx, { channel, delivery, webhookPath })
    try {
      return await pointHere(ctx, { id, channel, adapter, credentials, address, ...account })
    } catch (error) {
      await giveUp(ctx, connection)
      throw error
    }
  },
})

/** What has to be entered at the provider. @throws not_found, connection_disconnected */
export const webhook = orgAction({
  args: connectionInput,
  handler: async (ctx, { connectionId }): Promise<MessengerWebhook> => {
    const { adapter, credentials, address } = await open(ctx, connectionId)
    return {
      callbackUrl: address ?? '',
      verifyToken: adapter.verifyToken?.(credentials.token) ?? null,
      isReachable: isReachable(ctx),
    }
  },
})

/**
 * Asks the provider whose account it is and gives it the delivery address again. A refused token is a result too: the connection then shows it.
 * @throws connection_disconnected, or as `provision`
 */
export const check = orgAction({
  args: connectionInput,
  handler: async (ctx, { connectionId }): Promise<ChannelConnection> => {
    const opened = await open(ctx, connectionId)
    const found = await opened.adapter.identify(opened.credentials.token).catch(unlessUnauthorized)
    if (found instanceof AdapterError) {
      return ctx.write(async (org) => {
        await store.setConnectionError(org, connectionId, found.message)
        return store.getConnection(org, connectionId)
      })
    }
    return pointHere(ctx, { ...opened, credentials: { ...opened.credentials, identifier: found.identifier } })
  },
})

/** Replaces secrets of a connection; those left out stay. @throws messenger_other_account, or as `provision` */
export const rotate = orgAction({
  args: rotateMessengerInput,
  handler: async (ctx, { connectionId, entered }): Promise<ChannelConnection> => {
    const opened = await open(ctx, connectionId)
    const { adapter, channel } = opened
    const given = Object.fromEntries(Object.entries(entered).filter(([, value]) => value !== ''))
    const isEmpty = Object.keys(given).length === 0
    if (isEmpty || wrongField(channel, given, true) !== null) throw new AppError('messenger_credentials_invalid')
    const { tail, ...made } = adapter.withEntered(opened.credentials.token, given)
    const { externalAccountId, identifier } = await adapter.identify(made.token).catch(translate)
    if (externalAccountId !== opened.externalAccountId) throw new AppError('messenger_other_account')
    // Delivery by the new secrets is set up before the old ones are dropped.
    const seen = { isOther: true, ...(tail !== undefined && { tokenTail: tail.slice(-4) }) }
    return pointHere(ctx, { ...opened, credentials: { ...opened.credentials, ...made, identifier } }, seen)
  },
})

/** Sends a text to a chat, bypassing agents and conversations. @throws messenger_not_connected, messenger_window_closed, or as `provision` */
export const sendTest = orgAction({
  args: testMessengerInput,
  handler: async (ctx, { connectionId, chatId, text }): Promise<{ externalMessageId: string }> => {
    const { adapter, credentials, status, channel } = await open(ctx, connectionId)
    if (status === 'error') throw new AppError('messenger_not_connected')
    if (!messengerForm(channel).chatPattern.test(chatId))
      throw new AppError('messenger_failed', { description: chatId })
    const test = { connectionId, chatId, text }
    await ctx.write((org) => noteTest(org, test))
    const sent = await adapter
      .send(credentials, chatId, text, newId(), { isPlain: true })
      .catch(async (error: unknown) => {
        const isUnknown = error instanceof AdapterError && error.kind === 'unknown_outcome'
        if (!isUnknown) await ctx.write((org) => settleTest(org, test, null))
        return translate(error)
      })
    await ctx.write((org) => settleTest(org, test, sent.externalMessageId))
    return { externalMessageId: sent.externalMessageId }
  },
})

/** Disconnects an account: nothing more is received or sent through it. Its conversations stay. Safe to repeat. @throws not_found */
export const disconnect = orgAction({
  args: connectionInput,
  handler: async (ctx, { connectionId }): Promise<null> => {
    await disconnectAccount(ctx, await ctx.read((org) => channelOf(org, connectionId)), connectionId)
    return null
  },
})

/**
 * Points the provider's deliveries here, and stores the credentials and whether it delivers. A provider whose subscription is checked
 * regularly may refuse: then the connection shows that, unless it has just been given other secrets.
 */
async function pointHere(
  ctx: OrgActionContext,
  { id, channel, adapter, credentials, address }: Opened,
  { isOther = false, ...seen }: { tokenTail?: string; isOther?: boolean } = {},
): Promise<ChannelConnection> {
  const isByHand = messengerForm(channel).pointing === 'byHand'
  const mayBeRefused = adapter.subscription !== undefined && !isOther
  const target = isReachable(ctx) ? address : null
  const connected = adapter.connect(credentials, target)
  const refusal = await connected.then(() => null).catch(mayBeRefused ? unlessRefused : translate)
  if (refusal) {
    return ctx.write(async (org) => {
      await setDeliveryRefused(org, id, refusal.message)
      return store.getConnection(org, id)
    })
  }
  const beginning = target === null ? await adapter.polling?.beginPolling?.(credentials).catch(translate) : null
  const report = await adapter.inspect?.(credentials).catch(translate)
  const isHere = !isByHand || report?.url === address
  const check = report && toCheck(report, address, Date.now())
  const sealed = seal(ctx.services.secrets, id, credentials)
  const { identifier } = credentials
  return ctx.write(async (org) => {
    await store.replaceAccess(org, sealed, { ...seen, ...(identifier !== undefined && { identifier }) })
    if (beginning) await beginPolling(org, id, beginning)
    if (check) await store.setDeliveryCheck(org, id, check)
    if (isHere) await store.setConnected(org, id, org.now)
    else if (!report) await setAccepted(org, id, org.now)
    return store.getConnection(org, id)
  })
}

/**
 * Removes a connection that was never shown, as it would block the next attempt. Its subscription at the provider is removed too, by a job
 * when the provider does not answer now; one whose address is entered by hand delivers nowhere, and needs no removal.
 */
async function giveUp(ctx: OrgActionContext, connection: store.NewConnection): Promise<void> {
  const { services } = ctx
  const { id, channel, externalAccountId, encryptedToken, encryptedSecret, webhookPath } = connection
  await ctx.write((org) => store.disconnect(org, id, org.now))
  if (isMessenger(channel) && messengerForm(channel).pointing === 'byHand') return
  const address = webhookUrlOf(services.publicUrl, channel, webhookPath)
  await services.channels[channel].disconnect(credentialsOf(services.secrets, connection), address).catch((error) => {
    if (!(error instanceof AdapterError)) throw error
    const left = { id, channel, externalAccountId, encryptedToken, encryptedSecret, webhookPath }
    return ctx.write((org) => disconnectLater(org, [left]))
  })
}

/** @throws not_found, connection_disconnected */
async function open(
  ctx: OrgActionContext,
  id: Id<'channelConnections'>,
): Promise<Opened & Pick<ChannelConnection, 'status'>> {
  const { connection, stored, channel } = await ctx.read(async (org) => ({
    channel: await channelOf(org, id),
    connection: await store.getConnection(org, id),
    stored: await store.findAccess(org, id),
  }))
  if (!stored) throw new AppError('connection_disconnected')
  return {
    id,
    channel,
    status: connection.status,
    adapter: ctx.services.channels[channel],
    credentials: credentialsOf(ctx.services.secrets, stored),
    address: addressOf(ctx, { ...stored, channel }),
    externalAccountId: stored.externalAccountId,
  }
}

/** @throws not_found, also for a connection that is no messenger's */
async function channelOf(
  org: Parameters<typeof store.getConnection>[0],
  id: Id<'channelConnections'>,
): Promise<MessengerChannel> {
  const { channel } = await store.getConnection(org, id)
  if (!isMessenger(channel)) throw new AppError('not_found')
  return channel
}

function addressOf(
  { services }: OrgActionContext,
  { channel, delivery, webhookPath }: { channel: MessengerChannel; delivery: string; webhookPath: string },
): string | null {
  return webhookUrlOf(services.publicUrl, channel, delivery === 'webhook' ? webhookPath : null)
}

function isPublic({ services }: OrgActionContext): boolean {
  return services.publicUrl.startsWith('https:')
}

/** Whether providers can deliver to this installation. The simulated providers of a demo are local, and always can. */
function isReachable(ctx: OrgActionContext): boolean {
  return isPublic(ctx) || ctx.services.demonstration !== null
}

/** @throws errors other than a refused token */
function unlessUnauthorized(error: unknown): AdapterError {
  return error instanceof AdapterError && error.kind === 'unauthorized' ? error : translate(error)
}

/** @throws errors other than a permanent refusal */
function unlessRefused(error: unknown): AdapterError {
  return error instanceof AdapterError && error.kind === 'permanent' ? error : translate(error)
}

/** @throws always: an AppError for an AdapterError; other errors as they are */
function translate(error: unknown): never {
  if (!(error instanceof AdapterError)) throw error
  const { kind, message, retryAfterMs } = error
  if (kind === 'unauthorized') throw new AppError('messenger_credentials_invalid')
  if (kind === 'suspended') throw new AppError('messenger_suspended')
  if (kind === 'out_of_window') throw new AppError('messenger_window_closed')
  if (kind === 'rate_limited') throw new AppError('messenger_throttled', { retryAfterMs: retryAfterMs ?? 1000 })
  const isUnreachable = kind === 'temporary' || kind === 'unknown_outcome'
  throw new AppError(isUnreachable ? 'messenger_unreachable' : 'messenger_failed', { description: message })
}
