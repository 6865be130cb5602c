// Telegram connections: made from a bot token, checked, given another token, tested, and removed.

import { getAgent } from '#server/domain/agents/agents.store.ts'
import { getOrganization } from '#server/domain/organizations/organizations.store.ts'
import type { OrgActionContext } from '#server/functions/context.ts'
import { orgAction } from '#server/functions/define.ts'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import { newId } from '#server/platform/lib/ids.ts'
import {
  BOT_TOKEN_PATTERN,
  type ChannelConnection,
  connectionInput,
  provisionTelegramInput,
  rotateTelegramInput,
  testTelegramInput,
  type WebhookAddress,
} from '#shared/channels/channels.ts'
import { configureTelegramInput, connectionSettings } from '#shared/channels/connection-settings.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { toCheck } from '../health/delivery-report.rules.ts'
import { credentialsOf, seal } from './access.ts'
import { connectAccount, disconnectAccount, getConnectionOf, webhookUrlOf } from './connecting.ts'
import { saveSettings } from './connection-settings.store.ts'
import * as store from './connections.store.ts'
import { offeredCommands } from './telegram.commands.ts'

/**
 * Connects a bot to an agent. Telegram delivers to a webhook when this installation has a public https address, else it is polled.
 * @throws telegram_token_invalid, telegram_token_in_use, telegram_alert_bot, telegram_unreachable, telegram_failed
 */
export const provision = orgAction({
  args: provisionTelegramInput,
  handler: async (ctx, { agentId, botToken }): Promise<ChannelConnection> => {
    if (!BOT_TOKEN_PATTERN.test(botToken)) throw new AppError('telegram_token_invalid')
    await ctx.read((org) => getAgent(org, agentId))
    const bot = await ctx.services.channels.telegram.identify(botToken).catch(translate)
    if (bot.externalAccountId === ctx.services.alertBot?.accountId) throw new AppError('telegram_alert_bot')
    const account = { ...bot, channel: 'telegram' as const, agentId, token: botToken, secret: botToken }
    const { id, credentials } = await connectAccount(ctx, account).catch(translate)
    // The bot is connected already: a menu that Telegram refuses now is set with the next check of the bot.
    const menu = offeredCommands(connectionSettings.parse({}))
    await ctx.services.channels.telegram.setCommands(credentials, menu).catch(unlessRefused)
    return ctx.write(async (org) => {
      await store.setConnected(org, id, org.now)
      return store.getConnection(org, id)
    })
  },
})

/**
 * Gives the bot of a connection a new token, as BotFather makes one when the old one has leaked. Telegram queues what customers write
 * meanwhile. The address and secret of the webhook stay, so that no update is refused in between.
 * @throws telegram_token_invalid, telegram_other_bot, connection_disconnected, telegram_unreachable, telegram_failed
 */
export const rotate = orgAction({
  args: rotateTelegramInput,
  handler: async (ctx, { connectionId, botToken }): Promise<ChannelConnection> => {
    if (!BOT_TOKEN_PATTERN.test(botToken)) throw new AppError('telegram_token_invalid')
    const bot = await openBot(ctx, connectionId)
    const { telegram } = ctx.services.channels
    const { externalAccountId, identifier } = await telegram.identify(botToken).catch(translate)
    if (externalAccountId !== bot.externalAccountId) throw new AppError('telegram_other_bot')
    const credentials = { ...bot.credentials, token: botToken, identifier }
    // Delivery by the new token is set up before the old one is dropped.
    await telegram.connect(credentials, bot.webhookUrl).catch(translate)
    const sealed = seal(ctx.services.secrets, connectionId, credentials)
    await ctx.write((org) => store.replaceAccess(org, sealed, { identifier, tokenTail: botToken.slice(-4) }))
    return checkBot(ctx, connectionId, { ...bot, credentials })
  },
})

/**
 * Asks Telegram for the bot's present name, its deliveries and queue, and sets the menu of the connection's commands.
 * @throws connection_disconnected, telegram_unreachable, telegram_failed
 */
export const sync = orgAction({
  args: connectionInput,
  handler: async (ctx, { connectionId }): Promise<ChannelConnection> =>
    checkBot(ctx, connectionId, await openBot(ctx, connectionId)),
})

/** Registers the webhook and its settings with Telegram again. Updates that wait are kept. @throws telegram_token_invalid, or as `sync` */
export const reregister = orgAction({
  args: connectionInput,
  handler: async (ctx, { connectionId }): Promise<ChannelConnection> => {
    const bot = await openBot(ctx, connectionId)
    await ctx.services.channels.telegram.connect(bot.credentials, bot.webhookUrl).catch(translate)
    return checkBot(ctx, connectionId, bot)
  },
})

/**
 * Changes the texts, commands and the length of a session of a bot. Customers are offered changed commands before anything is saved.
 * @throws telegram_token_invalid, or as `sync`
 */
export const configure = orgAction({
  args: configureTelegramInput,
  handler: async (ctx, { connectionId, settings }): Promise<ChannelConnection> => {
    const bot = await openBot(ctx, connectionId)
    const menu = offeredCommands(settings)
    if (JSON.stringify(menu) !== JSON.stringify(offeredCommands(bot.settings))) {
      await ctx.services.channels.telegram.setCommands(bot.credentials, menu).catch(translate)
    }
    return ctx.write(async (org) => {
      await saveSettings(org, connectionId, settings)
      return store.getConnection(org, connectionId)
    })
  },
})

/**
 * Where Telegram delivers to, as this installation has set it. The whole address would lead a stranger to the route behind it, though not
 * through it: only the owner of the organization and admins get it. @throws connection_disconnected
 */
export const webhook = orgAction({
  args: connectionInput,
  handler: async (ctx, { connectionId }): Promise<WebhookAddress> => {
    const { webhookUrl: url } = await openBot(ctx, connectionId)
    const { ownerId } = await ctx.read((org) => getOrganization(org, ctx.organizationId))
    const isWhole = ownerId === ctx.caller.userId || ctx.caller.role === 'admin'
    return { url: isWhole ? url : (url?.replace(/[^/]+$/, '••••') ?? null), isWhole }
  },
})

/** Sends a text to a chat, bypassing agents and conversations. @throws telegram_not_connected, or as `sync` */
export const sendTest = orgAction({
  args: testTelegramInput,
  handler: async (ctx, { connectionId, chatId, text }): Promise<{ externalMessageId: string }> => {
    const { credentials, status } = await openBot(ctx, connectionId)
    if (status !== 'connected') throw new AppError('telegram_not_connected')
    const options = { isPlain: true }
    return ctx.services.channels.telegram.send(credentials, chatId, text, newId(), options).catch(translate)
  },
})

/** Disconnects a bot: nothing more is received or sent through it. Its conversations stay. Safe to repeat. */
export const disconnect = orgAction({
  args: connectionInput,
  handler: async (ctx, { connectionId }): Promise<null> => {
    await disconnectAccount(ctx, 'telegram', connectionId)
    return null
  },
})

/** A live bot with all that is needed to call Telegram. @throws not_found, connection_disconnected */
async function openBot(ctx: OrgActionContext, connectionId: Id<'channelConnections'>) {
  const { connection, stored } = await ctx.read(async (org) => ({
    connection: await getConnectionOf(org, 'telegram', connectionId),
    stored: await store.findAccess(org, connectionId),
  }))
  if (!stored) throw new AppError('connection_disconnected')
  const { externalAccountId, delivery, webhookPath } = stored
  return {
    status: connection.status,
    settings: connectionSettings.parse(connection.settings ?? {}),
    externalAccountId,
    credentials: credentialsOf(ctx.services.secrets, stored),
    webhookUrl: webhookUrlOf(ctx.services.publicUrl, 'telegram', delivery === 'webhook' ? webhookPath : null),
  }
}

type OpenBot = Pick<Awaited<ReturnType<typeof openBot>>, 'credentials' | 'webhookUrl' | 'settings'>

/** Records what Telegram reports of the bot. A refused token is a result too: the connection then shows it. */
async function checkBot(ctx: OrgActionContext, id: Id<'channelConnections'>, bot: OpenBot): Promise<ChannelConnection> {
  const found = await inspectBot(ctx, bot)
  return ctx.write(async (org) => {
    if (found instanceof AdapterError) await store.setConnectionError(org, id, found.message)
    else {
      await store.replaceAccess(org, seal(ctx.services.secrets, id, bot.credentials), { identifier: found.identifier })
      if (found.check) await store.setDeliveryCheck(org, id, found.check)
      await store.setConnected(org, id, org.now)
    }
    return store.getConnection(org, id)
  })
}

async function inspectBot(ctx: OrgActionContext, { credentials, webhookUrl, settings }: OpenBot) {
  const { telegram } = ctx.services.channels
  try {
    const { identifier } = await telegram.identify(credentials.token)
    await telegram.setCommands(credentials, offeredCommands(settings))
    const report = await telegram.inspect?.(credentials)
    return { identifier, check: report && toCheck(report, webhookUrl, Date.now()) }
  } catch (error) {
    return error instanceof AdapterError && error.kind === 'unauthorized' ? error : translate(error)
  }
}

/** Ignores a refusal of Telegram. @throws anything else */
function unlessRefused(error: unknown): void {
  if (!(error instanceof AdapterError)) throw error
}

/** @throws always: the error as an AppError */
function translate(error: unknown): never {
  if (!(error instanceof AdapterError)) throw error
  if (error.kind === 'unauthorized') throw new AppError('telegram_token_invalid')
  if (error.kind === 'temporary' || error.kind === 'unknown_outcome') throw new AppError('telegram_unreachable')
  throw new AppError('telegram_failed', { description: error.message })
}
