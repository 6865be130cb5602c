// Asks customers what they thought of the help in channels that have no form for it: once for each end of a conversation, by buttons or by
// number. Only a number that comes next is taken as the answer; everything else is a message like any other.
import type { OrgStoreContext } from '#server/db/database.ts'
import { recordUsage } from '#server/features/billing/billing.store.ts'
import { type Language, languageFor } from '#server/llm/language.ts'
import type { Id } from '#shared/ids.ts'
import { addNotice } from './notices.store.ts'
import type { PipelineContext } from './pipeline-context.ts'
import { holdToAsk, listToAsk, noteAsked, type Rated, readRated, takeRating } from './ratings.store.ts'
import { ratingQuestion, ratingThanks, SCORES } from './ratings-text.ts'
import { splitReply } from './split.ts'

type ConversationId = Id<'conversations'>

/** Asks everybody whose moment has come. One that fails holds up no other, and is tried again at the next look. */
export async function askForRatings(ctx: PipelineContext): Promise<void> {
  const due = await ctx.look('pipeline: who is asked for a rating', listToAsk)
  for (const { id, organizationId } of due) {
    try {
      await ctx.organization(organizationId, (store) => askOne(ctx, store, id))
    } catch (error) {
      ctx.logger.warn({ err: error, conversationId: id }, 'a customer was not asked for a rating')
    }
  }
}

/** Takes a number as the answer to the question, and thanks for it. The conversation is held by the caller, and the message stored. */
export async function heedRating(
  ctx: PipelineContext,
  store: OrgStoreContext,
  id: ConversationId,
  score: number,
): Promise<void> {
  await takeRating(store, id, score)
  const rated = await readRated(store, id)
  if (rated?.isReachable) await tell(ctx, store, { id, rated, text: ratingThanks(languageOf(rated)) })
}

async function askOne(ctx: PipelineContext, store: OrgStoreContext, id: ConversationId): Promise<void> {
  const rated = await holdToAsk(store, id)
  if (!rated?.isReachable) return
  const hasButtons = ctx.services.channels[rated.channel].hasButtons ?? false
  const text = ratingQuestion(languageOf(rated), hasButtons)
  const messageId = await tell(ctx, store, { id, rated, text, choices: hasButtons ? SCORES : [] })
  await noteAsked(store, id, messageId)
}

async function tell(
  ctx: PipelineContext,
  store: OrgStoreContext,
  { id, rated, text, choices = [] }: { id: ConversationId; rated: Rated; text: string; choices?: string[] },
): Promise<Id<'messages'>> {
  const { agentId, channel } = rated
  const parts = splitReply(text, ctx.services.channels[channel].maxTextLength)
  const messageId = await addNotice(store, id, rated, { text, parts, choices })
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

function languageOf({ words, language }: Rated): Language {
  return languageFor('', { earlier: words, tag: language })
}
