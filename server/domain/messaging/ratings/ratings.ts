// Asks customers what they thought of the help in channels that have no form for it: once for each end of a conversation, by buttons or by
// number. What cannot be anything but the answer is taken as a rating and thanked for; everything else is a message like any other.
import { recordUsage } from '#server/domain/billing/billing.store.ts'
import type { StoredConnection } from '#server/domain/channels/connections/connections.store.ts'
import type { ChannelAdapter } from '#server/integrations/channels/contract/channel.ts'
import type { InboundMessage } from '#server/integrations/channels/contract/inbound.ts'
import { type AnswerLanguage, answerLanguageFor } from '#server/integrations/llm/language.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { textLimitOf } from '#server/platform/lib/text/split-text.ts'
import { type ConnectedChannel, manifestOf } from '#shared/channels/manifests.ts'
import type { Id } from '#shared/ids.ts'
import { PRESENCE_TYPING_MS } from '#shared/limits.ts'
import { deferRating, noteAsked, noteThanked, setAskAt } from '../conversations/writes/rating-row.store.ts'
import { hasWrittenWithin } from '../delivery/last-customer-message.store.ts'
import { lockEdits } from '../inbound-events/edits.store.ts'
import { addNotice } from '../outbox/notices.store.ts'
import { splitReply } from '../outbox/split.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'
import { commentOf, mayAnswer, scoreOf } from './ratings.rules.ts'
import { holdAsked, holdToAsk, listToAsk, type Rater, readRater, storeRating, type Taken } from './ratings.store.ts'
import { ratingQuestion, ratingThanks, SCORES } from './ratings-text.ts'

type ConversationId = Id<'conversations'>
/** After a question that could not be written. */
const ASK_AGAIN_MS = 60_000

type Notice = { text: string; reason: string; choices?: string[] }

/** Asks everybody whose moment has come. One that fails is tried again later: many that do would take the place of all others. */
export async function askForRatings(ctx: PipelineContext): Promise<void> {
  const due = await ctx.look('pipeline: who is asked for a rating', listToAsk)
  for (const { id, organizationId } of due) {
    try {
      await ctx.organization(organizationId, (store) => askOne(ctx, store, id))
    } catch (error) {
      ctx.logger.warn({ err: error, conversationId: id }, 'a customer was not asked for a rating')
      await ctx
        .organization(organizationId, (store) => deferRating(store, id, ASK_AGAIN_MS))
        .catch((again: unknown) => ctx.logger.error({ err: again, conversationId: id }, 'a question was not put off'))
    }
  }
}

/** The moment goes and the question comes in one transaction: whatever happens between them, it is asked once. */
async function askOne(ctx: PipelineContext, store: OrgStoreContext, id: ConversationId): Promise<void> {
  const rater = await holdToAsk(store, id)
  if (!rater) return
  if (rater.isTyping) return setAskAt(store, id, PRESENCE_TYPING_MS)
  await setAskAt(store, id, null)
  if (!rater.isWanted || !rater.isReachable || rater.isTaken) return
  const hasButtons = hasScoreButtons(ctx, rater.channel)
  const replyWindowMs = manifestOf(rater.channel)?.replyWindowMs ?? null
  if (replyWindowMs !== null && !(await hasWrittenWithin(store, id, replyWindowMs))) return
  const text = ratingQuestion(languageOf(rater), hasButtons)
  const question = { text, reason: 'rating_question', choices: hasButtons ? SCORES : [] }
  await noteAsked(store, id, await tell(ctx, store, { id, rater, ...question }))
}

function hasScoreButtons({ services }: PipelineContext, channel: ConnectedChannel): boolean {
  const adapter: ChannelAdapter = services.channels[channel]
  return adapter.buttons?.hasScores ?? false
}

/**
 * Takes a message as the rating that was asked for, and thanks for it, if it can be nothing else.
 *
 * @returns `taken`: what became of it; null: it is a message like any other. `comment`: what such a one says to the rating before
 */
export async function recordRatingAnswer(
  ctx: PipelineContext,
  store: OrgStoreContext,
  connection: StoredConnection,
  { inbound, payload, homeId }: { inbound: InboundMessage; payload: unknown; homeId: StoredConnection['id'] },
): Promise<{ taken: Taken | null; comment: string | null }> {
  const nothing = { taken: null, comment: null }
  const hasButtons = hasScoreButtons(ctx, connection.channel)
  if (!mayAnswer(inbound, hasButtons)) return nothing
  const { chatId, externalMessageId } = inbound
  if (externalMessageId !== undefined) await lockEdits(store, connection.id, { ...inbound, externalMessageId })
  const asked = await holdAsked(store, { connectionId: homeId, chatId })
  if (!asked) return nothing
  const score = hasButtons ? null : scoreOf(inbound, asked)
  if (score === null) return { taken: null, comment: commentOf(inbound, asked) }
  const { externalKey, text, externalMessageId: externalId = null, quoted = null, speaker = null } = inbound
  const given = { externalKey, payload, score, text, externalId, quoted, speaker }
  const taken = await storeRating(store, connection.id, asked.id, given)
  if (taken.isNew) await thank(ctx, store, asked.id, score)
  return { taken, comment: null }
}

/** The conversation is held by the caller. */
export async function thank(
  ctx: PipelineContext,
  store: OrgStoreContext,
  id: ConversationId,
  score: number,
): Promise<void> {
  const rater = await readRater(store, id)
  if (!rater?.isReachable) return
  const text = ratingThanks(languageOf(rater), score)
  await noteThanked(store, id, await tell(ctx, store, { id, rater, text, reason: 'rating_thanks' }))
}

async function tell(
  ctx: PipelineContext,
  store: OrgStoreContext,
  { id, rater, ...notice }: { id: ConversationId; rater: Rater } & Notice,
): Promise<Id<'messages'>> {
  const { agentId, channel } = rater
  const parts = splitReply(notice.text, textLimitOf(ctx.services.channels[channel].showing))
  const messageId = await addNotice(store, id, rater, { ...notice, parts })
  await recordUsage(store, {
    sourceId: `${messageId}/notice`,
    agentId,
    category: 'system_message',
    channel,
    messages: 1,
    call: null,
    occurredAt: new Date(),
  })
  return messageId
}

function languageOf({ words, language }: Rater): AnswerLanguage {
  return answerLanguageFor('', { earlier: words, tag: language })
}
