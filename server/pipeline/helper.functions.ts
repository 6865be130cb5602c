// Help for the people who answer: an agent's model suggests, sums up, rewrites and translates. What it writes goes to the person who
// asked and to nobody else; nothing is stored, and nothing is sent.
import { keyOpener } from '#server/features/agents/keys.access.ts'
import { recordUsage } from '#server/features/billing/billing.store.ts'
import { type Room, withRoom } from '#server/features/billing/room.ts'
import { getConversation } from '#server/features/conversations/conversations.store.ts'
import { listNewestMessages } from '#server/features/conversations/messages.store.ts'
import type { OrgActionContext } from '#server/functions/context.ts'
import { orgAction } from '#server/functions/define.ts'
import { newId } from '#server/lib/ids.ts'
import type { GenerateRequest, ModelCall } from '#server/llm/llm.ts'
import { type Conversation, conversationInput } from '#shared/conversations.ts'
import { rewriteInput, type SuggestedReply, translateInput } from '#shared/desk.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { HELPER_MESSAGES } from '#shared/limits.ts'
import { EXTRACTIVE_MODEL } from '#shared/models.ts'
import { getSearchingAgent } from './agent-search.store.ts'
import { toPassage } from './context.ts'
import { toSources } from './finish.ts'
import {
  asChat,
  openQuestion,
  rewriteRequest,
  SUGGEST,
  summaryRequest,
  translationRequest,
  untilCustomer,
} from './helper.rules.ts'
import { type SearchingAgent, searchAsAgent, searchedPart } from './search-knowledge.ts'

/** Whose model helps, with which conversation, and the message that was taken for it. */
type Helping = { conversation: Conversation; agent: SearchingAgent; room: Room }

/**
 * A reply to the last thing that the customer has said, by the agent's instructions and knowledge.
 * @throws not_found; nothing_to_answer; model_cannot_write; allowance_used_up; spending_limit_reached; model_failed
 */
export const suggest = orgAction({
  args: conversationInput,
  handler: (ctx, { conversationId }): Promise<SuggestedReply> =>
    help(ctx, conversationId, (helping) => suggestIn(ctx, helping)),
})

/** The conversation in short. @throws as `suggest` */
export const summarize = orgAction({
  args: conversationInput,
  handler: (ctx, { conversationId }) =>
    help(ctx, conversationId, async (helping) => {
      const said = await ctx.read((read) => listNewestMessages(read, conversationId, HELPER_MESSAGES))
      return write(ctx, helping, summaryRequest(said))
    }),
})

/** A draft in another manner. @throws not_found; model_cannot_write; allowance_used_up; spending_limit_reached; model_failed */
export const rewrite = orgAction({
  args: rewriteInput,
  handler: (ctx, { conversationId, draft, manner }) =>
    help(ctx, conversationId, (helping) => write(ctx, helping, rewriteRequest(draft, manner))),
})

/** A draft in another language. @throws as `rewrite` */
export const translate = orgAction({
  args: translateInput,
  handler: (ctx, { conversationId, draft, language }) =>
    help(ctx, conversationId, (helping) => write(ctx, helping, translationRequest(draft, language))),
})

/** Looks at everything that can be refused before a model is asked, and takes the message that the help costs. */
async function help<T>(
  ctx: OrgActionContext,
  conversationId: Id<'conversations'>,
  run: (helping: Helping) => Promise<T>,
): Promise<T> {
  const { conversation, agent } = await ctx.read(async (read) => {
    const conversation = await getConversation(read, conversationId)
    return { conversation, agent: await getSearchingAgent(read, conversation.agentId) }
  })
  const { id, settings } = agent
  if (settings.model === EXTRACTIVE_MODEL) throw new AppError('model_cannot_write')
  const payer = { id, monthlyLimitUsd: settings.spending.monthlyLimitUsd }
  return withRoom(ctx, payer, (room) => run({ conversation, agent, room }))
}

async function suggestIn(ctx: OrgActionContext, helping: Helping): Promise<SuggestedReply> {
  const said = untilCustomer(
    await ctx.read((read) => listNewestMessages(read, helping.conversation._id, HELPER_MESSAGES)),
  )
  const question = openQuestion(said)
  if (question === '') throw new AppError('nothing_to_answer')
  const messages = asChat(said)
  const answer = await searchAsAgent(
    { read: ctx.read, services: ctx.services, count: (call) => count(ctx, helping, call, 0) },
    helping.agent,
    { query: searchedPart(question), told: messages, signal: ctx.signal },
  )
  const results = answer?.response.results ?? []
  const { settings } = helping.agent
  const made = await ask(ctx, helping, {
    temperature: settings.temperature,
    system: `${settings.systemPrompt.trim()}\n\n${SUGGEST}`.trim(),
    messages,
    passages: results.map(toPassage),
    isWeakEvidence: answer?.response.isWeak ?? false,
    tools: [],
  })
  const found = new Map(results.map((result) => [result.id as string, result]))
  return { text: made.text.trim(), sources: toSources(made, { found, foundPages: new Map() }) }
}

async function write(
  ctx: OrgActionContext,
  helping: Helping,
  request: Omit<GenerateRequest, 'model' | 'signal'>,
): Promise<{ text: string }> {
  const { text } = await ask(ctx, helping, request)
  return { text: text.trim() }
}

/** Asks the agent's model, and counts the call whatever comes of it. */
async function ask(ctx: OrgActionContext, helping: Helping, request: Omit<GenerateRequest, 'model' | 'signal'>) {
  const { id, settings, keys } = helping.agent
  let call: ModelCall | null = null
  try {
    return await ctx.services.llm.generate({
      ...request,
      model: settings.model,
      keyOf: keyOpener(ctx.services.secrets, id, keys),
      signal: ctx.signal,
      onCall: (made) => {
        call = made
      },
    })
  } finally {
    if (call) await count(ctx, helping, call, 1)
  }
}

/** @param messages 1: the text itself, for which the room was taken */
async function count(
  ctx: OrgActionContext,
  { agent, conversation, room }: Helping,
  call: ModelCall,
  messages: 0 | 1,
): Promise<void> {
  const event = { sourceId: newId(), agentId: agent.id, category: 'helper_generation', messages } as const
  await ctx.write(
    async (store) => {
      await recordUsage(store, { ...event, channel: conversation.channel, call, occurredAt: store.now })
      if (messages > 0) await room.settle(store)
    },
    { isolation: 'read committed' },
  )
}
