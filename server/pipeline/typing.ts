// "Typing…" in the customer's messenger while an answer takes its time: while it is made, and between its parts.
import { credentialsOf } from '#server/features/channels/access.ts'
import { findSecrets } from '#server/features/channels/connections.store.ts'
import type { Id } from '#shared/ids.ts'
import type { PipelineContext } from './pipeline-context.ts'
import type { Turn } from './turn.store.ts'

/** Quick answers are sent without. */
const FIRST_MS = 800
/** Telegram shows it for five seconds. @source core.telegram.org/bots/api#sendchataction */
const AGAIN_MS = 4500

/** Where it is shown. */
export type TypingIn = { organizationId: Id<'organizations'>; connectionId: Id<'channelConnections'>; chatId: string }

/** Shows it until stopped, but not to who is answered quickly. Best effort: it never delays or fails a reply. */
export function showTyping(ctx: PipelineContext, turn: Turn): { stop(): void } {
  const { connection, conversation, organizationId } = turn
  const { channel, chatId } = conversation
  if (!connection || channel === 'test' || chatId === null) return { stop: () => undefined }
  return keepShowing(ctx, { organizationId, connectionId: connection.id, chatId }, FIRST_MS)
}

/** Shows it for a time, beginning now. Best effort. */
export function showTypingFor(ctx: PipelineContext, chat: TypingIn, ms: number): void {
  const typing = keepShowing(ctx, chat, 0)
  setTimeout(typing.stop, ms).unref()
}

function keepShowing(ctx: PipelineContext, chat: TypingIn, firstMs: number): { stop(): void } {
  let timer = setTimeout(show, firstMs)
  async function show() {
    timer = setTimeout(show, AGAIN_MS).unref()
    try {
      const found = await ctx.read(chat.organizationId, (store) => findSecrets(store, chat.connectionId))
      if (!found) return
      await ctx.services.channels[found.channel].showTyping(credentialsOf(ctx.services.secrets, found), chat.chatId)
    } catch (error) {
      ctx.logger.debug({ err: error }, 'typing was not shown')
    }
  }
  return { stop: () => clearTimeout(timer) }
}
