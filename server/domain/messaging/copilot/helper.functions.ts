// Help for operators: a model suggests, summarizes, rewrites and translates, the organization's choice or the agent's own. What it
// writes goes to the team only; nothing is sent, and nothing stored but translations of customers' messages.
import { setTimeout } from 'node:timers/promises'
import { keyOpener } from '#server/domain/agents/keys.access.ts'
import { recordUsage } from '#server/domain/billing/billing.store.ts'
import { type Room, withRoom } from '#server/domain/billing/room.ts'
import { listThreadIds } from '#server/domain/messaging/conversations/threads.store.ts'
import { getConversation } from '#server/domain/messaging/inbox/conversations.store.ts'
import { listNewestMessages } from '#server/domain/messaging/inbox/messages.store.ts'
import { getOrganization } from '#server/domain/organizations/organizations.store.ts'
import { joined, readInstructions } from '#server/domain/prompt-template/instructions.ts'
import type { OrgActionContext } from '#server/functions/context.ts'
import { orgAction } from '#server/functions/define.ts'
import type { GenerateRequest, ModelCall } from '#server/integrations/llm/llm.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { HELPER_MESSAGES } from '#shared/limits.ts'
import { type Conversation, conversationInput, type Message } from '#shared/messaging/conversations.ts'
import {
  rewriteInput,
  type SuggestedReply,
  translateInput,
  translateMessageInput,
} from '#shared/messaging/operator-tools.ts'
import {
  claimTranslation,
  findTranslation,
  getTranslatable,
  releaseTranslation,
  saveTranslation,
  type Translatable,
} from '../conversations/translations.store.ts'
import { getSearchingAgent } from '../playground/agent-search.store.ts'
import { toPassage } from '../replies/context/context.ts'
import { type SearchingAgent, searchAsAgent, searchedPart } from '../replies/context/search-knowledge.ts'
import { toSources } from '../replies/finish.ts'
import {
  asChat,
  messageTranslationRequest,
  openQuestion,
  rewriteRequest,
  SUGGEST,
  summaryRequest,
  translationRequest,
  untilCustomer,
} from './helper.rules.ts'

const SHORT = { isolation: 'read committed' } as const
/** Longer than any translation takes: a caller that claimed one and has not finished it by then has died. */
const CLAIM_MS = 90_000
/** Interval of polling for a colleague's translation. */
const LOOK_AGAIN_MS = 300

/** Stores a text in the transaction that counts it. */
type Keep = (store: OrgStoreContext, text: string) => Promise<void>

/** The agent whose knowledge, instructions and keys are used, the model, the conversation, and the message charged for it. */
type Helping = { conversation: Conversation; agent: SearchingAgent; organization: string; room: Room }

/**
 * A reply to the last message of the customer, by the agent's instructions and knowledge.
 * @throws not_found; nothing_to_answer; model_cannot_write; allowance_used_up; spending_limit_reached; model_failed
 */
export const suggest = orgAction({
  args: conversationInput,
  handler: (ctx, { conversationId }): Promise<SuggestedReply> =>
    help(ctx, conversationId, (helping) => suggestIn(ctx, helping)),
})

/** A summary of the conversation. @throws as `suggest` */
export const summarize = orgAction({
  args: conversationInput,
  handler: (ctx, { conversationId }) =>
    help(ctx, conversationId, async (helping) => {
      const messages = await ctx.read((read) => listRecent(read, conversationId))
      return write(ctx, helping, summaryRequest(messages))
    }),
})

/** A draft in another tone. @throws not_found; model_cannot_write; allowance_used_up; spending_limit_reached; model_failed */
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

/**
 * Translates a message of a customer, for the team alone. It is translated once for all callers, and kept with the message.
 * @throws not_found; nothing_to_answer for a message without text; else as `rewrite`
 */
export const translateMessage = orgAction({
  args: translateMessageInput,
  handler: async (ctx, { messageId, language }): Promise<{ text: string }> => {
    const what = await ctx.read((read) => getTranslatable(read, messageId, language))
    if (what.text.trim() === '') throw new AppError('nothing_to_answer')
    for (;;) {
      const found = await ctx.read((read) => findTranslation(read, what))
      if (found && found.text !== null) return { text: found.text }
      if (!found && (await ctx.write((store) => takeOn(store, what), SHORT))) break
      await setTimeout(LOOK_AGAIN_MS, undefined, { signal: ctx.signal })
    }
    try {
      return await help(ctx, what.conversationId, (helping) =>
        write(ctx, helping, messageTranslationRequest(what.text, language), (store, text) =>
          saveTranslation(store, what, text),
        ),
      )
    } finally {
      await ctx.write((store) => releaseTranslation(store, what), SHORT)
    }
  },
})

/** The newest messages of the conversations that are shown as one with this one. */
async function listRecent(read: OrgStoreContext, conversationId: Id<'conversations'>): Promise<Message[]> {
  return listNewestMessages(read, await listThreadIds(read, conversationId), HELPER_MESSAGES)
}

/** @returns false when another caller has claimed it. @throws not_found when the message has been removed meanwhile */
async function takeOn(store: OrgStoreContext, what: Translatable): Promise<boolean> {
  await getTranslatable(store, what.messageId, what.language)
  return claimTranslation(store, what, CLAIM_MS)
}

/** Checks everything that can be refused before a model is asked, and charges the message that the help costs. */
async function help<T>(
  ctx: OrgActionContext,
  conversationId: Id<'conversations'>,
  run: (helping: Helping) => Promise<T>,
): Promise<T> {
  const { conversation, agent, organization } = await ctx.read(async (read) => {
    const conversation = await getConversation(read, conversationId)
    const { helperModel, displayName, name } = await getOrganization(read, ctx.organizationId)
    const agent = asHelper(await getSearchingAgent(read, conversation.agentId), helperModel)
    return { conversation, agent, organization: displayName || name }
  })
  const { id, settings } = agent
  if (settings.model === EXTRACTIVE_MODEL) throw new AppError('model_cannot_write')
  const payer = { id, monthlyLimitUsd: settings.spending.monthlyLimitUsd }
  return withRoom(ctx, payer, (room) => run({ conversation, agent, organization, room }))
}

/** The agent with the model that the organization has chosen for its helper; without a choice, its own. */
function asHelper(agent: SearchingAgent, model: string): SearchingAgent {
  return model === '' ? agent : { ...agent, settings: { ...agent.settings, model } }
}

async function suggestIn(ctx: OrgActionContext, helping: Helping): Promise<SuggestedReply> {
  const recent = untilCustomer(await ctx.read((read) => listRecent(read, helping.conversation._id)))
  const question = openQuestion(recent)
  if (question === '') throw new AppError('nothing_to_answer')
  const messages = asChat(recent)
  const answer = await searchAsAgent(
    {
      organizationId: ctx.organizationId,
      read: ctx.read,
      services: ctx.services,
      count: (call) => count(ctx, helping, call, 0),
    },
    helping.agent,
    { query: searchedPart(question), conversation: messages, signal: ctx.signal },
  )
  const results = answer?.response.results ?? []
  const { settings, name } = helping.agent
  const { channel } = helping.conversation
  const setting = { agent: name, organization: helping.organization, channel }
  const made = await ask(ctx, helping, {
    temperature: settings.temperature,
    system: joined(await ctx.read((read) => readInstructions(read, setting, settings.systemPrompt)), SUGGEST),
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
  keep?: Keep,
): Promise<{ text: string }> {
  const { text } = await ask(ctx, helping, request, keep)
  return { text: text.trim() }
}

/** Asks the helper's model, and counts the call whatever its result. A text that is stored is stored in the same transaction. */
async function ask(
  ctx: OrgActionContext,
  helping: Helping,
  request: Omit<GenerateRequest, 'model' | 'signal'>,
  keep?: Keep,
) {
  const { id, settings, keys } = helping.agent
  let call: ModelCall | null = null
  let text: string | null = null
  try {
    const made = await ctx.services.llm.generate({
      ...request,
      model: settings.model,
      keyOf: keyOpener(ctx.services.secrets, id, keys),
      signal: ctx.signal,
      onCall: (made) => {
        call = made
      },
    })
    text = made.text.trim()
    return made
  } finally {
    const written = text
    if (call) await count(ctx, helping, call, 1, async (store) => written !== null && keep?.(store, written))
  }
}

/** @param messages 1: the text itself, which was charged before */
async function count(
  ctx: OrgActionContext,
  { agent, conversation, room }: Helping,
  call: ModelCall,
  messages: 0 | 1,
  keep?: (store: OrgStoreContext) => Promise<unknown>,
): Promise<void> {
  const event = { sourceId: newId(), agentId: agent.id, category: 'helper_generation', messages } as const
  const spent = { conversationId: conversation._id, purpose: 'helper' } as const
  await ctx.write(async (store) => {
    await keep?.(store)
    await recordUsage(store, { ...event, spent, channel: conversation.channel, call, occurredAt: store.now })
    if (messages > 0) await room.settle(store)
  }, SHORT)
}
