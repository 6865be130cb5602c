// Notifies customers who were promised a person that no operator is free yet: once per call, and never while an operator is typing.
// Customers whose conversation was assigned or answered by a person no longer wait.
import { recordUsage } from '#server/domain/billing/billing.store.ts'
import { nextHoursAt } from '#server/domain/organizations/operators.store.ts'
import { answerLanguageFor } from '#server/integrations/llm/language.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { textLimitOf } from '#server/platform/lib/text/split-text.ts'
import type { Id } from '#shared/ids.ts'
import { PRESENCE_TYPING_MS } from '#shared/limits.ts'
import { deferNoOperatorNotice, settleNoOperatorNotice } from '../conversations/writes/silence.store.ts'
import { addNotice } from '../outbox/notices.store.ts'
import { splitReply } from '../outbox/split.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'
import { listWithoutOperator, lockNoOperatorNotice, type NoOperatorNotice } from './no-operator-notice.store.ts'
import { noOperatorText } from './no-operator-notice-text.ts'

/** Sends all notices that are due. A failure does not block the others, and is retried on the next run. */
export async function sendNoOperatorNotices(ctx: PipelineContext): Promise<void> {
  const waiting = await ctx.look('pipeline: who waits for a person', listWithoutOperator)
  for (const { id, organizationId } of waiting) {
    try {
      await ctx.organization(organizationId, (store) => sendOne(ctx, store, id))
    } catch (error) {
      ctx.logger.warn({ err: error, conversationId: id }, 'a customer was not notified that no operator is free')
    }
  }
}

async function sendOne(ctx: PipelineContext, store: OrgStoreContext, id: Id<'conversations'>): Promise<void> {
  const waiting = await lockNoOperatorNotice(store, id)
  if (!waiting) return
  if (waiting.isTyping) return deferNoOperatorNotice(store, id, PRESENCE_TYPING_MS)
  const isNotified = waiting.isWanted && waiting.isReachable
  await settleNoOperatorNotice(store, id, isNotified)
  if (!isNotified) return
  const { agentId, channel } = waiting
  const text = await textFor(store, waiting)
  const parts = splitReply(text, textLimitOf(ctx.services.channels[channel].showing))
  const messageId = await addNotice(store, id, waiting, { text, parts })
  await recordUsage(store, {
    sourceId: `${messageId}/notice`,
    agentId,
    category: 'system_message',
    channel,
    messages: 1,
    call: null,
    occurredAt: new Date(),
  })
}

async function textFor(store: OrgStoreContext, { text, language, words, timeZone }: NoOperatorNotice): Promise<string> {
  if (text) return text
  const opensAt = await nextHoursAt(store)
  return noOperatorText(answerLanguageFor('', { earlier: words, tag: language }), opensAt, timeZone)
}
