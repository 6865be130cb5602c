// "Typing…" in the customer's messenger while an answer takes its time.

import { credentialsOf } from '#server/features/channels/access.ts'
import { findSecrets } from '#server/features/channels/connections.store.ts'
import type { PipelineContext } from './pipeline-context.ts'
import type { Turn } from './turn.store.ts'

/** Quick answers are sent without. */
const FIRST_MS = 800
/** Telegram shows it for five seconds. @source core.telegram.org/bots/api#sendchataction */
const AGAIN_MS = 4500

/** Shows it until stopped. Best effort: it never delays or fails a reply. */
export function showTyping(ctx: PipelineContext, turn: Turn): { stop(): void } {
  const { connection, conversation } = turn
  const { channel, chatId } = conversation
  if (!connection || channel === 'test' || chatId === null) return { stop: () => undefined }
  const [connectionId, chat] = [connection.id, chatId]
  let timer = setTimeout(show, FIRST_MS)
  async function show() {
    timer = setTimeout(show, AGAIN_MS)
    try {
      const found = await ctx.read(turn.organizationId, (store) => findSecrets(store, connectionId))
      if (!found) return
      await ctx.services.channels[found.channel].showTyping(credentialsOf(ctx.services.secrets, found), chat)
    } catch (error) {
      ctx.logger.debug({ err: error }, 'typing was not shown')
    }
  }
  return { stop: () => clearTimeout(timer) }
}
