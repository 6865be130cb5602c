// Telegram connections: made from a bot token, and taken away again.
import { AdapterError, type ChannelAdapter, type Credentials } from '#server/adapters/channel.ts'
import { getAgent } from '#server/features/agents/agents.store.ts'
import { withholdConnection } from '#server/features/conversations/outbox.store.ts'
import type { OrgActionContext } from '#server/functions/context.ts'
import { orgAction } from '#server/functions/define.ts'
import { newId } from '#server/lib/ids.ts'
import { BOT_TOKEN_PATTERN, type ChannelConnection, connectionInput, provisionTelegramInput } from '#shared/channels.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { credentialsOf, randomSecret, seal } from './access.ts'
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
    const { telegram } = ctx.services.channels
    const bot = await telegram.identify(botToken).catch(translate)
    const credentials = { token: botToken, webhookSecret: randomSecret() }
    const { id, webhookUrl } = await insert(ctx, agentId, bot, credentials)
    await connect(ctx, id, telegram, credentials, webhookUrl)
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
    const removed = await ctx.write(async (org) => {
      await store.getConnection(org, connectionId)
      const off = await store.disconnect(org, connectionId, org.now)
      if (off) await withholdConnection(org, connectionId)
      return off
    })
    if (!removed) return null
    // Here it is off already; Telegram's own side is tidied up if it can be reached.
    const credentials = credentialsOf(ctx.services.secrets, removed)
    await ctx.services.channels.telegram.disconnect(credentials).catch(() => undefined)
    return null
  },
})

/** The row stands before Telegram is told, so that the first webhook already finds its connection. */
async function insert(
  ctx: OrgActionContext,
  agentId: Id<'agents'>,
  bot: { externalAccountId: string; identifier: string },
  credentials: Credentials,
): Promise<{ id: Id<'channelConnections'>; webhookUrl: string | null }> {
  const { publicUrl, secrets } = ctx.services
  const id = newId('channelConnections')
  const webhookPath = randomSecret()
  const isPublic = publicUrl.startsWith('https:')
  const connection: store.NewConnection = {
    ...seal(secrets, id, credentials),
    organizationId: ctx.organizationId,
    agentId,
    channel: 'telegram',
    delivery: isPublic ? 'webhook' : 'polling',
    identifier: bot.identifier,
    externalAccountId: bot.externalAccountId,
    webhookPath,
    tokenTail: credentials.token.slice(-4),
  }
  await ctx.write((org) => store.insertConnection(org, connection, org.now))
  return { id, webhookUrl: isPublic ? `${publicUrl}/webhooks/telegram/${webhookPath}` : null }
}

/** Tells Telegram where to deliver; when it refuses, the connection is taken back. */
async function connect(
  ctx: OrgActionContext,
  id: Id<'channelConnections'>,
  telegram: ChannelAdapter,
  credentials: Credentials,
  webhookUrl: string | null,
): Promise<void> {
  try {
    await telegram.connect(credentials, webhookUrl)
  } catch (error) {
    await ctx.write((org) => store.disconnect(org, id, org.now))
    translate(error)
  }
}

/** @throws always: what went wrong, in the words of the catalogue */
function translate(error: unknown): never {
  if (!(error instanceof AdapterError)) throw error
  if (error.kind === 'unauthorized') throw new AppError('telegram_token_invalid')
  if (error.kind === 'temporary' || error.kind === 'unknown_outcome') throw new AppError('telegram_unreachable')
  throw new AppError('telegram_failed', { description: error.message })
}
