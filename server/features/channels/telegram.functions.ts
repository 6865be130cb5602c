// Telegram connections: made from a bot token, and taken away again.
import { AdapterError } from '#server/adapters/channel.ts'
import { getAgent } from '#server/features/agents/agents.store.ts'
import { orgAction } from '#server/functions/define.ts'
import { BOT_TOKEN_PATTERN, type ChannelConnection, connectionInput, provisionTelegramInput } from '#shared/channels.ts'
import { AppError } from '#shared/errors.ts'
import { connectAccount, disconnectAccount } from './connecting.ts'
import * as store from './connections.store.ts'

/**
 * Connects a bot to an agent. Telegram delivers to a webhook when this installation has a public https address, else it is polled.
 * @throws telegram_token_invalid, telegram_token_in_use, telegram_unreachable, telegram_failed
 */
export const provision = orgAction({
  args: provisionTelegramInput,
  handler: async (ctx, { agentId, botToken }): Promise<ChannelConnection> => {
    if (!BOT_TOKEN_PATTERN.test(botToken)) throw new AppError('telegram_token_invalid')
    await ctx.read((org) => getAgent(org, agentId))
    const bot = await ctx.services.channels.telegram.identify(botToken).catch(translate)
    const account = { ...bot, channel: 'telegram' as const, agentId, token: botToken, secret: botToken }
    const { id } = await connectAccount(ctx, account).catch(translate)
    return ctx.write(async (org) => {
      await store.setConnected(org, id, org.now)
      return store.getConnection(org, id)
    })
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

/** @throws always: what went wrong, in the words of the catalogue */
function translate(error: unknown): never {
  if (!(error instanceof AdapterError)) throw error
  if (error.kind === 'unauthorized') throw new AppError('telegram_token_invalid')
  if (error.kind === 'temporary' || error.kind === 'unknown_outcome') throw new AppError('telegram_unreachable')
  throw new AppError('telegram_failed', { description: error.message })
}
