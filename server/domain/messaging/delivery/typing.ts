// "Typing…" in the customer's messenger while an answer takes its time: while it is made, and between its parts.

import { credentialsOf } from '#server/domain/channels/connections/access.ts'
import { findSecrets } from '#server/domain/channels/connections/connections.store.ts'
import type { ChannelAdapter } from '#server/integrations/channels/contract/channel.ts'
import type { Id } from '#shared/ids.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'
import type { Turn } from '../turns/turn.ts'
import { findLastCustomerText } from './last-customer-message.store.ts'

/** Quick answers are sent without. */
const FIRST_MS = 800
/** Telegram shows it for five seconds. @source core.telegram.org/bots/api#sendchataction */
const AGAIN_MS = 4500

/** Where it is shown. */
export type TypingIn = {
  organizationId: Id<'organizations'>
  connectionId: Id<'channelConnections'>
  conversationId: Id<'conversations'>
  chatId: string
}

/** Shows it until stopped, but not to who is answered quickly. Best effort: it never delays or fails a reply. */
export function showTyping(ctx: PipelineContext, turn: Turn): { stop(): void } {
  const { connection, conversation, organizationId } = turn
  const { channel, chatId } = conversation
  if (!connection || channel === 'test' || chatId === null) return { stop: () => undefined }
  const { conversationId } = turn
  return keepShowing(ctx, { organizationId, connectionId: connection.id, conversationId, chatId }, FIRST_MS)
}

/** Shows it for a time, beginning now. Best effort. */
export function showTypingFor(ctx: PipelineContext, chat: TypingIn, ms: number): void {
  const typing = keepShowing(ctx, chat, 0)
  setTimeout(typing.stop, ms).unref()
}

function findLastMessageId(ctx: PipelineContext, { organizationId, conversationId }: TypingIn): Promise<string | null> {
  return ctx.read(organizationId, (store) => findLastCustomerText(store, conversationId))
}

function keepShowing(ctx: PipelineContext, chat: TypingIn, firstMs: number): { stop(): void } {
  let timer = setTimeout(show, firstMs)
  async function show() {
    timer = setTimeout(show, AGAIN_MS).unref()
    try {
      const found = await ctx.read(chat.organizationId, (store) => findSecrets(store, chat.connectionId))
      if (!found) return
      const adapter: ChannelAdapter = ctx.services.channels[found.channel]
      const messageId = adapter.traits.typesBelowMessage ? await findLastMessageId(ctx, chat) : null
      await adapter.showTyping(credentialsOf(ctx.services.secrets, found), chat.chatId, messageId)
    } catch (error) {
      ctx.logger.debug({ err: error }, 'typing was not shown')
    }
  }
  return { stop: () => clearTimeout(timer) }
}
